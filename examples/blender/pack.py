"""Pack the add-on and a wheel of ccd into one file that Blender 4.2 or newer installs.

python pack.py WHEEL FILE.zip
"""

import argparse
import zipfile
from pathlib import Path

SOURCE = Path(__file__).parent / "ccd_blender"


def pack(wheel, target):
    """Write the archive: the add-on's files, the wheel, and a manifest that names it."""
    manifest = (SOURCE / "blender_manifest.toml").read_text() + f'wheels = ["./wheels/{wheel.name}"]\n'
    with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("blender_manifest.toml", manifest)
        for file in sorted(SOURCE.glob("*.py")):
            archive.write(file, file.name)
        archive.write(wheel, f"wheels/{wheel.name}")


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("wheel", type=Path)
    parser.add_argument("target", type=Path)
    given = parser.parse_args()
    if given.wheel.suffix != ".whl" or not given.wheel.is_file():
        parser.error(f"{given.wheel} is no wheel: make wheel builds one in dist/")
    pack(given.wheel, given.target)
    print(f"{given.target}: install it in Blender with Edit > Preferences > Get Extensions > Install from Disk")


if __name__ == "__main__":
    main()
