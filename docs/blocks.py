"""Every block of code in every Markdown file of the repository is run, or is on a list that says why not.

python docs/blocks.py FOLDER [PAGE...]

C, C++, Go, JavaScript, Python and Rust blocks are whole programs, which must print what their comments say, but where a page
has a way of its own (`PAGES`): the tutorial is one program, what one migrates from is a diff, and some are fragments, which
get a context here. A guide's Python blocks are one program, without the blocks that need a package which is not installed,
because they import it, or because what they call wants it (`WANTED`). Its `bash` blocks run afterwards in the same folder,
and print what stands behind their lines. Its CMake and diffs are those of docs/install.md and docs/migrate.md. Commands for a
shell (`sh`) are those of `COMMANDS`. A block in `text`, or a directive of the site, such as `{toctree}`, is no code. Anything
else is an error: nobody runs it.
"""

from __future__ import annotations

import argparse
import functools
import importlib.util
import os
import re
import shutil
import subprocess
import symtable
import sys
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).resolve().parents[1]
FLAGS = ["-Wall", "-Wextra", "-Werror", f"-I{ROOT}/include", f"-I{ROOT}/bindings/cpp/include"]
LINK = [f"-L{ROOT}/build", "-lccd-toi", f"-Wl,-rpath,{ROOT}/build"]
FENCE = re.compile(r"^(?P<indent> *)(?P<fence>```+|~~~+)(?P<language>[^\n]*)\n(?P<code>.*?)^ *(?P=fence) *$", re.M | re.S)
PRINTS = re.compile(r"(?:[pP]rint|console\.log|println!).*(?://|/\*|#)\s*(.*?)\s*(?:\*/)?$")
NPM = ROOT / "build" / "js" / "package"

# What a page tells its reader to type, and what runs it here. `make check` and `make test` cannot run themselves.
COMMANDS = {
    "make demo": "make test runs examples/demo/run.sh; by hand on a bare system (docs/tried.md)",
    "make test": "it is what runs this",
    "make lib": "make test begins with it",
    ". .venv/bin/activate": "by hand (docs/tried.md); it puts .venv/bin first in PATH, as blocks of commands have it",
    "pip install -e bindings/python": "make lib does it",
    "make wheel": "bindings/python/tests/test_package.py builds wheel and sdist; make release runs it",
    "pip install dist/ccd_toi-*_x86_64.whl": "bindings/python/tests/test_package.py; by hand on a bare system (docs/tried.md)",
    "pip install dist/ccd_toi-*.tar.gz": "bindings/python/tests/test_package.py builds from the sdist; by hand (docs/tried.md)",
    "make install PREFIX=/usr/local": "capi/test/install.sh does what it does",
    "make deb": "make test-long does it",
    "sudo ldconfig": "by hand on a bare system (docs/tried.md)",
    "c++ -std=c++17 main.cpp $(pkg-config --cflags --libs ccd-toi)": "capi/test/install.sh",
    "c++ -std=c++17 main.cpp $(pkg-config --cflags --libs ccd-toi) -o mine": "capi/test/install.sh, but for the name",
    "export PKG_CONFIG_PATH=$HOME/ccd/lib/pkgconfig": "capi/test/install.sh sets it to its own folder",
    "c++ -std=c++17 main.cpp $(pkg-config --cflags --libs ccd-toi) -Wl,-rpath,$HOME/ccd/lib -o mine": "capi/test/install.sh",
    "c++ -std=c++17 main.cpp -lccd-toi": "capi/test/install.sh; by hand on a bare system (docs/tried.md)",
    "python examples/blender/pack.py dist/ccd_toi-*_x86_64.whl ccd_blender.zip": "bindings/python/tests/test_blender.py",
    "ccd step start.obj end.obj --json --all > report.json": "examples/blender/check.py, with the end as .npy",
    "go mod edit -require=ccd@v0.0.0 -replace=ccd=../libccd": "go_program does it",
    "go mod init mine": "go_program writes go.mod",
    "go run .": "go_program builds and runs it",
    "go mod tidy": "by hand: it needs the network; go_program copies go.sum",
    "make wasm": "packaging/wasm.sh; make test builds the same package",
    "ccd check part.3mf": "bindings/python/tests/test_films.py runs the like",
    "ccd audit walk.glb --animation Walk": "bindings/python/tests/test_films.py runs the like",
    "ccd step 'walk.glb[3]' 'walk.glb[4]' --animation Walk": "bindings/python/tests/test_films.py runs the like",
    "ccd view cloth.pc2 --mesh cloth.obj": "bindings/python/tests/test_films.py runs the like",
    "npm install ./dist/ccd-toi-0.1.0.tgz": "packaging/wasm.sh packs it; by hand (docs/tried.md)",
}

# Packages that calls want, without that a block imports them: what stands in the text, and the package. test_docs.py compares
# them with what the library's errors say to install.
WANTED = {
    r"\bjacobian\(|\"spline\"": "scipy",
    r"\bto_pandas\(": "pandas",
    r"\bto_trimesh\(": "trimesh",
    r"\bto_meshio\(": "meshio",
    r"\bto_pyvista\(": "pyvista",
    r"\bto_polyscope\(": "polyscope",
    r"\brobot\.read\(|\bccd robot\b": "yourdfpy",
    r"\brobot\.ompl\b": "ompl",
    r"\.dae\b": "collada",
    r"<mujoco\b": "mujoco",
    r"<sdf\b": "pydrake",
    r"\bread_(?:step|iges)\(": "OCP",
    r"\.parquet\b|\bto_parquet\(": "pyarrow",
    r"\bdask\.distributed\b": "distributed",
    r"\bRayExecutor\b": "ray",
    r"\bMPILeast\b": "mpi4py",
    r"\bccd\.torch\b": "torch",
    r"\bccd\.jax\b": "jax",
    r"--peer ipctk\b": "ipctk",
}

# What stands before a fragment that is no program.
CONTEXT = {
    "examples/ipc/README.md": """
        import numpy as np, ccd
        faces = [[0, 1, 2], [3, 4, 5]]
        x = np.array([[0, 0, 0], [1, 0, 0], [0, 1, 0], [0.2, 0.2, 1], [0.3, 0.2, 2], [0.2, 0.3, 2]], float)
        mesh, dx, d, reach = ccd.Mesh(faces=faces, vertices=6), -2 * (np.arange(6) > 2)[:, None] * [0, 0, 1], 1e-3, 1.5
        """,
    "examples/rigid/README.md": """
        import ccd
        from ccd.rigid import Body, Motion
        corner = [[0, 0, 0], [1, 0, 1], [-1, 1, 1], [-1, -1, 1]]
        bodies = [Body(corner, [[0, 1, 2], [0, 2, 3], [0, 3, 1], [1, 3, 2]])] * 2
        motions, t, dt = [Motion(), Motion(position=(0, 0, 3), velocity=(0, 0, -4))], 0, 1
        """,
    "examples/steps/README.md": """
        import numpy as np, ccd
        x = np.array([[0, 0, 0], [1, 0, 0], [0, 1, 0], [0.2, 0.2, 1], [0.3, 0.2, 1], [0.2, 0.3, 1]])
        mesh, moving, gap = ccd.Mesh(faces=[[0, 1, 2], [3, 4, 5]]), np.arange(6) > 2, 0.01
        y, inverse_mass = x - 2 * moving[:, None] * [0, 0, 1], moving.astype(float)
        """,
}
AFTER = {
    "examples/ipc/README.md": "assert len(near) and 0.49 < alpha < 0.5\n",
    "examples/rigid/README.md": "assert len(found) == 1\n",
    "examples/steps/README.md": "assert len(active) and tangents.shape[1:] == (2, 3) and all(mass > 0) and min(color) == 0\n",
}


class Block(NamedTuple):
    language: str
    code: str


def blocks(text: str) -> list[Block]:
    return [Block(m["language"].strip(), m["code"]) for m in FENCE.finditer(text)]


def run(command: list[str], **options: object) -> str:
    result = subprocess.run([str(word) for word in command], capture_output=True, text=True, **options)  # type: ignore[call-overload]
    if result.returncode:
        sys.exit(f"{' '.join(map(str, command))} failed:\n{result.stdout}{result.stderr}")
    return result.stdout


def printed(block: Block, base: Path) -> str:
    """Compiles a program and returns what it prints."""
    if block.language == "go":
        return go_program(block, base)
    if block.language == "js":
        return js_program(block, base)
    if block.language == "rust":
        return rust_program(block.code, base)
    source = base.with_suffix({"c": ".c", "cpp": ".cpp", "python": ".py"}[block.language])
    source.write_text(block.code)
    if block.language == "python":
        return run([sys.executable, source], cwd=base.parent)
    compiler = os.environ.get("CC", "cc") if block.language == "c" else os.environ.get("CXX", "c++")
    standard = "-std=c99" if block.language == "c" else "-std=c++17"
    run([compiler, standard, *FLAGS, source, "-o", base.with_suffix(""), *LINK])
    return run([base.with_suffix("").resolve()], cwd=base.parent)


def go_program(block: Block, base: Path) -> str:
    """Runs a Go program in a module of its own.

    It finds the library where it replaces the module ccd as docs/howto/go.md says. It is built in a workspace: there the
    packages are those that test-go compiled.
    """
    base.mkdir(exist_ok=True)
    (base / "main.go").write_text(block.code)
    (base / "go.mod").write_text("module mine\n\ngo 1.26\n")
    run(["go", "mod", "edit", "-require=ccd@v0.0.0", f"-replace=ccd={ROOT}"], cwd=base)
    shutil.copy(ROOT / "go.sum", base)
    environment = os.environ | {
        "GOPROXY": "off",
        "GOFLAGS": "-buildvcs=false -trimpath",
        "GOWORK": "off",
    }  # an earlier run left a workspace
    run(["go", "list", "-mod=mod", "-deps", "."], cwd=base, env=environment)
    (base / "go.work").write_text(f"go 1.26.0\n\nuse (\n\t.\n\t{ROOT}\n)\n")
    return run(["go", "run", "."], cwd=base, env=environment | {"GOWORK": str(base / "go.work")})


def js_program(block: Block, base: Path) -> str:
    """Runs a program in Node.js, which finds the package of packaging/wasm.sh."""
    modules = base.parent / "node_modules"
    modules.mkdir(exist_ok=True)
    if not (modules / "ccd-toi").is_symlink():
        (modules / "ccd-toi").symlink_to(NPM)
    base.with_suffix(".mjs").write_text(block.code)
    return run(["node", base.with_suffix(".mjs")])


def program(page: str, block: Block, base: Path) -> None:
    """A whole program, which prints what its comments say."""
    if block.language == "js" and (shutil.which("node") is None or not NPM.is_dir()):
        print(f"{page}: node is not installed, or make wasm has not built the package: the js program was not run")
        return
    if block.language == "rust" and not has_cargo():
        print(f"{page}: cargo is not installed: the rust program was not run")
        return
    expected = [m.group(1) for line in block.code.splitlines() if (m := PRINTS.search(line))]
    lines = printed(block, base).splitlines()
    if not expected or lines != expected:
        sys.exit(f"{page}: the {block.language} program prints {lines}, its comments say {expected}")
    print(f"{page}: the {block.language} program prints {', '.join(expected)}")


def programs(page: str, found: list[Block], folder: Path) -> None:
    for i, block in enumerate(found):
        program(page, block, folder / f"block{i}")


def story(page: str, found: list[Block], folder: Path) -> None:
    """A tutorial: all of its blocks are one program."""
    assert {block.language for block in found} == {"python"}, page
    program(page, Block("python", "\n".join(block.code for block in found)), folder / "story")


def fragments(page: str, found: list[Block], folder: Path) -> None:
    """Lines that are no program, in their context."""
    before = re.sub(r"^ {8}", "", CONTEXT[page], flags=re.M)
    for i, block in enumerate(found):
        assert block.language == "python", page
        printed(Block("python", before + block.code + AFTER[page]), folder / f"fragment{i}")
        print(f"{page}: the fragment runs in its context")


def guide(page: str, found: list[Block], folder: Path) -> None:
    """A guide: its Python blocks are one program, then its commands run; its blocks in other languages are whole programs."""
    python = possible(page, [block.code for block in found if block.language == "python"])
    if python:
        program(page, Block("python", "\n".join(python)), folder / "story")
    tried = {block.code for name in ("install", "migrate") for block in blocks((ROOT / f"docs/{name}.md").read_text("utf-8"))}
    for i, block in enumerate(found):
        if block.language == "bash":
            terminal(page, block.code, folder)
        elif block.language in ("c", "cpp", "go", "js", "rust") and block.code not in tried:
            program(page, block, folder / f"block{i}")
        elif block.language != "python":
            assert block.code in tried, f"{page}: its {block.language} is neither in docs/install.md nor in docs/migrate.md"


def possible(page: str, codes: list[str]) -> list[str]:
    """The blocks whose imports are installed and whose names come from blocks that run, with a line about each other one."""
    chosen: list[str] = []
    lost: set[str] = set()
    for code in codes:
        missing = lacking(code)
        bound, used = top_level(code)
        if missing:
            print(f"{page}: {missing[0]} is not installed (make peers): the block that needs it was not run")
            lost |= bound
        elif lost & used:
            print(f"{page}: the block that needs {min(lost & used)} of such a block was not run")
            lost |= bound
        else:
            lost -= bound
            chosen.append(code)
    return chosen


def lacking(code: str) -> list[str]:
    """The packages that a block imports, or that what it calls wants, and that are not installed."""
    names = re.findall(r"^(?:import|from) (\w+)", code, re.M)
    names += [package for call, package in WANTED.items() if re.search(call, code)]
    return [name for name in dict.fromkeys(names) if importlib.util.find_spec(name) is None]


def top_level(code: str) -> tuple[set[str], set[str]]:
    """The names that a block binds, and those that it reads from blocks before it."""
    table = symtable.symtable(code, "block", "exec")
    bound = {s.get_name() for s in table.get_symbols() if s.is_assigned() or s.is_imported()}
    used: set[str] = set()
    tables = [table]
    while tables:
        inner = tables.pop()
        used |= {s.get_name() for s in inner.get_symbols() if s.is_referenced() and (inner is table or s.is_global())}
        tables += inner.get_children()
    return bound, used - bound


def terminal(page: str, code: str, folder: Path) -> None:
    """What a person types, in the folder of the page's program; each line's comment is what it prints."""
    if missing := lacking(code):
        print(f"{page}: {missing[0]} is not installed (make peers): the commands that need it were not run")
        return
    expected = [text for line in code.splitlines() for command, hash_, text in [line.partition("  # ")] if hash_]
    path = os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]])
    result = subprocess.run(["bash", "-c", code], cwd=folder, env=os.environ | {"PATH": path}, capture_output=True, text=True)
    lines = result.stdout.splitlines()
    if not expected or lines != expected:
        sys.exit(f"{page}: the commands print {lines}{result.stderr}, their comments say {expected}")
    print(f"{page}: the commands print {', '.join(expected)}")


# ---- docs/install.md -------------------------------------------------------------------------------------------------------


def installation(page: str, found: list[Block], folder: Path) -> None:
    """Every CMakeLists.txt of the page builds the tutorial's C++ program, and every dependency for Rust a crate."""
    if shutil.which("cmake") is None:
        print(f"{page}: cmake is not installed (make tools): what it builds was not run")
        return
    tutorial = (ROOT / "docs/tutorials/first-step-cpp.md").read_text("utf-8")
    program = next(block.code for block in blocks(tutorial) if block.language == "cpp")
    prefix = package(folder.parent)
    for i, (language, code) in enumerate(found):
        mine = folder / f"mine{i}"
        shutil.rmtree(mine, ignore_errors=True)
        mine.mkdir()
        if language == "toml":
            crate(page, code, mine)
            continue
        assert language == "cmake", code
        (mine / "CMakeLists.txt").write_text(code)
        (mine / "main.cpp").write_text(program)
        if "add_subdirectory" in code:
            (mine / "libccd").symlink_to(ROOT)
        if "FetchContent" in code and subprocess.run(["git", "rev-parse"], cwd=ROOT, capture_output=True).returncode:
            print(f"{page}: not a git checkout: FetchContent was not tried")
            continue
        if "FetchContent" in code:
            run(["bash", "-c", 'git ls-files | tar czf "$0/ccd-toi.tar.gz" --transform s,^,ccd-toi/, -T -', mine], cwd=ROOT)
        run(["cmake", "-S", mine, "-B", mine / "build", f"-DCMAKE_PREFIX_PATH={prefix}"])
        run(["cmake", "--build", mine / "build"])
        said = [m.group(1) for line in program.splitlines() if (m := PRINTS.search(line))]
        assert run([mine / "build" / "mine"]).splitlines() == said
        way = next(word for word in ("find_package", "add_subdirectory", "FetchContent") if word in code)
        print(f"{page}: with {way} the front page's program builds and runs")


def crate(page: str, code: str, mine: Path) -> None:
    """A crate that depends on the binding for Rust as the page says."""
    if not has_cargo():
        print(f"{page}: cargo is not installed: the crate was not built")
        return
    assert rust_program('fn main() { println!("{}", ccd::version()); }\n', mine, code).strip().isdigit()
    print(f"{page}: a crate builds with the dependency, and runs")


@functools.cache
def has_cargo() -> bool:
    return shutil.which("cargo") is not None and not subprocess.run(["cargo", "--version"], capture_output=True).returncode


def rust_program(code: str, base: Path, dependency: str = "") -> str:
    """Runs a program of a crate of its own beside a checkout, without an environment: it must find the library."""
    base = base.parent.parent / "crate"  # one for all programs: Cargo knows the library by where it is, and builds it once
    own = base / "own"
    (own / "src").mkdir(parents=True, exist_ok=True)
    if not (base / "libccd").is_symlink():
        (base / "libccd").symlink_to(ROOT)
    dependency = dependency or '[dependencies]\nccd-toi = { path = "../libccd/bindings/rust" }\n'
    (own / "Cargo.toml").write_text('[package]\nname = "mine"\nversion = "0.1.0"\nedition = "2021"\n' + dependency)
    (own / "src" / "main.rs").write_text(code)
    target = ROOT / "build" / "blocks-rust"
    environment = {name: value for name, value in os.environ.items() if name not in ("CCD_LIB_DIR", "LD_LIBRARY_PATH")}
    run(["cargo", "build", "--offline", "-q"], cwd=own, env=environment | {"CARGO_TARGET_DIR": str(target)})
    return run([target / "debug" / "mine"], env={})


# ---- docs/migrate.md -------------------------------------------------------------------------------------------------------


def sides(diff: str) -> tuple[list[str], list[str]]:
    """What a diff takes away and what it puts there."""
    lines = diff.splitlines()
    assert all(line[:1] in ("-", "+") for line in lines), diff
    return [line[1:] for line in lines if line[0] == "-"], [line[1:] for line in lines if line[0] == "+"]


@functools.cache
def package(folder: Path) -> Path:
    """The library, installed under a prefix as anybody would: once for all pages."""
    prefix = folder / "prefix"
    run(["cmake", "-S", ROOT, "-B", folder / "cmake", "-DCCD_BUILD_TESTS=OFF", "-DCMAKE_BUILD_TYPE=Release"])
    run(["cmake", "--build", folder / "cmake"])
    run(["cmake", "--install", folder / "cmake", "--prefix", prefix])
    return prefix


def cmake(page: str, name: str, found: list[str], prefix: Path, folder: Path) -> None:
    """A project whose CMakeLists.txt has the lines of the page builds the program of compat/tests/consumer, and that runs."""
    project = folder / name
    project.mkdir(exist_ok=True)
    source = ROOT / "bindings/cpp/compat/tests/consumer" / f"{name}.cpp"
    lines = ["cmake_minimum_required(VERSION 3.20)", "project(mine LANGUAGES CXX)", f'add_executable(mine "{source}")', *found]
    (project / "CMakeLists.txt").write_text("\n".join(lines) + "\n")
    run(["cmake", "-S", project, "-B", project / "build", f"-DCMAKE_PREFIX_PATH={prefix}"])
    run(["cmake", "--build", project / "build"])
    run([project / "build" / "mine"])
    print(f"{page}: a project links ccd::compat_{name} as the page says, builds and runs")


def swapped(page: str, code: str, first: list[str], prefix: Path, folder: Path) -> None:
    """A later block of CMake: other names for our targets, or an archive of the sources and a library that was built before."""
    if "ALIAS" in code:
        names = re.findall(r"add_library\((\S+) ALIAS ccd::compat_(\w+)\)", code)
        found = [line for line in first if line.startswith("find_package")]
        for name, target in names:
            (folder / "alias").mkdir(exist_ok=True)
            cmake(page, target, [*found, code, f"target_link_libraries(mine PRIVATE {name})"], prefix, folder / "alias")
        return
    if subprocess.run(["git", "rev-parse"], cwd=ROOT, capture_output=True).returncode:
        print(f"{page}: not a git checkout: FetchContent was not tried")
        return
    project = folder / "fetched" / "tight_inclusion"
    shutil.rmtree(project, ignore_errors=True)
    project.mkdir(parents=True)
    run(["bash", "-c", 'git ls-files | tar czf "$0/ccd-toi.tar.gz" --transform s,^,ccd-toi/, -T -', project], cwd=ROOT)
    wheel = re.search(r"\w+-[\w.-]+\.whl", code)[0]
    with zipfile.ZipFile(project / wheel, "w") as file:
        file.write(prefix / "lib" / "libccd-toi.so.1", "ccd/libccd-toi.so.1")
    lines = ["enable_language(C)", code, "target_link_libraries(mine PRIVATE ccd::compat_tight_inclusion)"]
    cmake(page, "tight_inclusion", lines, prefix, folder / "fetched")


def ipc_toolkit(page: str, put: list[str], code: str, folder: Path) -> None:
    """The lines for ipc-toolkit are compiled against its own headers, which its Python wheel carries."""
    release = next(iter(sorted(ROOT.glob(".venv/lib/python3*/site-packages/ipc/candidates/candidates.hpp"))), None)
    if release is None:
        print(f"{page}: ipctk is not installed (make peers): the fragment for ipc-toolkit was not compiled")
        return
    includes, rest = [line for line in put if line.startswith("#include")], [line for line in put if line[:1] != "#"]
    assert includes and rest, put
    arguments = "const ipc::CollisionMesh &mesh, const Eigen::MatrixXd &x0, const Eigen::MatrixXd &x1"
    body = "\n".join([*includes, "#include <ipc/candidates/candidates.hpp>", f"double f({arguments}) {{", *rest, code])
    (folder / "ipc.cpp").write_text(body + "return step;\n}\n")
    own = ["include", "bindings/cpp/include", "bindings/cpp/compat/include", "bindings/cpp/compat/tests/ipc_release"]
    flags = [*(f"-I{ROOT / i}" for i in own), "-isystem", release.parents[2], "-isystem", "/usr/include/eigen3"]
    run([os.environ.get("CXX", "c++"), "-std=c++17", "-fsyntax-only", *flags, folder / "ipc.cpp"])
    print(f"{page}: the fragment for ipc-toolkit compiles against its released headers")


def migration(page: str, found: list[Block], folder: Path) -> None:
    """Diffs of what is linked, of what is declared, and of what is imported."""
    if not Path("/usr/include/eigen3").is_dir() or shutil.which("cmake") is None:
        print(f"{page}: Eigen or cmake is not installed (make tools): its programs were not run")
        return
    prefix, seen = package(folder.parent), set()
    find = next(block.code.splitlines() for block in found if block.language == "cmake")
    cmake(page, "tight_inclusion", find, prefix, folder)
    for i, (language, code) in enumerate(found):
        if language == "python" and "import ipctk" in code and importlib.util.find_spec("ipctk") is None:
            print(f"{page}: ipctk is not installed (make peers): the program for it was not run")
        elif language == "python":
            program(page, found[i], folder / "python")
        elif language == "diff":
            taken, put = sides(code)
            assert taken and put, code
            if taken[0].startswith("target_link_libraries"):
                name = re.fullmatch(r"target_link_libraries\(mine PRIVATE ccd::compat_(\w+)\)", put[0]).group(1)
                components = f"find_package(ccd-toi REQUIRED COMPONENTS compat_{name})"
                cmake(page, name, [components, *put], prefix, folder)
                seen.add(name)
            elif taken[0].startswith("ipc::"):
                assert found[i + 1].language == "cpp"
                ipc_toolkit(page, put, found[i + 1].code, folder)
                seen.add("ipc_toolkit")
            else:
                assert taken == ["import ipctk"], code
                run([sys.executable, "-c", f"{put[0]}\nassert ipctk.TightInclusionCCD().max_iterations == 10_000_000"])
                print(f"{page}: {put[0]} works")
                seen.add("ipctk")
        elif language == "cmake" and i > 0:
            swapped(page, code, find, prefix, folder)
        else:
            assert (language == "cmake" and i == 0) or (language == "cpp" and found[i - 1].language == "diff"), code
    named = set(re.findall(r"`ccd::compat_(\w+)`", (ROOT / page).read_text("utf-8"))) | {"ipctk"}
    if seen != named:
        sys.exit(f"{page} names {sorted(named)}, and shows {sorted(seen)}")


PAGES: dict[str, Callable[[str, list[Block], Path], None]] = {
    "README.md": programs,
    "bindings/js/README.md": programs,
    "bindings/rust/README.md": programs,
    "docs/index.md": programs,
    "docs/tutorial.md": story,
    "docs/install.md": installation,
    "docs/migrate.md": migration,
    "docs/reference/certificate.md": guide,
    "docs/reference/files.md": programs,
    "examples/ipc/README.md": fragments,
    "examples/rigid/README.md": fragments,
    "examples/steps/README.md": fragments,
}
GUIDES = ("docs/tutorials/", "docs/howto/", "docs/explanation/", "docs/proofs/")


def commands(page: str, code: str) -> None:
    """Every line is on the list, and every target of `make` exists."""
    for line in code.splitlines():
        command = line.partition("#")[0].strip()
        if command not in COMMANDS:
            sys.exit(f"{page}: nobody runs `{command}`: see COMMANDS in docs/blocks.py")
        if command.startswith("make "):
            run(["make", "--dry-run", "--no-print-directory", *command.split()[1:]], cwd=ROOT)


def page(name: str, folder: Path) -> int:
    """Runs the blocks of one page, and returns how many there are."""
    text = (ROOT / name).read_text("utf-8")
    found = blocks(text)
    if sum(line.lstrip().startswith(("```", "~~~")) for line in text.splitlines()) != 2 * len(found):
        sys.exit(f"{name}: a block does not end, or is not read")
    for block in found:
        if block.language == "sh":
            commands(name, block.code)
    code = [block for block in found if block.language not in ("text", "sh") and not block.language.startswith("{")]
    way = PAGES.get(name, guide if name.startswith(GUIDES) else None)
    if code and way is None:
        languages = sorted({block.language or "no language" for block in code})
        sys.exit(f"{name}: nobody runs its blocks in {', '.join(languages)}: see PAGES in docs/blocks.py")
    if code and way:
        own = folder / re.sub(r"\W", "-", name)
        own.mkdir(parents=True, exist_ok=True)
        way(name, code, own)
    return len(found)


def pages() -> list[str]:
    """Every Markdown file that nothing writes. (What others write meanwhile is not looked at: files may come and go.)"""
    names, made = [], {"build", "dist", "docs/generated"}
    for top, folders, files in os.walk(ROOT):
        below = Path(top).relative_to(ROOT)
        folders[:] = [name for name in folders if (below / name).as_posix() not in made and (below.parts or name[0] != ".")]
        names += [str(below / name) for name in files if name.endswith(".md") and (below.parts or name[0] != ".")]
    return sorted(names)


def main() -> None:
    arguments = argparse.ArgumentParser(description="Run the blocks of code of all Markdown files of the repository.")
    arguments.add_argument("folder", type=Path, metavar="FOLDER", help="folder for the programs, made if it does not exist")
    arguments.add_argument("pages", nargs="*", metavar="PAGE", help="only this page, by its path in the repository")
    options = arguments.parse_args()
    folder, every = options.folder.resolve(), pages()
    if unknown := set(options.pages) - set(every):
        sys.exit(f"no pages of the repository: {', '.join(sorted(unknown))}")
    count = {name: page(name, folder) for name in options.pages or every}
    if not options.pages and (gone := PAGES.keys() - {name for name, n in count.items() if n}):
        sys.exit(f"these pages have no code: {sorted(gone)}")
    print(f"{sum(count.values())} blocks in {sum(n > 0 for n in count.values())} of {len(count)} pages")


if __name__ == "__main__":
    main()
