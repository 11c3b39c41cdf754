//! A package has to have something beside its benchmarks.
