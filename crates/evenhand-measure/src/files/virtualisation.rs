//! Does this run in a container or on a hypervisor?
//!
//! The signs are those of `systemd-detect-virt` (<https://github.com/systemd/systemd/blob/main/src/basic/virt.c>), as
//! far as files show them: marks that container managers leave, control groups, the firmware's names of vendor and
//! product, the hypervisor flag of x86, and the clocks that hypervisors offer.
//!
//! Tests: `tests/files.rs`, `tests/machines.rs`.

/// What was found.
#[derive(Debug, Clone, Default)]
pub struct Signs {
    /// Whether there is /.dockerenv.
    pub docker_mark: bool,
    /// Whether there is /run/.containerenv.
    pub podman_mark: bool,
    /// What the container manager calls itself.
    pub manager: Option<String>,
    /// Control groups of the first and of this process.
    pub cgroups: String,
    /// /proc/version or the release of the kernel.
    pub kernel: Option<String>,
    /// Names of vendor, product, board and firmware.
    pub dmi: Vec<String>,
    /// /sys/hypervisor/type.
    pub hypervisor_type: Option<String>,
    /// What the device tree says the hypervisor is compatible with.
    pub device_tree: Option<String>,
    /// The clocks that the kernel could use.
    pub clock_sources: Option<String>,
    /// Whether the processor has the hypervisor flag.
    pub guest: Option<bool>,
}

/// Words of the firmware, and the hypervisor that they give away. The first that fits counts.
const FIRMWARE: [(&str, &str); 14] = [
    ("KVM", "kvm"),
    ("OpenStack", "kvm"),
    ("KubeVirt", "kvm"),
    ("Amazon EC2", "amazon"),
    ("QEMU", "qemu"),
    ("Bochs", "bochs"),
    ("VMware", "vmware"),
    ("VMW", "vmware"),
    ("innotek GmbH", "oracle"),
    ("VirtualBox", "oracle"),
    ("Xen", "xen"),
    ("Parallels", "parallels"),
    ("BHYVE", "bhyve"),
    ("Google Compute Engine", "google"),
];

/// Names of container managers in paths of control groups.
const GROUPS: [(&str, &str); 6] = [
    ("kubepods", "kubernetes"),
    ("docker", "docker"),
    ("libpod", "podman"),
    ("containerd", "containerd"),
    ("lxc", "lxc"),
    ("machine.slice/systemd-nspawn", "systemd-nspawn"),
];

/// `none` on bare metal, else the container, the hypervisor, or `container on hypervisor`. `None` if nothing tells.
pub fn name(signs: &Signs) -> Option<String> {
    match (container(signs), hypervisor(signs)) {
        (Some(container), Some("none") | None) => Some(container),
        (Some(container), Some(hypervisor)) => Some(format!("{container} on {hypervisor}")),
        (None, hypervisor) => hypervisor.map(str::to_owned),
    }
}

fn container(signs: &Signs) -> Option<String> {
    let kernel = signs.kernel.as_deref().unwrap_or_default();
    if kernel.contains("Microsoft") || kernel.contains("WSL") {
        return Some("wsl".to_owned());
    }
    if kernel.contains("gvisor") {
        return Some("gvisor".to_owned());
    }
    let group =
        || GROUPS.iter().find(|(word, _)| signs.cgroups.contains(word)).map(|(_, name)| (*name).to_owned());
    let mark = match (signs.podman_mark, signs.docker_mark) {
        (true, _) => Some("podman".to_owned()),
        (false, true) => Some("docker".to_owned()),
        (false, false) => None,
    };
    signs.manager.clone().or(mark).or_else(group)
}

fn hypervisor(signs: &Signs) -> Option<&str> {
    if signs.hypervisor_type.as_deref() == Some("xen") {
        return Some("xen");
    }
    let by_firmware = firmware(&signs.dmi);
    // A cloud's machine without a hypervisor has the cloud's firmware, but not the flag.
    match signs.guest {
        Some(false) => Some("none"),
        Some(true) => Some(by_firmware.or_else(|| by_clock(signs)).unwrap_or("vm")),
        None if signs.device_tree.is_some() => Some(by_device_tree(signs)),
        None if is_metal(&signs.dmi) => Some("none"),
        None if by_firmware.is_some() => by_firmware,
        // The firmware names a maker of machines.
        None => (!signs.dmi.is_empty()).then_some("none"),
    }
}

fn is_metal(dmi: &[String]) -> bool {
    dmi.iter().any(|name| name.contains(".metal"))
}

fn firmware(dmi: &[String]) -> Option<&'static str> {
    let says = |word: &str| dmi.iter().any(|name| name.contains(word));
    if says("Microsoft Corporation") && says("Virtual Machine") {
        return Some("microsoft");
    }
    if says("Apple") && says("Virtualization") {
        return Some("apple");
    }
    FIRMWARE.iter().find(|(word, _)| says(word)).map(|(_, name)| *name)
}

fn by_clock(signs: &Signs) -> Option<&'static str> {
    let offered = signs.clock_sources.as_deref()?;
    let clocks = [("kvm-clock", "kvm"), ("hyperv", "microsoft"), ("xen", "xen")];
    clocks.iter().find(|(word, _)| offered.contains(word)).map(|(_, name)| *name)
}

fn by_device_tree(signs: &Signs) -> &str {
    match signs.device_tree.as_deref().unwrap_or_default() {
        tree if tree.contains("linux,kvm") => "kvm",
        tree if tree.contains("xen") => "xen",
        tree if tree.contains("vmware") => "vmware",
        _ => "vm",
    }
}
