//! The workers of a launch: whose turn comes when, and did each give what it had to?
//!
//! Tests: `tests/worker/`.

use super::fault::{Fault, What};
use super::peer::{self, Peer};
use crate::launches::Round;
use evenhand_protocol::message::{Handed, Results, Turn};
use evenhand_protocol::page::Page;
use evenhand_trial::ArmId;
use std::time::Duration;

/// The workers of a launch, by their slots.
#[derive(Debug)]
pub(super) struct Running {
    pub(super) arms: Vec<ArmId>,
    pub(super) peers: Vec<Peer>,
    /// Host time minus worker time, in nanoseconds.
    pub(super) began: Vec<u64>,
    pub(super) page: Option<Page>,
    /// Why there is no page, if there is none.
    pub(super) without_page: Option<&'static str>,
    /// The number of the turn that comes next.
    pub(super) number: u32,
    pub(super) round: Duration,
}

/// The turns of each slot, and the slots that begin.
pub(super) type Turns = (Vec<Vec<Turn>>, Vec<u8>);

impl Running {
    /// One after the other, in the order of the coin.
    pub(super) fn in_turns(&mut self, rounds: &[Round]) -> Turns {
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
    pub(super) fn in_lockstep(&mut self, rounds: &[Round]) -> Turns {
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
    ) -> Result<Vec<Results>, (usize, Fault)> {
        match results.iter().position(|results| results.samples.len() != turns) {
            Some(slot) => Err((slot, self.peers[slot].fault(peer::RESULTS, What::OutOfTurn))),
            None => Ok(results),
        }
    }
}
