//! What one arm costs: its level, its spread, its shape and its percentiles (docs/method.md).

pub mod autocovariance;
pub mod distribution;
pub mod histogram;
pub mod lag_weights;
mod long_run_variance;
pub mod mean_error;
mod memory;
pub mod modality;
pub mod moments;
pub mod outliers;
mod partition;
mod prewhitening;
pub mod quantile;
pub mod quantile_interval;
pub mod quantile_plot;
pub mod set_up;
pub mod stationarity;
pub mod summary;
mod surprise;
