//! The state that goes out with a question and comes back with its answer: sealed, so that a client can send no answer
//! to a question that was not asked, or was asked about another call; of one use, so that an answer that is sent twice
//! does not destroy twice.

use std::collections::VecDeque;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use rmcp::model::{RequestStateCodec, RequestStateError, SealOptions};
use rustls::crypto::GetRandomFailed;
use tokio::time::Instant;

/// How many used states are known at once. None is forgotten while it would still count: where there is no room, no
/// further one is taken.
const MOST_USED: usize = 4096;

/// Seals and opens states, with a key that no other process has.
#[derive(Debug)]
pub(super) struct Seals {
    codec: RequestStateCodec,
    lifetime: Duration,
    next: AtomicU64,
    used: Mutex<VecDeque<Used>>,
}

/// A state that was opened.
#[derive(Debug)]
struct Used {
    number: Vec<u8>,
    at: Instant,
    /// Whether the call was let through with it.
    yes: bool,
}

/// Why a state does not count.
#[derive(Debug, PartialEq, Eq, thiserror::Error)]
pub(super) enum Unsealed {
    #[error("this requestState is not one that came with a question about this call")]
    Foreign,
    #[error("the question that this requestState came with was asked too long ago")]
    Expired,
    #[error("this requestState was used already")]
    Used,
    #[error("the user did not confirm when this requestState was used, and nothing was sent")]
    Declined,
    #[error("too many questions were answered within the last minutes")]
    Full,
}

impl Seals {
    /// Seals states that count so long.
    ///
    /// # Errors
    /// Where the system gives no random numbers.
    pub(super) fn new(lifetime: Duration) -> Result<Self, GetRandomFailed> {
        let mut key = [0; RequestStateCodec::MIN_KEY_LENGTH];
        rustls::crypto::ring::default_provider().secure_random.fill(&mut key)?;
        Ok(Self {
            codec: RequestStateCodec::new_unchecked(key),
            lifetime,
            next: AtomicU64::new(0),
            used: Mutex::default(),
        })
    }

    /// A state for a question about that call.
    pub(super) fn seal(&self, call: &[u8]) -> String {
        let number = self.next.fetch_add(1, Ordering::Relaxed).to_be_bytes();
        self.codec.seal_with(&number, &SealOptions::new().associated_data(call).ttl(self.lifetime))
    }

    /// Opens a state that came back with that call, and with a yes or a no; it does not count again.
    pub(super) fn open(&self, state: &str, call: &[u8], yes: bool) -> Result<(), Unsealed> {
        let number = self.codec.open_with(state, call).map_err(|error| match error {
            RequestStateError::Expired => Unsealed::Expired,
            _ => Unsealed::Foreign,
        })?;
        let mut used = self.used.lock().unwrap_or_else(PoisonError::into_inner);
        while used.front().is_some_and(|first| first.at.elapsed() > self.lifetime) {
            used.pop_front();
        }
        if let Some(known) = used.iter().find(|known| known.number == number) {
            return Err(if known.yes { Unsealed::Used } else { Unsealed::Declined });
        }
        if used.len() >= MOST_USED {
            return Err(Unsealed::Full);
        }
        used.push_back(Used { number, at: Instant::now(), yes });
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn seals() -> Seals {
        Seals::new(Duration::from_secs(300)).unwrap()
    }

    #[test]
    fn a_state_counts_once_for_the_call_it_was_made_for_and_for_no_other_process() {
        let seals = seals();
        let (first, second) = (seals.seal(b"a"), seals.seal(b"a"));
        assert_ne!(first, second, "two questions about one call are two");
        assert_eq!(seals.open(&first, b"b", true), Err(Unsealed::Foreign));
        assert_eq!(super::tests::seals().open(&first, b"a", true), Err(Unsealed::Foreign));
        assert_eq!(seals.open(&first, b"a", true), Ok(()));
        assert_eq!(seals.open(&first, b"a", true), Err(Unsealed::Used));
        assert_eq!(seals.open(&second, b"a", false), Ok(()));
        assert_eq!(seals.open(&second, b"a", true), Err(Unsealed::Declined), "a no stays one");
    }

    #[test]
    fn a_state_that_was_changed_anywhere_does_not_count() {
        let seals = seals();
        let state = seals.seal(b"a");
        for at in 0..state.len() {
            let mut changed = state.clone().into_bytes();
            changed[at] = if changed[at] == b'A' { b'B' } else { b'A' };
            let changed = String::from_utf8(changed).unwrap();
            // The last letter of a base64 text carries bits that mean nothing; what differs in them is refused or the
            // same.
            let opened = seals.open(&changed, b"a", true);
            assert_eq!(opened, Err(Unsealed::Foreign), "{at} {changed}");
        }
        for odd in ["", ".", "rs1", "rs1..", "rs2.a.b.c", "\u{0}", &state[1..], &format!("{state}A")] {
            assert_eq!(seals.open(odd, b"a", true), Err(Unsealed::Foreign), "{odd}");
        }
        assert_eq!(seals.open(&state, b"a", true), Ok(()));
    }

    #[test]
    fn a_state_counts_no_longer_than_its_lifetime() {
        let seals = Seals::new(Duration::from_millis(1)).unwrap();
        let state = seals.seal(b"a");
        std::thread::sleep(Duration::from_millis(20));
        assert_eq!(seals.open(&state, b"a", true), Err(Unsealed::Expired));
    }

    #[tokio::test(start_paused = true)]
    async fn used_states_are_forgotten_when_they_count_no_longer_and_never_before() {
        let seals = seals();
        let states: Vec<String> = (0..=MOST_USED).map(|_| seals.seal(b"a")).collect();
        for state in &states[..MOST_USED] {
            assert_eq!(seals.open(state, b"a", true), Ok(()));
        }
        assert_eq!(seals.open(&states[MOST_USED], b"a", true), Err(Unsealed::Full));
        assert_eq!(seals.open(&states[0], b"a", true), Err(Unsealed::Used));
        tokio::time::advance(Duration::from_secs(301)).await;
        assert_eq!(seals.open(&states[MOST_USED], b"a", true), Ok(()));
        assert_eq!(seals.used.lock().unwrap().len(), 1);
    }
}
