//! What is said of machines of five kinds, from their files; and of machines whose files are missing or strange.

use evenhand_measure::platform::{
    linux::{clock_source, describe},
    machine::Files,
};
use evenhand_trial::Environment;
use std::fs;
use std::path::PathBuf;

fn folder(name: &str) -> PathBuf {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(format!("{name}-{}", std::process::id()));
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).unwrap();
    folder
}

/// Lays out the files of a recorded machine.
fn machine(name: &str) -> Files {
    Files::below(laid_out(name, name))
}

fn laid_out(name: &str, to: &str) -> PathBuf {
    let recorded = format!("{}/tests/fixtures/machines/{name}.txt", env!("CARGO_MANIFEST_DIR"));
    let root = folder(to);
    let mut path = PathBuf::new();
    for line in fs::read_to_string(recorded).unwrap().lines() {
        if let Some(next) = line.strip_prefix("== ").and_then(|line| line.strip_suffix(" ==")) {
            path = root.join(next);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(&path, "").unwrap();
        } else {
            let text = fs::read_to_string(&path).unwrap() + &line.replace("\\0", "\0") + "\n";
            fs::write(&path, text).unwrap();
        }
    }
    root
}

fn some(text: &str) -> Option<String> {
    Some(text.to_owned())
}

#[test]
fn an_intel_laptop() {
    let files = machine("intel-laptop");
    let Environment { cpu, .. } = describe(&files);
    assert_eq!(cpu.model, some("11th Gen Intel(R) Core(TM) i5-1135G7 @ 2.40GHz"));
    assert_eq!((cpu.logical, cpu.cores, cpu.smt), (Some(4), Some(2), Some(true)));
    assert_eq!((cpu.governor, cpu.turbo), (some("powersave"), Some(true)));
    assert_eq!((cpu.mhz, cpu.isolated), (Some(2400.0), vec![]));
    let said = describe(&files);
    assert_eq!((said.host, said.system), (some("laptop"), some("Ubuntu 24.04 LTS")));
    assert_eq!(said.kernel, some("Linux 6.8.0-31-generic"));
    assert_eq!(said.memory_bytes, Some(16_106_128 * 1024));
    assert_eq!((said.aslr, said.virtualisation), (Some(true), some("none")));
    assert_eq!((said.steal_share, said.load_average), (Some(0.0), Some([0.52, 0.61, 0.70])));
    assert!(said.pinned_to.is_empty());
    assert_eq!(clock_source(&files), "CLOCK_MONOTONIC (tsc)");
}

#[test]
fn an_amd_server_with_an_isolated_processor() {
    let files = machine("amd-server");
    let said = describe(&files);
    assert_eq!(said.cpu.model, some("AMD EPYC 7763 64-Core Processor"));
    assert_eq!((said.cpu.logical, said.cpu.cores, said.cpu.smt), (Some(2), Some(2), Some(false)));
    assert_eq!((said.cpu.governor, said.cpu.turbo), (some("performance"), Some(false)));
    assert_eq!((said.cpu.mhz, said.cpu.isolated), (Some(2445.405), vec![1]));
    assert_eq!(said.pinned_to, [1], "the affinity of the thread, not of the process");
    assert_eq!(said.aslr, Some(false), "this process asked for no random layout");
    assert_eq!(said.system, some("Debian GNU/Linux 12 (bookworm)"));
    assert_eq!((said.virtualisation, said.steal_share), (some("none"), None));
    assert_eq!(clock_source(&files), "CLOCK_MONOTONIC");
}

#[test]
fn an_arm_board_with_two_kinds_of_cores() {
    let files = machine("arm-board");
    let said = describe(&files);
    assert_eq!(said.cpu.model, some("Cortex-A55 + Cortex-A76"));
    assert_eq!((said.cpu.logical, said.cpu.cores, said.cpu.smt), (Some(3), Some(3), Some(false)));
    assert_eq!((said.cpu.governor, said.cpu.turbo), (some("performance, schedutil"), None));
    assert_eq!(said.cpu.mhz, Some(1800.0));
    assert!(said.pinned_to.is_empty(), "processors that do not exist may be allowed, too");
    assert_eq!((said.aslr, said.virtualisation, said.system), (Some(false), None, None));
    assert_eq!(clock_source(&files), "CLOCK_MONOTONIC (arch_sys_counter)");
}

#[test]
fn a_container_on_a_cloud() {
    let said = describe(&machine("container"));
    assert_eq!(said.virtualisation, some("oci on amazon"));
    assert_eq!((said.cpu.logical, said.cpu.cores, said.cpu.smt), (Some(3), None, None));
    assert_eq!(said.cpu.mhz, Some(2500.0), "the nominal frequency, from the name");
    assert_eq!(said.pinned_to, [1, 2]);
    assert_eq!(said.system, some("Alpine Linux v3.19"));
    assert!(!serde_json::to_string(&said).unwrap().contains("hunter2"));
}

#[test]
fn a_virtual_machine() {
    let files = machine("virtual-machine");
    let said = describe(&files);
    assert_eq!(said.virtualisation, some("qemu"));
    assert_eq!(said.steal_share, Some(0.05));
    assert_eq!((said.cpu.logical, said.cpu.mhz), (Some(1), Some(2294.608)));
    assert_eq!(said.kernel, some("Linux 5.15.0-105-generic"));
    assert_eq!(clock_source(&files), "CLOCK_MONOTONIC (kvm-clock)");
}

#[test]
fn without_files_nothing_is_said() {
    assert_eq!(describe(&Files::below("/nowhere/at/all")), Environment::default());
    assert_eq!(describe(&Files::below(folder("empty"))), Environment::default());
}

#[test]
fn strange_files_say_nothing_and_harm_nothing() {
    let (root, strange) = (laid_out("intel-laptop", "sound"), folder("strange"));
    let mut folders = vec![root.clone()];
    while let Some(at) = folders.pop() {
        for entry in fs::read_dir(&at).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
            } else {
                let to = strange.join(path.strip_prefix(&root).unwrap());
                fs::create_dir_all(to.parent().unwrap()).unwrap();
                fs::write(to, b"\xff\xfe\x00: \xc3\x28\n99999999999999999999-1,,-\n=:\n").unwrap();
            }
        }
    }
    let said = describe(&Files::below(&strange));
    assert_eq!((said.memory_bytes, said.load_average, said.steal_share, said.aslr), (None, None, None, None));
    assert_eq!((said.cpu.logical, said.cpu.model, said.cpu.mhz), (None, None, None));
    assert!(said.cpu.isolated.is_empty() && said.pinned_to.is_empty());
    assert_eq!(describe(&Files::below(&root)).host, some("laptop"));
    // Folders where files are expected.
    let folders = folder("folders");
    fs::create_dir_all(folders.join("proc/cpuinfo")).unwrap();
    fs::create_dir_all(folders.join("etc/os-release")).unwrap();
    assert_eq!(describe(&Files::below(&folders)), Environment::default());
}
