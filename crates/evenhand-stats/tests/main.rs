//! The tests of the statistics, one file for each question, in one program: a program for each would be linked for each.
#![expect(clippy::panic, clippy::unwrap_used, reason = "a test fails by panicking")]

mod at;
mod autocovariance;
mod bad_input;
mod clock_step;
mod confidence_sequence;
mod distribution;
mod e_process;
mod histogram;
mod lag_weights;
mod launches;
mod margins;
mod mean_and_tails;
mod mean_error;
mod modality;
mod moments;
mod outliers;
mod paired;
mod pairwise;
mod percentile;
mod position;
mod pragmatic;
mod quantile;
mod quantile_plot;
mod rank_tests;
mod scipy;
mod set_up;
mod shift_curve;
mod stationarity;
mod suite;
mod summary;
mod unpaired;
mod vectors;
mod verdict;
mod welch;
mod worth;
