//! Reads the vectors that the rank and mean tests share.

use evenhand_stats::unpaired::rank_tests::Alternative;
use serde_json::Value;

pub(crate) fn alternative(name: &str) -> Alternative {
    match name {
        "greater" | "Greater" => Alternative::Greater,
        "less" | "Less" => Alternative::Less,
        _ => Alternative::TwoSided,
    }
}

pub(crate) fn series(values: &Value) -> Vec<f64> {
    values.as_array().unwrap().iter().map(|v| v.as_f64().unwrap()).collect()
}

pub(crate) fn fixture(name: &str) -> Value {
    let path = format!("{}/tests/fixtures/{name}", env!("CARGO_MANIFEST_DIR"));
    serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap()
}
