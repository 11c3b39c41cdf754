//! (being written)
pub mod autocovariance;
mod long_run_variance;
pub mod mean_error;
mod prewhitening;
pub mod stationarity;
