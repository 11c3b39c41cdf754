//! Are workers served where the system refuses a call?

use crate::{A, B, crew, launch, measured, member, nobody, rounds};
use evenhand_measure::launches::Launcher;
use evenhand_measure::worker::survey;
use evenhand_trial::{LaunchId, Seed};
use evenhand_victims::confined::{Refusal, confined, refuse};

#[test]
fn workers_take_turns_and_their_end_is_seen_without_a_pidfd() {
    for refusal in ["pidfd_open=ENOSYS", "pidfd_open=EPERM"] {
        confined(&[refusal], || {
            let mut crew = crew(vec![member("spins"), member("spins")]);
            assert_eq!(measured(&mut crew, 8).unwrap().len(), 8, "{refusal}");
            let ended = survey(&launch("it", Some("stop in the middle")), &|_| true, &nobody());
            let told = ended.unwrap_err().to_string();
            assert!(told.contains("ended (exit status: 3)"), "{told}");
        });
    }
}

#[test]
fn without_memory_to_share_each_turn_is_asked_for_and_that_is_said() {
    for refusal in ["memfd_create=ENOSYS", "memfd_create=EPERM"] {
        confined(&[refusal], || {
            let mut crew = crew(vec![member("spins"), member("spins")]);
            assert_eq!(measured(&mut crew, 8).unwrap().len(), 8);
            let told = "the system gives workers no memory to share, so each turn was requested";
            assert!(crew.notes().iter().any(|note| note.to_string() == told), "{:?}", crew.notes());
        });
    }
}

#[test]
fn memory_to_share_that_is_lost_between_launches_costs_no_round() {
    confined(&[], || {
        let mut crew = crew(vec![member("spins"), member("spins")]);
        crew.begin(&[A, B]).unwrap();
        for number in 0..2 {
            crew.launch(&[A, B], LaunchId(number), Seed(1)).unwrap();
            assert_eq!(rounds(&mut crew, 0, 8).unwrap().len(), 8);
            crew.land();
            refuse(Refusal::named("memfd_create=ENOSYS").unwrap()).unwrap();
            refuse(Refusal::named("pidfd_open=ENOSYS").unwrap()).unwrap();
        }
        crew.end();
    });
}

#[test]
fn workers_run_free_where_affinity_is_refused_and_that_is_said() {
    confined(&["sched_setaffinity=EPERM"], || {
        let mut crew = crew(vec![member("spins"), member("spins")]);
        assert_eq!(measured(&mut crew, 8).unwrap().len(), 8);
        let told = "not pinned to one CPU: the system refused it";
        assert!(crew.notes().iter().any(|note| note.to_string() == told), "{:?}", crew.notes());
    });
}
