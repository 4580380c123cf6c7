//! Provides the declarations of the C interface, and says where the library is: see README.md.

use std::{
    env, fs,
    path::{Path, PathBuf},
    process::Command,
};

fn main() {
    let here = PathBuf::from(env::var("CARGO_MANIFEST_DIR").unwrap());
    let out = PathBuf::from(env::var("OUT_DIR").unwrap());
    let checkout = here
        .join("../..")
        .canonicalize()
        .ok()
        .filter(|root| root.join("interface").is_dir() && root.join("include/ccd.h").is_file());

    // The package has the declarations; in a checkout they are made of the header.
    let packaged = here.join("src/abi.rs");
    if packaged.is_file() {
        fs::copy(packaged, out.join("abi.rs")).unwrap();
    } else {
        let root = checkout.as_ref().expect("neither src/abi.rs nor the checkout is there");
        fs::write(out.join("abi.rs"), run(Command::new("go").args(["run", "./interface", "rust"]).current_dir(root))).unwrap();
        println!("cargo:rerun-if-changed={}", root.join("include/ccd.h").display());
    }

    // A dependency cannot set the run path of programs. So what is built against a checkout has the library in itself: it runs anywhere.
    println!("cargo:rerun-if-env-changed=CCD_LIB_DIR");
    let target = |name: &str| env::var(format!("CARGO_CFG_TARGET_{name}")).unwrap_or_default();
    let static_here = checkout.is_some() && target("OS") == "linux" && target("ENV") == "gnu";
    let library = match (env::var_os("CCD_LIB_DIR"), &checkout) {
        (Some(folder), _) => PathBuf::from(folder),
        (None, _) if static_here || env::var_os("CARGO_FEATURE_BUNDLED").is_some() => {
            return bundled(&here, checkout.as_deref(), &out);
        }
        (None, Some(root)) => root.join("build").canonicalize().expect("run make lib, or set CCD_LIB_DIR"),
        (None, None) => installed(),
    };
    println!("cargo:rustc-link-search=native={}", library.display());
    println!("cargo:rustc-link-lib=dylib=ccd-toi");
    println!("cargo:rustc-link-arg=-Wl,-rpath,{}", library.display());
}

/// Builds the static archive from the sources in the package, or in the checkout.
fn bundled(here: &Path, checkout: Option<&Path>, out: &Path) {
    let packed = here.join("libccd");
    let sources = if packed.is_dir() { packed.as_path() } else { checkout.expect("libccd/ is not in the package") };
    run(Command::new("sh").arg(sources.join("capi/build.sh")).arg(out).arg("static"));
    println!("cargo:rustc-link-search=native={}", out.display());
    println!("cargo:rustc-link-lib=static=ccd-toi");
    for library in ["pthread", "dl"] {
        println!("cargo:rustc-link-lib=dylib={}", library);
    }
    println!("cargo:rerun-if-changed={}", sources.join("capi").display());
    println!("cargo:rerun-if-changed={}", sources.join("core").display());
}

/// The folder of the installed library, from pkg-config.
fn installed() -> PathBuf {
    let found = Command::new("pkg-config").args(["--variable=libdir", "ccd-toi"]).output();
    let why = match found {
        Ok(result) if result.status.success() => {
            return PathBuf::from(String::from_utf8(result.stdout).unwrap().trim());
        }
        Ok(_) => "pkg-config does not find ccd-toi".to_string(),
        Err(error) => format!("pkg-config cannot be run: {error}"),
    };
    eprintln!("ccd-toi: the library is not installed ({why})");
    eprintln!("  set CCD_LIB_DIR to the folder of libccd-toi.so,");
    eprintln!("  or PKG_CONFIG_PATH to the folder of ccd-toi.pc,");
    eprintln!("  or switch on the feature `bundled`, which builds the library with Go 1.26");
    std::process::exit(1)
}

/// Runs a command and returns what it prints.
fn run(command: &mut Command) -> Vec<u8> {
    let result = command.output().unwrap_or_else(|error| panic!("{:?} cannot be run: {}", command, error));
    assert!(result.status.success(), "{:?} failed: {}", command, String::from_utf8_lossy(&result.stderr));
    result.stdout
}
