//! Texts of the kernel: what they say, and that any other text says nothing and harms nothing.

use evenhand_measure::files::virtualisation::{Signs, name};
use evenhand_measure::files::{cpu, system};
use proptest::prelude::*;

#[test]
fn lists_of_processors() {
    for (text, wanted) in [
        ("", Some(vec![])),
        ("\n", Some(vec![])),
        ("0", Some(vec![0])),
        ("0-3,8\n", Some(vec![0, 1, 2, 3, 8])),
        ("8,0-1,1", Some(vec![0, 1, 8])),
        ("3-1", None),
        ("-1", None),
        ("a", None),
        ("0-4294967295", None),
        ("0-65536", None),
        ("1-2-3", None),
    ] {
        assert_eq!(cpu::list(text), wanted, "{text}");
    }
    assert_eq!(cpu::list("0-65535").unwrap().len(), 65_536);
    assert_eq!(cpu::allowed("Name:\tx\nCpus_allowed:\tff\nCpus_allowed_list:\t2-3\n"), Some(vec![2, 3]));
    assert_eq!(cpu::allowed("Name:\tx\n"), None);
}

#[test]
fn names_and_frequencies_of_processors() {
    let model = |text: &str| cpu::info(text).model;
    assert_eq!(model("model name\t: A   B \n").as_deref(), Some("A B"));
    assert_eq!(
        model("processor : 0\ncpu\t\t: POWER9, altivec\nclock\t\t: 3000.000000MHz\n").as_deref(),
        Some("POWER9, altivec")
    );
    assert_eq!(cpu::info("clock\t\t: 3000.000000MHz\n").mhz, Some(3000.0));
    assert_eq!(model("hart : 0\nuarch : sifive,u74-mc\n").as_deref(), Some("sifive,u74-mc"));
    assert_eq!(
        model("CPU implementer : 0x61\nCPU part : 0x022\n").as_deref(),
        Some("Arm implementer 0x61 part 0x022")
    );
    assert_eq!(model("model name\t:\n"), None);
    assert_eq!(cpu::info(""), cpu::Info::default());
    for (text, wanted) in [
        ("Intel(R) Xeon(R) CPU E5-2680 v4 @ 2.40GHz", Some(2400.0)),
        ("Intel(R) Xeon(R) CPU @ 2.60GHz", Some(2600.0)),
        ("x @ 800MHz", Some(800.0)),
        ("AMD EPYC", None),
        ("x @ GHz", None),
        ("x @ -1GHz", None),
        ("x @ 0GHz", None),
    ] {
        assert_eq!(cpu::nominal_mhz(text), wanted, "{text}");
    }
    assert_eq!(cpu::info("flags : fpu hypervisors\n").guest, Some(false));
    assert_eq!(cpu::info("flags : fpu hypervisor\n").guest, Some(true));
}

#[test]
fn names_of_systems() {
    for (text, wanted) in [
        ("PRETTY_NAME=\"A \\\"quoted\\\" name\"\n", Some("A \"quoted\" name")),
        ("# x\n  PRETTY_NAME='Plain'\n", Some("Plain")),
        ("NAME=Arch\n", Some("Arch")),
        ("NAME=Fedora\nVERSION=\"40 (x)\"\n", Some("Fedora 40 (x)")),
        ("PRETTY_NAME=\"\"\nNAME=Void\n", Some("Void")),
        ("PRETTY_NAME=\"open\n", Some("open")),
        ("ID=x\n", None),
    ] {
        assert_eq!(system::os_name(text).as_deref(), wanted, "{text}");
    }
}

#[test]
fn memory_load_and_steal() {
    assert_eq!(system::memory_bytes("MemFree: 1 kB\nMemTotal:       16 kB\n"), Some(16_384));
    assert_eq!(system::memory_bytes("MemTotal: 16\n"), None);
    assert_eq!(system::memory_bytes("MemTotal: 18446744073709551615 kB\n"), None);
    assert_eq!(system::load_average("0.1 0.2 0.3 1/2 3"), Some([0.1, 0.2, 0.3]));
    for text in ["", "0.1 0.2", "0.1 x 0.3", "0.1 -1 0.3", "0.1 inf 0.3", "NaN 0 0"] {
        assert_eq!(system::load_average(text), None, "{text}");
    }
    assert_eq!(system::steal_share("cpu  1 1 1 1 1 1 1 1 5 5\ncpu0 9\n"), Some(0.125));
    for text in ["", "cpu  1 1 1 1", "cpu  0 0 0 0 0 0 0 0", "cpu  1 1 1 1 1 1 1 -1", "cpu0 1 1 1 1 1 1 1 1"]
    {
        assert_eq!(system::steal_share(text), None, "{text}");
    }
}

#[test]
fn the_size_of_a_page() {
    let vector = |words: &[usize]| words.iter().flat_map(|word| word.to_ne_bytes()).collect::<Vec<u8>>();
    assert_eq!(system::page_bytes(&vector(&[16, 6, 6, 4096, 0, 0])), Some(4096));
    assert_eq!(system::page_bytes(&vector(&[6, 65536])), Some(65536));
    assert_eq!(system::page_bytes(&vector(&[6, 4097])), None);
    assert_eq!(system::page_bytes(&vector(&[6])), None);
    assert_eq!(system::page_bytes(&vector(&[4, 6, 0, 0])), None);
}

#[test]
fn containers_and_hypervisors() {
    let dmi = |names: &[&str]| names.iter().map(|name| (*name).to_owned()).collect::<Vec<_>>();
    let guest = |names: &[&str]| Signs { guest: Some(true), dmi: dmi(names), ..Signs::default() };
    let some = |text: &str| Some(text.to_owned());
    let group = |text: &str| Signs { cgroups: text.to_owned(), ..Signs::default() };
    for (signs, wanted) in [
        (Signs::default(), None),
        (Signs { guest: Some(false), ..Signs::default() }, some("none")),
        (
            Signs { guest: Some(false), dmi: dmi(&["Amazon EC2", "m5.metal"]), ..Signs::default() },
            some("none"),
        ),
        (guest(&[]), some("vm")),
        (guest(&["QEMU"]), some("qemu")),
        (guest(&["VMware, Inc."]), some("vmware")),
        (guest(&["innotek GmbH", "VirtualBox"]), some("oracle")),
        (guest(&["Microsoft Corporation", "Virtual Machine"]), some("microsoft")),
        (guest(&["Microsoft Corporation", "Surface Laptop"]), some("vm")),
        (guest(&["Google", "Google Compute Engine"]), some("google")),
        (Signs { clock_sources: some("kvm-clock tsc"), ..guest(&[]) }, some("kvm")),
        (Signs { hypervisor_type: some("xen"), ..Signs::default() }, some("xen")),
        (Signs { dmi: dmi(&["Ampere", "Mt. Jade"]), ..Signs::default() }, some("none")),
        (Signs { dmi: dmi(&["Amazon EC2", "m7g.large"]), ..Signs::default() }, some("amazon")),
        (Signs { dmi: dmi(&["Amazon EC2", "m7g.metal"]), ..Signs::default() }, some("none")),
        (Signs { device_tree: some("linux,kvm"), ..Signs::default() }, some("kvm")),
        (Signs { device_tree: some("other"), ..Signs::default() }, some("vm")),
        (Signs { docker_mark: true, ..Signs::default() }, some("docker")),
        (Signs { docker_mark: true, ..guest(&["QEMU"]) }, some("docker on qemu")),
        (Signs { podman_mark: true, guest: Some(false), ..Signs::default() }, some("podman")),
        (Signs { manager: some("lxc"), docker_mark: true, ..Signs::default() }, some("lxc")),
        (Signs { kernel: some("5.15.133.1-microsoft-standard-WSL2"), ..guest(&[]) }, some("wsl on vm")),
        (group("0::/docker/0123"), some("docker")),
        (group("0::/kubepods/besteffort/x\n"), some("kubernetes")),
        (group("0::/user.slice/user-1000.slice"), None),
        (group("0::/"), None),
    ] {
        assert_eq!(name(&signs), wanted, "{signs:?}");
    }
}

proptest! {
    #[test]
    fn any_text_can_be_read(text in any::<String>(), bytes in any::<Vec<u8>>(), line in "[a-zA-Z_ :=\"'@0-9.,\n-]{0,80}") {
        for text in [text.as_str(), line.as_str()] {
            cpu::info(text);
            cpu::list(text);
            cpu::allowed(text);
            cpu::nominal_mhz(text);
            system::os_name(text);
            system::os_name(&format!("PRETTY_NAME={text}"));
            system::memory_bytes(&format!("MemTotal:{text}"));
            system::load_average(text);
            let share = system::steal_share(&format!("cpu {text}"));
            prop_assert!(share.is_none_or(|share| (0.0..=1.0).contains(&share)));
        }
        system::page_bytes(&bytes);
    }
}
