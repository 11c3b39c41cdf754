//! What the doctor says of machines of several kinds; how small a difference shows, with an executor and a time that are
//! made up; and that this machine can be looked at.

#[path = "doctor/floor.rs"]
mod floor;
#[path = "doctor/load_floor.rs"]
mod load_floor;
#[path = "doctor/machines.rs"]
mod machines;
