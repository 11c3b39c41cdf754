//! How is a machine made busy? `md5sum` of endless zeros, as many processes as wanted, ended when the measurement is.

use std::process::{Child, Command, Stdio};

/// Processes that compute until this is dropped.
#[derive(Debug, Default)]
pub(crate) struct Hogs(Vec<Child>);

impl Hogs {
    /// As many as can be started.
    pub(crate) fn start(count: usize) -> Self {
        let mut md5sum = Command::new("md5sum");
        md5sum.arg("/dev/zero").stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
        Self((0..count).filter_map(|_| md5sum.spawn().ok()).collect())
    }

    /// How many there are.
    pub(crate) fn count(&self) -> usize {
        self.0.len()
    }
}

impl Drop for Hogs {
    fn drop(&mut self) {
        for hog in &mut self.0 {
            // One that has ended already is as good.
            let _ = hog.kill();
            let _ = hog.wait();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hogs_end_with_the_measurement() {
        let hogs = Hogs::start(2);
        let ids: Vec<u32> = hogs.0.iter().map(Child::id).collect();
        assert_eq!((ids.len(), hogs.count()), (2, 2));
        drop(hogs);
        assert!(ids.iter().all(|id| !std::path::Path::new(&format!("/proc/{id}")).exists()));
    }
}
