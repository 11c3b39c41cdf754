//! How do others read our trials?
