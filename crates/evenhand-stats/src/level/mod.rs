//! (being written)
pub mod autocovariance;
mod long_run_variance;
pub mod mean_error;
pub mod modality;
mod prewhitening;
pub mod stationarity;
