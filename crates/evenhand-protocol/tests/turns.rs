//! Do turns go round between threads and between mappings of one page, and does every wait end?
#![expect(unsafe_code, reason = "pages that are wrong are made by hand")]

use evenhand_protocol::page::{Futex, TurnPage, has_hung_up};
use evenhand_protocol::turns::{STOP, Turns, Waited};
use std::cell::Cell;
use std::fs::File;
use std::io::ErrorKind;
use std::os::fd::{AsFd, AsRawFd, FromRawFd};
use std::sync::atomic::{AtomicU64, Ordering};
use std::thread;

const NOBODY_DIES: fn() -> bool = || false;

/// Another mapping of the same page, as another process has it.
fn mapped_again(page: &TurnPage) -> TurnPage {
    TurnPage::of(page.as_fd().try_clone_to_owned().unwrap()).unwrap()
}

#[test]
fn two_take_turns_over_two_mappings() {
    const ROUNDS: u32 = 2000;
    let page = TurnPage::new().unwrap();
    let other = mapped_again(&page);
    // Not atomic in effect: a turn that overlapped another would lose a count.
    let count = AtomicU64::new(0);
    let play = |page: &TurnPage, slot: u8| {
        for round in 0..ROUNDS {
            // Who goes first changes from round to round.
            let first = (round % 3 == 0) == (slot == 0);
            let number = 1 + 2 * round + u32::from(!first);
            assert_eq!(page.wait(slot, number, &Futex, NOBODY_DIES), Waited::Come);
            let seen = count.load(Ordering::Relaxed);
            thread::yield_now();
            count.store(seen + 1, Ordering::Relaxed);
            let next_is_me = !first && ((round + 1) % 3 == 0) == (slot == 0);
            page.hand(if next_is_me { slot } else { 1 - slot }, number + 1, &Futex);
        }
    };
    thread::scope(|scope| {
        scope.spawn(|| play(&page, 0));
        scope.spawn(|| play(&other, 1));
        page.hand(0, 1, &Futex);
    });
    assert_eq!(count.into_inner(), u64::from(2 * ROUNDS));
}

#[test]
fn a_stop_ends_all_waiting_now_and_later() {
    let page = TurnPage::new().unwrap();
    thread::scope(|scope| {
        let waiting: Vec<_> = (0..3)
            .map(|slot| {
                scope.spawn({
                    let page = &page;
                    move || page.wait(slot, 9, &Futex, NOBODY_DIES)
                })
            })
            .collect();
        thread::yield_now();
        page.stop(&Futex);
        for waited in waiting {
            assert_eq!(waited.join().unwrap(), Waited::Stopped);
        }
    });
    assert_eq!(page.wait(5, 1, &Futex, NOBODY_DIES), Waited::Stopped);
    assert!(page.is_stopped());
}

#[test]
fn who_is_left_alone_goes() {
    let turns = Turns::new();
    let asked = Cell::new(0);
    let is_alone = || {
        asked.set(asked.get() + 1);
        asked.get() == 3
    };
    assert_eq!(turns.wait(1, 1, &Futex, is_alone), Waited::Alone);
    assert_eq!(asked.get(), 3);
}

#[test]
fn a_slot_that_is_none_is_refused() {
    let turns = Turns::new();
    turns.hand(200, 1, &Futex);
    assert_eq!(turns.wait(200, 1, &Futex, NOBODY_DIES), Waited::Stopped);
}

/// A file without a name, so long and with these seals.
fn memory(length: u64, seals: libc::c_int) -> File {
    // SAFETY: the name ends with NUL; the descriptor is new, and then the file's alone.
    let file = unsafe {
        File::from_raw_fd(libc::memfd_create(c"memory".as_ptr(), libc::MFD_CLOEXEC | libc::MFD_ALLOW_SEALING))
    };
    file.set_len(length).unwrap();
    // SAFETY: a descriptor and numbers.
    assert_eq!(unsafe { libc::fcntl(file.as_raw_fd(), libc::F_ADD_SEALS, seals) }, 0);
    file
}

#[test]
fn nobody_can_cut_the_page() {
    let page = TurnPage::new().unwrap();
    let file = File::from(page.as_fd().try_clone_to_owned().unwrap());
    let length = file.metadata().unwrap().len();
    for other in [0, length - 1, length + 1] {
        assert_eq!(file.set_len(other).unwrap_err().kind(), ErrorKind::PermissionDenied, "{other} bytes");
    }
    page.hand(0, 1, &Futex);
    assert_eq!(page.wait(0, 1, &Futex, NOBODY_DIES), Waited::Come);
}

#[test]
fn a_page_that_is_too_short_or_may_become_so_is_refused() {
    let length = size_of::<Turns>() as u64;
    let refused = |file: File| TurnPage::of(file.into()).unwrap_err().to_string();
    assert_eq!(refused(memory(length - 1, libc::F_SEAL_SHRINK)), "the turn page is too short");
    let unsealed = "the turn page is not sealed against shrinking";
    assert_eq!(refused(memory(length, 0)), unsealed);
    assert_eq!(refused(memory(length, libc::F_SEAL_GROW)), unsealed);
    assert!(TurnPage::of(File::open("/dev/null").unwrap().into()).is_err(), "no memory at all");
    TurnPage::of(memory(length, libc::F_SEAL_SHRINK).into()).unwrap();
}

#[test]
fn a_pipe_whose_writer_is_gone_has_hung_up() {
    let (reader, writer) = std::io::pipe().unwrap();
    assert!(!has_hung_up(reader.as_fd()));
    drop(writer);
    assert!(has_hung_up(reader.as_fd()));
}

#[test]
fn a_later_number_will_do_and_an_earlier_one_will_not() {
    let turns = Turns::new();
    turns.hand(0, 7, &Futex);
    assert_eq!(turns.wait(0, 5, &Futex, NOBODY_DIES), Waited::Come);
    assert_eq!(turns.wait(0, 7, &Futex, NOBODY_DIES), Waited::Come);
    assert_eq!(turns.wait(0, 8, &Futex, || true), Waited::Alone);
}

#[test]
fn a_number_that_is_shown_late_takes_none_back() {
    let turns = Turns::new();
    turns.hand(0, 7, &Futex);
    turns.hand(0, 5, &Futex);
    assert_eq!(turns.wait(0, 7, &Futex, || true), Waited::Come);
}

#[test]
fn a_page_that_begins_again_waits_for_its_first_numbers() {
    let turns = Turns::new();
    turns.hand(0, STOP - 1, &Futex);
    assert_eq!(turns.wait(0, 1, &Futex, NOBODY_DIES), Waited::Come);
    turns.begin_again();
    assert_eq!(turns.wait(0, 1, &Futex, || true), Waited::Alone);
    turns.stop(&Futex);
    turns.begin_again();
    assert_eq!(turns.wait(0, 1, &Futex, NOBODY_DIES), Waited::Stopped, "the end is the end");
}
