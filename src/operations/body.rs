//! The body of a text as it comes. One that has not come to its end when the time is over is not lost: what came of it is
//! shown, and told as a part.

use bytes::Bytes;
use forgehand_client::{Raw, Reply};

use super::answer::Context;
use super::{Code, OperationError, refusal};

/// What stands beside a text of which a part came.
pub(super) const LATE: &str = "the time was over before all of it came";

/// A body that is read in pieces.
#[derive(Debug)]
pub(super) struct Body {
    /// The answer that it belongs to.
    pub(super) reply: Reply<Raw>,
    has_begun: bool,
    /// Why no more came than a part.
    late: Option<OperationError>,
}

impl Body {
    /// The body of an answer, of which nothing was read.
    pub(super) fn new(reply: Reply<Raw>) -> Self {
        Self { reply, has_begun: false, late: None }
    }

    /// The next piece. None is the end, or where some came before the end of the time ([`Self::is_late`]).
    ///
    /// # Errors
    /// A body that breaks off, and one of which nothing came in time.
    pub(super) async fn chunk(&mut self, context: &Context<'_>) -> Result<Option<Bytes>, OperationError> {
        if self.late.is_some() {
            return Ok(None);
        }
        match self.reply.chunk().await {
            Ok(chunk) => {
                self.has_begun |= chunk.is_some();
                Ok(chunk)
            }
            Err(error) => {
                let is_late = self.has_begun && refusal::code_of_broken(&error) == Code::Timeout;
                let error = context.broken(&self.reply, &error);
                if !is_late {
                    return Err(error);
                }
                self.late = Some(error);
                Ok(None)
            }
        }
    }

    /// Whether the time was over before the end came.
    pub(super) fn is_late(&self) -> bool {
        self.late.is_some()
    }

    /// The error that it is where what came has nothing to show.
    ///
    /// # Errors
    /// That the time was over.
    pub(super) fn check_shows(&mut self, is_empty: bool) -> Result<(), OperationError> {
        match self.late.take_if(|_| is_empty) {
            Some(late) => Err(late),
            None => Ok(()),
        }
    }
}
