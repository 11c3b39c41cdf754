//! Foreign results in and trials out, against real files of the real tools. One program, because each test program
//! links everything anew.
#![expect(clippy::unwrap_used, clippy::panic, reason = "a test may stop at the first surprise")]

mod foreign;
mod trials;

mod export {
    mod csv;
    mod file;
    mod hyperfine;
    mod openmetrics;
    mod parquet;
    mod reimport;
    mod shared;
}

mod import {
    mod asv;
    mod bare_words;
    mod bencher;
    mod benchmark_dotnet;
    mod catch2;
    mod columns;
    mod criterion;
    mod draft;
    mod encoding;
    mod found;
    mod github_action_benchmark;
    mod go_bench;
    mod google_benchmark;
    mod hyperfine;
    mod jmh;
    mod julia;
    mod k6;
    mod latte;
    mod mitata;
    mod nanobench;
    mod oha;
    mod parquet;
    mod pyperf;
    mod pytest_benchmark;
    mod reading;
    mod recognising;
    mod refusals;
    mod tango;
    mod tinybench;
    mod unread;
    mod vegeta;
    mod vitest;

    use evenhand_formats::export;
    use evenhand_formats::import::{Format, import};
    use evenhand_trial::Trial;

    fn json(trial: &Trial) -> Vec<u8> {
        let mut bytes = Vec::new();
        export::export(trial, export::Format::Json, &mut bytes).unwrap();
        bytes
    }

    fn refusal(bytes: &[u8], format: Option<Format>) -> String {
        import(bytes, "some file", format).unwrap_err().to_string()
    }
}
