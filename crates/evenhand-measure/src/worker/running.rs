//! The workers of a launch: whose turn comes when, and did each give what it had to?
//!
//! Tests: `tests/worker/`; what happens when the numbers of turns run out, below.

use super::error::{WorkerError, WorkerErrorKind};
use super::peer::{self, Peer};
use crate::launches::DueRound;
use evenhand_protocol::message::{Handed, Results, Turn};
use evenhand_protocol::page::TurnPage;
use evenhand_protocol::turns::STOP;
use evenhand_trial::ArmId;
use std::time::Duration;

/// The workers of a launch, by their slots.
#[derive(Debug)]
pub(super) struct Running {
    pub(super) arms: Vec<ArmId>,
    pub(super) peers: Vec<Peer>,
    /// Host time minus worker time, in nanoseconds.
    pub(super) began: Vec<u64>,
    pub(super) page: Option<TurnPage>,
    /// Why there is no page, if there is none.
    pub(super) without_page: Option<&'static str>,
    /// The number of the turn that comes next.
    pub(super) number: u32,
    pub(super) round: Duration,
}

/// The turns of each slot, and the slots that begin.
pub(super) type Turns = (Vec<Vec<Turn>>, Vec<u8>);

/// A turn has this number when the page is new. A slot shows 0 then.
pub(super) const FIRST_NUMBER: u32 = 1;

impl Running {
    /// Gets numbers for so many rounds, which are all below [`STOP`]: if that many are not left, the page begins again. Between two
    /// requests nobody waits on it.
    pub(super) fn begin_again_in_time(&mut self, page: &TurnPage, rounds: usize) {
        // Where two run at the same time, a round takes one number, and all rounds one more.
        let needed = rounds * self.arms.len();
        if (STOP - self.number) as usize <= needed {
            page.begin_again();
            self.number = FIRST_NUMBER;
        }
    }

    /// One after the other, in the order of the coin.
    pub(super) fn in_turns(&mut self, rounds: &[DueRound]) -> Turns {
        let host = self.arms.len();
        let slots: Vec<usize> =
            rounds.iter().flat_map(|round| &round.order).filter_map(|arm| self.slot(*arm)).collect();
        let payloads = rounds.iter().flat_map(|round| round.order.iter().map(|_| round.payload.0));
        let mut turns: Vec<Vec<Turn>> = vec![Vec::new(); host];
        for ((place, slot), payload) in slots.iter().enumerate().zip(payloads) {
            let next = slots.get(place + 1).copied().unwrap_or(host) as u8;
            turns[*slot].push(Turn { payload, handed: Some(Handed { number: self.number, next }) });
            self.number += 1;
        }
        (turns, slots.first().map(|slot| *slot as u8).into_iter().collect())
    }

    /// Two at the same time: each lets the other begin the next round when it has done this one.
    pub(super) fn in_lockstep(&mut self, rounds: &[DueRound]) -> Turns {
        let mut turns: Vec<Vec<Turn>> = vec![Vec::new(); 2];
        for round in rounds {
            for (slot, turns) in turns.iter_mut().enumerate() {
                let handed = Some(Handed { number: self.number, next: 1 - slot as u8 });
                turns.push(Turn { payload: round.payload.0, handed });
            }
            self.number += 1;
        }
        // The last turns show a number that the next portion does not wait for.
        self.number += 1;
        (turns, vec![0, 1])
    }

    pub(super) fn slot(&self, arm: ArmId) -> Option<usize> {
        self.arms.iter().position(|known| *known == arm)
    }

    /// A worker that gives fewer or more samples than it had turns cannot be trusted.
    pub(super) fn all_there(
        &mut self,
        results: Vec<Results>,
        turns: usize,
    ) -> Result<Vec<Results>, (usize, WorkerError)> {
        match results.iter().position(|results| results.samples.len() != turns) {
            Some(slot) => Err((slot, self.peers[slot].fault(peer::RESULTS, WorkerErrorKind::OutOfTurn))),
            None => Ok(results),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use evenhand_protocol::page::Futex;
    use evenhand_protocol::turns::Waited;
    use evenhand_trial::{LaunchId, RoundId, Seed};
    use std::sync::Mutex;
    use std::thread;
    use std::time::Instant;

    const ARMS: [ArmId; 2] = [ArmId(0), ArmId(1)];

    fn running(number: u32) -> Running {
        Running {
            arms: ARMS.to_vec(),
            peers: Vec::new(),
            began: Vec::new(),
            page: None,
            without_page: None,
            number,
            round: Duration::ZERO,
        }
    }

    fn rounds(count: u64) -> Vec<DueRound> {
        let order = |round: u64| if round.is_multiple_of(3) { vec![ARMS[1], ARMS[0]] } else { ARMS.to_vec() };
        (0..count)
            .map(|round| {
                let (launch, number) = (LaunchId(0), RoundId(round));
                DueRound { launch, number, order: order(round), payload: Seed(round) }
            })
            .collect()
    }

    /// Plays a portion as workers do, on threads; answers the payloads in the order in which they came.
    fn played(page: &TurnPage, first: u32, (turns, starters): &Turns) -> Vec<u64> {
        let (came, began) = (Mutex::new(Vec::new()), Instant::now());
        let play = |slot: u8, turns: &[Turn]| {
            for Turn { payload, handed } in turns {
                let Handed { number, next } = handed.unwrap();
                let too_long = || began.elapsed() > Duration::from_secs(10);
                assert_eq!(page.wait(slot, number, &Futex, too_long), Waited::Come, "turn {number}");
                came.lock().unwrap().push(*payload);
                page.hand(next, number + 1, &Futex);
            }
        };
        thread::scope(|scope| {
            for (slot, turns) in (0..).zip(turns) {
                let play = &play;
                scope.spawn(move || play(slot, turns));
            }
            starters.iter().for_each(|slot| page.hand(*slot, first, &Futex));
        });
        came.into_inner().unwrap()
    }

    /// Portions of five rounds from here to beyond the last number.
    fn portions(first: u32, in_portion: fn(&mut Running, &[DueRound]) -> Turns) {
        let page = TurnPage::new().unwrap();
        let mut running = running(first);
        let rounds = rounds(5);
        let in_order: Vec<u64> = (0..5).flat_map(|round| [round, round]).collect();
        for _ in 0..8 {
            running.begin_again_in_time(&page, rounds.len());
            let first = running.number;
            let turns = in_portion(&mut running, &rounds);
            assert_eq!(played(&page, first, &turns), in_order, "from number {first}");
        }
        assert!(running.number < 100, "{} is not beyond the last", running.number);
    }

    #[test]
    fn turns_go_on_when_their_numbers_have_run_out() {
        // Wherever in a portion the last number would be.
        for before in 1..=25 {
            portions(STOP - before, Running::in_turns);
            portions(STOP - before, Running::in_lockstep);
        }
    }
}
