//! Which limits of a container are seen, in control groups of both versions?

use evenhand_measure::doctor::facts::Facts;
use evenhand_measure::doctor::findings;
use evenhand_measure::platform::groups::{Limits, limits};
use evenhand_measure::platform::{linux::describe, machine::Files};
use std::fs;
use std::path::PathBuf;

/// A machine with these files.
fn machine(name: &str, files: &[(&str, &str)]) -> Files {
    let root =
        PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(format!("groups-{name}-{}", std::process::id()));
    let _ = fs::remove_dir_all(&root);
    for (path, text) in files {
        let path = root.join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }
    Files::below(root)
}

#[test]
fn a_limit_of_a_group_above_holds_too() {
    let files = machine(
        "above",
        &[
            ("proc/self/cgroup", "0::/pods/pod1/main\n"),
            ("sys/fs/cgroup/pods/pod1/main/cpu.max", "max 100000\n"),
            ("sys/fs/cgroup/pods/pod1/main/cpu.stat", "usage_usec 9\nnr_periods 0\nnr_throttled 0\n"),
            ("sys/fs/cgroup/pods/pod1/main/memory.max", "max\n"),
            ("sys/fs/cgroup/pods/pod1/cpu.max", "50000 100000\n"),
            ("sys/fs/cgroup/pods/pod1/cpu.stat", "usage_usec 9\nnr_periods 40\nnr_throttled 17\n"),
            ("sys/fs/cgroup/pods/pod1/memory.max", "536870912\n"),
            ("sys/fs/cgroup/pods/cpu.max", "400000 100000\n"),
            ("sys/fs/cgroup/pods/memory.max", "8589934592\n"),
        ],
    );
    let found =
        Limits { has_groups: true, processors: Some(0.5), stopped: Some(17), memory_bytes: Some(512 << 20) };
    assert_eq!(limits(&files), found);
    let recorded = describe(&files);
    assert_eq!((recorded.cpu.limit, recorded.memory_limit_bytes), (Some(0.5), Some(512 << 20)));
    let said = findings(&Facts::of(&files));
    let limit = said.iter().find(|finding| finding.code == "limit").unwrap();
    assert_eq!(limit.state, "CPU time limited to 0.50 CPUs, stopped 17 times");
}

#[test]
fn the_first_version_has_a_tree_for_each_controller() {
    let groups = "5:memory:/docker/abc\n4:cpu,cpuacct:/docker/abc\n1:name=systemd:/docker/abc\n";
    let on_host = machine(
        "first-on-host",
        &[
            ("proc/self/cgroup", groups),
            ("sys/fs/cgroup/cpu/docker/abc/cpu.cfs_quota_us", "150000\n"),
            ("sys/fs/cgroup/cpu/docker/abc/cpu.cfs_period_us", "100000\n"),
            ("sys/fs/cgroup/cpu/docker/abc/cpu.stat", "nr_periods 4\nnr_throttled 3\nthrottled_time 9\n"),
            ("sys/fs/cgroup/cpu/cpu.cfs_quota_us", "-1\n"),
            ("sys/fs/cgroup/cpu/cpu.cfs_period_us", "100000\n"),
            ("sys/fs/cgroup/memory/docker/abc/memory.limit_in_bytes", "1073741824\n"),
            ("sys/fs/cgroup/memory/memory.limit_in_bytes", "9223372036854771712\n"),
        ],
    );
    let found =
        Limits { has_groups: true, processors: Some(1.5), stopped: Some(3), memory_bytes: Some(1 << 30) };
    assert_eq!(limits(&on_host), found);
    // Inside the container its files are at the root, and its name is still that of the host.
    let inside = machine(
        "first-inside",
        &[
            ("proc/self/cgroup", groups),
            ("sys/fs/cgroup/cpu/cpu.cfs_quota_us", "50000\n"),
            ("sys/fs/cgroup/cpu/cpu.cfs_period_us", "100000\n"),
            ("sys/fs/cgroup/memory/memory.limit_in_bytes", "9223372036854771712\n"),
        ],
    );
    let found = Limits { processors: Some(0.5), ..Limits::default() };
    assert_eq!(limits(&inside), found);
}

#[test]
fn what_cannot_be_read_limits_nothing() {
    for (name, groups, quota) in [
        ("none", "", "max 100000"),
        ("outside", "0::/../../other", "0 0"),
        ("strange", "::\n7\n0::\n:::::/", "much of it"),
        ("negative", "0::/", "-1 100000"),
    ] {
        let files = machine(
            name,
            &[
                ("proc/self/cgroup", groups),
                ("sys/fs/cgroup/cpu.max", quota),
                ("other/cpu.max", "50000 100000"),
            ],
        );
        assert_eq!(limits(&files), Limits::default(), "{name}");
    }
    assert_eq!(limits(&Files::below("/nowhere/at/all")), Limits::default());
}
