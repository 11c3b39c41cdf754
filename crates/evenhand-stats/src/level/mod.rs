//! What one arm costs: its level, its spread, its shape and its percentiles (METHOD section 4).

pub mod distribution;
pub mod histogram;
pub mod moments;
pub mod outliers;
pub mod quantile;
pub mod quantile_interval;
pub mod summary;
