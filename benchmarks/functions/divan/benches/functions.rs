fn main() {
    divan::main();
}

#[divan::bench]
fn nothing() {
    work::nothing();
}

#[divan::bench]
fn ns5() -> u64 {
    work::ns5()
}

#[divan::bench]
fn us1() -> u64 {
    work::us1()
}

#[divan::bench]
fn us150() -> u64 {
    work::us150()
}
