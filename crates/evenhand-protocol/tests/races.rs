//! Does a turn that is handed on bring all with it that was done before? Two threads count in memory that nothing else guards: the
//! thread sanitizer (`make sanitize`) sees whether the page makes one see what the other wrote. A program without the usual
//! harness of tests, whose own channels the sanitizer would not understand; and over one mapping, because it knows memory by its address.

#![expect(unsafe_code, reason = "memory that only the turns guard is what is tested")]

#[cfg(target_os = "linux")]
fn main() {
    use evenhand_protocol::page::{Futex, TurnPage};
    use evenhand_protocol::turns::Waited;
    use std::cell::UnsafeCell;

    struct Unguarded(UnsafeCell<u64>);
    // SAFETY: whoever uses it has the turn, and nobody else has it then. That is the claim.
    unsafe impl Sync for Unguarded {}
    impl Unguarded {
        fn get(&self) -> *mut u64 {
            self.0.get()
        }
    }

    const TURNS: u32 = 20_000;
    /// The slots that show that a thread has ended.
    const END: u8 = 2;
    let Ok(page) = TurnPage::new() else { return eprintln!("this system gives no page") };
    let count = Unguarded(UnsafeCell::new(0));
    let play = |slot: u8| {
        for turn in (1..=TURNS).filter(|turn| turn % 2 == u32::from(slot)) {
            assert_eq!(page.wait(slot, turn, &Futex, || false), Waited::Come);
            // SAFETY: it is our turn.
            unsafe { *count.get() += 1 };
            page.hand(1 - slot, turn + 1, &Futex);
        }
        page.hand(END + slot, 1, &Futex);
    };
    std::thread::scope(|scope| {
        scope.spawn(|| play(0));
        scope.spawn(|| play(1));
        page.hand(1, 1, &Futex);
        for slot in [END, END + 1] {
            assert_eq!(page.wait(slot, 1, &Futex, || false), Waited::Come);
        }
        // SAFETY: both have shown that they have ended.
        assert_eq!(unsafe { *count.get() }, u64::from(TURNS));
    });
}

#[cfg(not(target_os = "linux"))]
fn main() {}
