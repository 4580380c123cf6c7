"""trial.py OUT: render the conda recipe, build it with rattler-build and run the package's tests, without conda-forge: this
machine's compiler, Go and Python stand in for the packages that the recipe needs.

That shows that the recipe is well formed, that its commands work in the folders of rattler-build, whose environments are
solved from what it names and nothing else, and that the package works where only that is installed. It does not show that
conda-forge's compilers and Pythons do as well.
"""

from __future__ import annotations

import platform
import subprocess
import sys
import tempfile
from pathlib import Path

from rattler_build import Package, PlatformConfig, RenderConfig, Stage0Recipe, VariantConfig

RECIPE = Path(__file__).resolve().parent / "recipe.yaml"
SERIES = f"{sys.version_info.major}.{sys.version_info.minor}"
SUBDIRS = {"x86_64": "linux-64", "aarch64": "linux-aarch64"}
LIBRARIES = ("pip", "hatchling", "pyelftools", "numpy")

# What conda-forge's own settings say of the variables of the recipe.
VARIANT = f'{{c_compiler: [gcc], c_stdlib: [sysroot], c_stdlib_version: ["2.17"], python: ["{SERIES}"]}}'


def rendered(subdir):
    """The recipe with all variables filled in, for a platform by conda's name."""
    config = RenderConfig(platform=PlatformConfig(target_platform=subdir))
    (one,) = Stage0Recipe.from_file(RECIPE).render(VariantConfig.from_yaml(VARIANT), config)
    return one


def stand_in(name, version, folder, out):
    """Put a package into the channel OUT that holds the files of the folder."""
    text = f"""
package: {{name: {name}, version: "{version}"}}
build:
  script: [cp -a "{folder}/." "$PREFIX"]
  dynamic_linking: {{binary_relocation: false}}
  prefix_detection: {{ignore: true}}
"""
    Stage0Recipe.from_yaml(text, recipe_dir=folder.parent / f"recipe-{name}").run_build(output_dir=out, channels=[])


def stand_ins(tmp, out, subdir):
    """All that the recipe needs: a Python that borrows this one's library, what pip installs, and empty compilers."""
    python = tmp / "python"
    subprocess.run([sys.executable, "-m", "venv", "--copies", "--without-pip", python], check=True)
    stand_in("python", SERIES, python, out)
    for name in LIBRARIES:
        packages = tmp / name / "lib" / f"python{SERIES}" / "site-packages"
        subprocess.run([sys.executable, "-m", "pip", "install", "-q", "--target", packages, name], check=True)
        stand_in(name, next(packages.glob(f"{name}-*.dist-info")).stem.split("-")[1], tmp / name, out)
    empty = tmp / "empty"
    empty.mkdir()
    go = subprocess.run(["go", "env", "GOVERSION"], capture_output=True, text=True, check=True).stdout
    for name, version in (("gcc", "12"), ("sysroot", "2.17"), ("go-cgo", go.strip().removeprefix("go"))):
        stand_in(f"{name}_{subdir}", version, empty, out)


def main(out):
    subdir = SUBDIRS[platform.machine()]
    out.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as tmp:
        stand_ins(Path(tmp), out, subdir)
    (path,) = rendered(subdir).run_build(output_dir=out, channels=[out.as_uri()]).packages
    package = Package.from_file(path)
    for result in package.run_tests(channel=[out.as_uri()]):
        if not result.success:
            sys.exit("\n".join(result.output))
    print(f"{path.name}: {len(package.files)} files, {package.test_count} tests pass; needs {', '.join(package.depends)}")


if __name__ == "__main__":
    main(Path(sys.argv[1]).resolve())
