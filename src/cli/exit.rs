//! The exit codes; they belong to the command line alone.

use crate::operations::Code;

/// How a command ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Exit {
    /// 0: done.
    Done,
    /// 1: a fault of ours, or of the system.
    Fault,
    /// 2: usage or arguments.
    Usage,
    /// 3: not found.
    NotFound,
    /// 4: denied.
    Denied,
    /// 5: in conflict or refused.
    Refused,
    /// 6: unreachable, timed out, or of unknown outcome.
    Unreachable,
    /// 7: too many requests.
    RateLimited,
    /// 8: a confirmation is needed.
    Unconfirmed,
    /// 130: SIGINT, as a shell tells it.
    Interrupted,
    /// 143: SIGTERM, as a shell tells it.
    Terminated,
}

impl Exit {
    /// The number.
    pub fn code(self) -> i32 {
        match self {
            Self::Done => 0,
            Self::Fault => 1,
            Self::Usage => 2,
            Self::NotFound => 3,
            Self::Denied => 4,
            Self::Refused => 5,
            Self::Unreachable => 6,
            Self::RateLimited => 7,
            Self::Unconfirmed => 8,
            Self::Interrupted => 130,
            Self::Terminated => 143,
        }
    }
}

impl From<Code> for Exit {
    fn from(code: Code) -> Self {
        match code {
            Code::InvalidArguments | Code::Validation => Self::Usage,
            Code::NotFound => Self::NotFound,
            Code::Unauthorized | Code::Forbidden | Code::MissingScope => Self::Denied,
            Code::Conflict | Code::Refused | Code::TooLarge | Code::UnavailableHere => Self::Refused,
            Code::Unreachable | Code::Timeout | Code::OutcomeUnknown => Self::Unreachable,
            Code::RateLimited => Self::RateLimited,
            Code::ConfirmationRequired => Self::Unconfirmed,
            Code::Internal => Self::Fault,
        }
    }
}
