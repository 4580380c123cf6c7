//! Writes the declarations from include/ccd.h, and says where the library is: in the checkout's build/, as `make lib` leaves it.

use std::{env, fs, path::Path, process::Command};

fn main() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let out = Path::new(&env::var("OUT_DIR").unwrap()).join("abi.rs");
    let abi = Command::new("go").args(["run", "./interface", "rust"]).current_dir(&root).output().expect("Go is needed");
    assert!(abi.status.success(), "{}", String::from_utf8_lossy(&abi.stderr));
    fs::write(out, abi.stdout).unwrap();
    let build =
        env::var("CCD_LIB_DIR").map(Into::into).unwrap_or_else(|_| root.join("build").canonicalize().expect("run make lib"));
    println!("cargo:rustc-link-search=native={}", build.display());
    println!("cargo:rustc-link-lib=dylib=ccd-toi");
    println!("cargo:rustc-link-arg=-Wl,-rpath,{}", build.display());
    println!("cargo:rerun-if-changed={}", root.join("include/ccd.h").display());
    println!("cargo:rerun-if-env-changed=CCD_LIB_DIR");
}
