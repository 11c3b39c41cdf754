//! For how long was nothing answered, though something was due? Pauses of a garbage collector, of a checkpoint, of a lock: rare, so
//! that no percentile of a slice shows them.
//!
//! A stall is the time between two answers, or from when the earliest request was due that waits then, as far as it is longer than
//! ten times the median response.
//!
//! Tests: below.

use evenhand_load::{Outcome, Request};

/// A time without an answer is a stall beyond so many median responses.
const LONG: u64 = 10;

/// The requests of a slice, as far as a stall shows in them: when each was due, when it ended, and whether with an answer.
#[derive(Debug, Clone, Default)]
pub struct Answers(Vec<Answered>);

#[derive(Debug, Clone, Copy)]
struct Answered {
    planned: u64,
    ended: u64,
    answered: bool,
}

impl Answers {
    /// Takes in a request that has ended. They come in the order of their ends.
    pub fn push(&mut self, request: &Request) {
        let answered = request.outcome == Outcome::Answered;
        self.0.push(Answered { planned: request.planned, ended: request.ended, answered });
    }

    /// All stalls together, in nanoseconds, where the median response is `median`.
    pub fn stalled(&self, median: u64) -> u64 {
        let (mut earliest, mut next, mut stalled) = (u64::MAX, None, 0);
        // From the last one on, so that who still waits is known.
        for answer in self.0.iter().rev() {
            if answer.answered {
                stalled += stall(answer.ended, earliest, next, median);
                next = Some(answer.ended);
            } else if next.is_none() {
                // Nothing was answered after it: the silence lasts until it was given up.
                next = Some(answer.ended);
            }
            earliest = earliest.min(answer.planned);
        }
        stalled + stall(0, earliest, next, median)
    }
}

/// The stall between an answer and the next one, given when the earliest of the requests was due that ended later.
fn stall(answered: u64, earliest: u64, next: Option<u64>, median: u64) -> u64 {
    let Some(next) = next else { return 0 };
    let silent = next.saturating_sub(answered.max(earliest));
    silent.saturating_sub(LONG.saturating_mul(median))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Requests that were due and ended at these milliseconds; one without an answer has a minus.
    fn stalled(requests: &[(u64, i64)]) -> u64 {
        let mut answers = Answers::default();
        for (planned, ended) in requests {
            let answered = *ended > 0;
            let ended = ended.unsigned_abs();
            answers.0.push(Answered { planned: *planned, ended, answered });
        }
        answers.stalled(1)
    }

    #[test]
    fn who_answers_in_time_never_stalls() {
        assert_eq!(stalled(&[]), 0);
        assert_eq!(stalled(&[(0, 1), (5, 6), (100, 101)]), 0, "nothing was due in between");
    }

    #[test]
    fn a_pause_counts_from_when_something_was_due_beyond_ten_responses() {
        assert_eq!(stalled(&[(0, 1), (20, 60), (30, 60), (59, 61)]), 60 - 20 - 10);
        assert_eq!(stalled(&[(0, 50), (1, 51)]), 50 - 10, "at the beginning, too");
        assert_eq!(stalled(&[(0, 1), (2, 40), (41, 80), (81, 82)]), (40 - 2 - 10) + (80 - 41 - 10));
    }

    #[test]
    fn an_end_without_an_answer_does_not_end_a_stall() {
        assert_eq!(stalled(&[(0, 1), (10, -30), (11, 60)]), 60 - 10 - 10);
        assert_eq!(stalled(&[(0, 1), (10, -60)]), 60 - 10 - 10, "nor does the end of the slice");
    }
}
