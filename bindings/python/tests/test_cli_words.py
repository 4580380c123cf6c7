"""Every command and option: --json and its schema, completion, help, progress. The parser is walked, so none is forgotten."""

import contextlib
import importlib.util
import json
import os
import pty
import re
import shutil
import subprocess
import sys

import pytest
from conftest import LONG
from scenes_view import SCENES, scene
from test_cli import queries

import ccd
from ccd.cli import completion, main, output, schema
from ccd.cli.app import parser

COMMANDS = list(completion.commands(parser()))
NAMES = [c.name for c in COMMANDS]


@pytest.fixture(scope="module")
def calls(tmp_path_factory):
    """Calls of every command whose answers differ in shape."""
    folder = tmp_path_factory.mktemp("words")
    made = {}
    for kind, make in SCENES.items():
        (folder / kind).mkdir()
        made[kind] = make(folder / kind)[0]
    mesh, volume, rigid, patch = (made[kind] for kind in ("mesh", "volume", "rigid", "patch"))
    csv, wrong = queries(folder / "vertex-face" / "data.csv"), folder / "wrong.csv"
    wrong.write_text("hit,toi\n0,\n1,nan\n")
    (folder / "scene").mkdir()
    many = scene(folder / "scene")[0]
    tables = tmp_path_factory.mktemp("tables")
    table = tables / "t.csv"
    table.write_text("n,ms,who\n1,2,a\n2,3,a\n1,4,b\n")
    page, apart = str(folder / "page.html"), [*rigid[:2], "--pose=0,0,9"]
    arm, way = tables / "arm.urdf", tables / "way.csv"
    arm.write_text(ARM)
    way.write_text("turn\n0\n1\n3\n")
    ways = tables / "ways.csv"
    ways.write_text("x,y,z\n0,0,9\n0,0,0\n")
    robot = ["check", arm, way, "--scene", f"thing={mesh[0]}"]
    return {
        "step": [
            *(mesh, [*mesh, "--all"], [*mesh, "--earliest", "--components"], [mesh[0], mesh[0]]),
            *([*mesh, "--why", "--pair", str(folder / "pair.npz")], [mesh[0], mesh[0], "--why"], [str(folder / "pair.npz")]),
        ],
        "audit": [mesh, [mesh[0], mesh[0], "--all", "--no-self"], [*mesh, *mesh, "--events", str(folder / "events")]],
        "query": [[csv], [csv, csv, "--all", "--min-separation", "0.1"]],
        "check": [[mesh[0]], [mesh[1], "--all", "--near", "0.01"], [rigid[1]]],
        "volume": [volume, [*volume, "--all"], [*volume, "--earliest", "--pair-class", "between-objects"]],
        "rigid": [rigid, apart, many, [*many, "--earliest"], [*rigid, "--method", "d2m-spheres"], [*rigid, "--clearance"]],
        "pose": [
            rigid[:2],
            [*rigid[:2], "--pose", "0,0,9", "--gradient"],
            [*rigid[:2], "--poses", ways, "--pose-b=1,0,0,0,0,1,0,0,0,0,1,0", "--gradient"],
            [*many, "--within", "1"],
        ],
        "robot": [robot, [*robot[:3], "--min-separation", "0.1"]],
        "cad": assembly(folder),
        "patch": [patch, [*patch, "--all"], [*patch, "--manifold", "0.2"], [*patch, "--t-max", "0.01"], [patch[0], "--self"]],
        "verify": [[*mesh, "--method", "exact"], [csv, "--answers", wrong], [*mesh, "--method", "exact", "--t-max", "0.5"]],
        "view": [[*made[kind], "-o", page] for kind in made]
        + [[mesh[0], "-o", page]]
        + [[*apart, "-o", page, "--no-near"], [*many, "-o", page], [patch[0], "-o", page]],
        "plot": [[table, "-o", tables / "p.html", "--x", "n", "--y", "ms", "--by", "who"]],
        "info": [[]],
        "completion": [[shell] for shell in completion.SHELLS],
        "schema": [[], ["step"]],
    }


ARM = """<robot name="arm"><link name="base"/><link name="arm"><collision><geometry><box size="2 0.1 0.1"/></geometry>
  </collision></link>
  <joint name="turn" type="continuous"><parent link="base"/><child link="arm"/><axis xyz="0 0 1"/></joint></robot>"""


def fits(value, schema, where="$"):
    """What is wrong with a value by a schema, as a list of texts: the part of JSON Schema that ours are written in."""
    if "anyOf" in schema:
        tried = [fits(value, one, where) for one in schema["anyOf"]]
        return min(tried, key=len)
    types = {"object": dict, "array": list, "string": str, "boolean": bool, "null": type(None)}
    asked = schema.get("type", [])
    asked = [asked] if isinstance(asked, str) else asked
    number = isinstance(value, (int, float)) and not isinstance(value, bool)
    good = any(
        (t == "number" and number)
        or (t == "integer" and number and isinstance(value, int))
        or isinstance(value, types.get(t, ()))
        for t in asked
    )
    if not good:
        return [f"{where} is {value!r}: not {asked}"]
    found = [] if value in schema.get("enum", [value]) else [f"{where} is {value!r}: not in {schema['enum']}"]
    if number and value < schema.get("minimum", value):
        found.append(f"{where} is {value}: too small")
    if isinstance(value, dict):
        known, more = schema.get("properties", {}), schema.get("additionalProperties", {})
        found += [f"{where} lacks {name}" for name in schema.get("required", []) if name not in value]
        for name, inner in value.items():
            if name not in known and more is False:
                found.append(f"{where} has {name}")
            else:
                found += fits(inner, known.get(name, more), f"{where}.{name}") if known.get(name, more) else []
    if isinstance(value, list):
        if not schema.get("minItems", 0) <= len(value) <= schema.get("maxItems", len(value)):
            found.append(f"{where} has {len(value)} items")
        inner = schema.get("prefixItems", [schema.get("items", {})] * len(value))
        for i, (item, of) in enumerate(zip(value, inner)):
            found += fits(item, of, f"{where}[{i}]") if of else []
    return found


def test_there_are_calls_for_every_command(calls):
    assert list(calls) == NAMES and all(calls.values())


def assembly(folder):
    """Two boxes in a STEP file, at rest and as one moves by the other."""
    file, drive = folder / "boxes.step", folder / "drive.csv"
    rows = [f"{t},{part},{x},0,0,0,0,0" for t, x in ((0, 0), (1, 3)) for part in ("boxes/1",)]
    drive.write_text("\n".join(["time,part,x,y,z,rx,ry,rz", *rows]) + "\n")
    if importlib.util.find_spec("OCP"):
        import cad_shapes
        from OCP.BRep import BRep_Builder
        from OCP.TopoDS import TopoDS_Compound

        both, build = TopoDS_Compound(), BRep_Builder()
        build.MakeCompound(both)
        for at in ((0, 0, 0), (2, 1.5, 0)):
            build.Add(both, cad_shapes.box(1, 1, 1, at))
        cad_shapes.write(both, file)
        names = [p.name for p in ccd.cad.read(file).parts]
        drive.write_text(drive.read_text().replace("boxes/1", names[0]))
    motion = [file, "--motion", drive, "--tolerance", "1e-3", "--near", "1"]
    return [motion, [*motion, "--all"], [file]]


def needs(name):
    """Skips where the package that a command needs is not installed."""
    if name == "robot" and not importlib.util.find_spec("yourdfpy"):
        pytest.skip("yourdfpy is not installed: pip install yourdfpy")
    if name == "cad" and not importlib.util.find_spec("OCP"):
        pytest.skip("OCP is not installed: pip install cadquery-ocp-novtk")


@pytest.mark.parametrize("name", NAMES)
def test_json_is_what_the_schema_says(calls, name, capsys):
    needs(name)
    expected = schema.schema(name)
    for arguments in calls[name]:
        code = main([name, *map(str, arguments), "--json"])
        printed = capsys.readouterr()
        assert code in (0, 1) and printed.err == ""
        assert fits(json.loads(printed.out), expected) == []


def test_the_schemas_refuse_what_is_wrong():
    expected = schema.schema("view")
    good = {"page": "x", "kind": "mesh", "impacts": 1, "listed": 1, "near": 0, "near_found": 0}
    good |= {"notes": [], "left_out": []}
    assert fits(good, expected) == []
    for change in (
        {"kind": "cloud"},
        {"impacts": -1},
        {"impacts": 1.5},
        {"more": 1},
        {"page": 5},
        {"near": True},
        {"left_out": [5]},
    ):
        assert fits(good | change, expected)
    assert fits({}, expected) and fits([], expected)


@pytest.mark.parametrize("command", COMMANDS, ids=NAMES)
def test_every_command_explains_itself(command, capsys):
    assert "--json" in {flag for o in command.options for flag in o.flags}
    assert command.help and all(o.help for o in (*command.options, *command.arguments))
    with pytest.raises(SystemExit) as end:
        main([command.name, "--help"])
    assert end.value.code == 0 and "usage: ccd " + command.name in capsys.readouterr().out


def test_help_speaks_of_the_command_not_of_the_module(capsys):
    """--help is written for a shell: no name of the Python package stands in it."""
    for command in COMMANDS:
        with pytest.raises(SystemExit):
            main([command.name, "--help"])
        shown = " ".join(capsys.readouterr().out.split())
        for word in ("`Mesh`", "`Options`", "dtype", "(n, 3) array of", "Raises"):
            assert word not in shown, (command.name, word)


@pytest.mark.parametrize("command", COMMANDS, ids=NAMES)
def test_a_wrong_option_shows_the_usage_of_its_command(calls, command, capsys):
    right = [str(a) for a in calls[command.name][0]]
    for arguments, usage in (
        ([command.name, *right, "--bogus"], command.name),
        (["--bogus", command.name, *right], "[OPTION ...]"),
    ):
        with pytest.raises(SystemExit) as end:
            main(arguments)
        out, err = capsys.readouterr()
        assert end.value.code == 2 and out == "" and err.startswith(f"usage: ccd {usage}") and "--bogus" in err, err
        assert err.count("\n") == 2 and "--help lists the options" in err, err


def read_all(terminal):
    """What was written to a terminal, up to when nobody has it open any more."""
    seen = b""
    with contextlib.suppress(OSError):  # what Linux says at the end
        while chunk := os.read(terminal, 4096):
            seen += chunk
    os.close(terminal)
    return seen.decode()


# ---- completion


def completed(*words):
    """What bash offers for the last word."""
    script = completion.script(parser(), "bash")
    line = " ".join(f"'{w}'" for w in ("ccd", *words))
    code = f"{script}\nCOMP_WORDS=({line}); COMP_CWORD={len(words)}; _ccd; printf '%s\\n' \"${{COMPREPLY[@]}}\""
    return subprocess.run(["bash", "-c", code], capture_output=True, text=True, check=True).stdout.split()


def test_bash_offers_every_command_and_option(tmp_path):
    assert set(completed("")) == {*NAMES, "--help", "--version"}
    for command in COMMANDS:
        flags = {flag for o in command.options for flag in o.flags}
        assert set(completed(command.name, "-")) == flags
        if command.name in ("step", "view"):
            for o in command.options:
                if o.words:
                    assert completed(command.name, o.flags[0], "") == list(o.words)
    assert completed("completion", "") == list(completion.SHELLS)
    (tmp_path / "frame0.off").write_text("")
    assert completed("step", f"{tmp_path}/fra") == [f"{tmp_path}/frame0.off"] and completed("step", "--t-max", "") == []


def test_every_script_holds_every_word(tmp_path):
    for shell in completion.SHELLS:
        script = completion.script(parser(), shell)
        for command in COMMANDS:
            assert command.name in script
            for o in command.options:
                for word in (*o.flags, *o.words):
                    assert (
                        f"-l {word[2:]} " if shell == "fish" and word.startswith("--") else word.lstrip("-")
                    ) in script + " "
        if shutil.which(shell):
            (tmp_path / shell).write_text(script)
            subprocess.run([shell, "-n", tmp_path / shell], check=True)


@pytest.mark.skipif(not shutil.which("fish"), reason="no fish")
def test_fish_offers_options_and_their_words(tmp_path):
    (tmp_path / "ccd.fish").write_text(completion.script(parser(), "fish"))

    def offered(line):
        code = f"source {tmp_path}/ccd.fish; complete -C '{line}'"
        out = subprocess.run(["fish", "--no-config", "-c", code], capture_output=True, text=True, check=True).stdout
        return {row.split("\t")[0] for row in out.splitlines()}

    assert offered("ccd ") >= set(NAMES)
    assert {"--t-min", "--t-max"} <= offered("ccd rigid --t")
    assert offered("ccd view --as ") == {"mesh", "volume", "rigid", "patch"}


ZSHRC = """
autoload -Uz compinit && compinit -D -u
source "$ZDOTDIR/ccd.zsh"
compadd() {
    local -a hits
    [[ "${@[1,(i)(-|--)]}" == *-(O|A|D)\\ * ]] || builtin compadd -A hits "$@"
    print -rl -- $hits >>"$ZDOTDIR/hits"
    builtin compadd "$@"
}
comppostfuncs=(exit)
LISTMAX=10000  # to fewer it shows them, unasked
bindkey '^I' complete-word
"""


@pytest.mark.skipif(not shutil.which("zsh"), reason="no zsh")
def test_zsh_offers_options_their_words_and_files(tmp_path):
    """In a terminal: a zsh whose compadd writes down what it is given, and which ends after one completion."""
    (tmp_path / "ccd.zsh").write_text(completion.script(parser(), "zsh"))
    (tmp_path / ".zshrc").write_text(ZSHRC)
    (tmp_path / "frame0.off").write_text("")

    def offered(line):
        (tmp_path / "hits").write_text("")
        ours, theirs = pty.openpty()
        os.write(ours, f"{line}\t".encode())
        environment = os.environ | {"ZDOTDIR": str(tmp_path), "TERM": "dumb"}
        terminal = {"stdin": theirs, "stdout": theirs, "stderr": theirs, "start_new_session": True}
        with subprocess.Popen(["zsh", "-i"], env=environment, cwd=tmp_path, **terminal):
            os.close(theirs)
            read_all(ours)
        return set((tmp_path / "hits").read_text().split())

    assert offered("ccd ") == {*NAMES, "--help", "--version"}
    for command in COMMANDS if LONG else COMMANDS[:2]:
        assert offered(f"ccd {command.name} -") >= {flag for o in command.options for flag in o.flags if flag.startswith("--")}
    assert offered("ccd view --as ") == {"mesh", "volume", "rigid", "patch"}
    assert offered("ccd completion ") == set(completion.SHELLS)
    assert offered("ccd step fra") == offered("ccd step frame0.off fra") == {"frame0.off"}


# ---- progress


WORK = """
import sys, time
from ccd.cli import output
output.quiet = sys.argv[1] == "quiet"
if sys.argv[1] == "brief":
    output._Bar.silence = 3600.0
with output.bar("work") as progress:
    for i in range(int(sys.argv[2])):
        if progress:
            progress(i / 10)
        time.sleep(0.1)
"""


def on_a_terminal(*arguments):
    """What a second's work writes to a terminal."""
    ours, theirs = pty.openpty()
    subprocess.run([sys.executable, "-c", WORK, *arguments], stderr=theirs, check=True, timeout=60)
    os.close(theirs)
    return read_all(ours)


def test_a_long_command_shows_its_progress_and_cleans_up():
    seen = on_a_terminal("loud", "10")
    assert "work  [####" in seen and " s left" in seen and seen.endswith("\r\x1b[K")
    assert on_a_terminal("quiet", "10") == "" and on_a_terminal("brief", "1") == ""


@pytest.mark.parametrize("name", NAMES)
def test_whatever_may_take_long_has_a_bar(calls, name, capsys, monkeypatch):
    """Reading, building and searching each have one, and with --json there are none."""
    needs(name)
    labels, quiet = [], []

    @contextlib.contextmanager
    def bar(label, calls=1):
        labels.append(label.split()[0])
        quiet.append(output.quiet)
        yield None

    monkeypatch.setattr(output, "bar", bar)
    main([name, *map(str, calls[name][0])])
    wanted = {
        "audit": 1,
        "step": 5,
        "query": 2,
        "check": 5,
        "volume": 5,
        "rigid": 5,
        "pose": 5,
        "robot": 3,
        "cad": 2,
        "patch": 3,
        "verify": 5,
        "view": 10,
        "plot": 1,
    }
    assert (
        len(labels) == wanted.get(name, 0) and ("reading" in labels) == (name in wanted and name != "plot") and not any(quiet)
    )
    labels.clear(), quiet.clear()
    main([name, *map(str, calls[name][0]), "--json"])
    assert all(quiet) and len(labels) == wanted.get(name, 0)
    assert capsys.readouterr().err == ""


def test_a_bar_says_what_it_knows():
    bar = output._Bar("reading")
    try:
        assert bar.line(2.0) == "reading  2.0 s"
        bar(0.25)
        bar(0.2)  # threads may report out of order
        assert bar.line(2.0) == f"reading  [{'#' * 7}{'-' * 23}]  25 %  2.0 s, 6.0 s left"
        bar(1.0)  # a list of millions is copied then, which takes a while
        assert bar.line(5.0) == "reading  5.0 s, taking the results"
    finally:
        bar.close()
    assert not bar.thread.is_alive()


def test_a_bar_of_two_calls_is_full_when_both_have_ended():
    bar = output._Bar("step", 2)
    try:
        for fraction, shown in ((0.5, 25), (1.0, 50), (0.0, 50), (0.5, 75), (0.4, 75)):
            bar(fraction)
            assert f"  {shown} %" in bar.line(2.0)
        bar(1.0)
        assert bar.line(2.0).endswith("taking the results")
    finally:
        bar.close()


@pytest.mark.parametrize("more", [["--per-vertex"], ["--intervals"]])
def test_every_call_of_a_bar_is_counted(calls, more, monkeypatch, capsys):
    """What a bar shows rises to 1 over all calls, and no call begins where it is full."""
    seen = []

    class Noted(output._Bar):
        silence = 3600.0  # a machine that is busy draws no line either

        def __call__(self, fraction):
            super().__call__(fraction)
            seen.append((fraction, self.fraction))

    @contextlib.contextmanager
    def bar(label, calls=1):
        made = Noted(label, calls)
        yield made if label == "step" else None
        made.close()

    monkeypatch.setattr(output, "bar", bar)
    main(["step", *map(str, calls["step"][0]), *more])
    ends = [shown for fraction, shown in seen if fraction == 1]
    assert list(dict.fromkeys(ends)) == [0.5, 1.0] and [shown for _, shown in seen] == sorted(shown for _, shown in seen)
    assert capsys.readouterr().err == ""


@pytest.mark.parametrize("command", ["step", "volume", "rigid", "patch"])
def test_commands_name_the_same_thing_alike(command, calls, capsys):
    """The first impact is in the row "earliest", its place in "point", a proof in "separate"; a table has the column t."""
    pair = r"(?:vertex-face|edge-edge|edge-face|triangles|bodies|patches) \S+ \S+|body \S+ and \S+ \S+ of the mesh"
    rows = {
        "earliest": rf"(?:{pair}) at t = \S+",
        "separate": r"proven for every t in \[\S+, \S+\]|no pair was tested",
        "verdict": r"(?:contact|undecided)(?: \(.*\))?(?:, (?:intersecting at the start|at the start already))?",
        "point": r"\(\S+, \S+, \S+\)",
    }
    seen = set()
    for words in calls[command]:
        assert main([command, *map(str, words)]) in (0, 1)
        for line in capsys.readouterr().out.splitlines():
            name, _, value = line.partition("  ")
            if name in rows:
                assert re.fullmatch(rows[name], value.strip()), line
                seen.add(name)
            assert name not in ("at", "impact", "toi") and "  toi  " not in line, line
    assert {"earliest", "separate"} - seen <= ({"separate"} if command == "volume" else set())


class Terminal:
    """A stream that is a terminal."""

    def __init__(self):
        self.text = ""

    def isatty(self):
        return True

    def write(self, text):
        self.text += text

    def flush(self):
        pass


@pytest.mark.parametrize(
    ("environment", "shown"), [({}, True), ({"NO_COLOR": "1"}, False), ({"NO_COLOR": ""}, True), ({"TERM": "dumb"}, False)]
)
def test_colors_on_a_terminal_alone(calls, monkeypatch, capsys, environment, shown):
    mesh = calls["step"][0]
    main(["step", *mesh])
    plain = re.sub(r"[\d.]+ m?s\b", "TIME", capsys.readouterr().out)
    assert "\x1b" not in plain
    for name in ("NO_COLOR", "TERM"):
        monkeypatch.delenv(name, raising=False)
    for name, value in environment.items():
        monkeypatch.setenv(name, value)
    out, err = Terminal(), Terminal()
    monkeypatch.setattr(sys, "stdout", out)
    monkeypatch.setattr(sys, "stderr", err)
    main(["step", *mesh])
    assert ("\x1b[31mearliest\x1b[0m" in out.text) == shown
    assert re.sub(r"[\d.]+ m?s\b", "TIME", re.sub("\x1b\\[\\d+m", "", out.text)) == plain
    assert main(["step", "nowhere.obj", "b.obj"]) == 2
    assert err.text.count("\x1b[31mccd: nowhere.obj") == shown
    out.text = ""
    main(["step", *mesh, "--json"])
    assert "\x1b" not in out.text


def test_the_viewer_opens_the_page(calls, monkeypatch, capsys, tmp_path):
    opened = []
    monkeypatch.setattr("webbrowser.open", lambda address: bool(opened.append(address)) or len(opened) < 2)
    page = tmp_path / "one mesh.html"
    main(["view", calls["step"][0][0], "-o", str(page), "--open"])
    assert opened == [page.as_uri()] and "nothing moves" not in capsys.readouterr().out
    main(["view", calls["step"][0][0], "-o", str(page), "--open"])
    assert "no browser was found; open" in capsys.readouterr().err
    assert main(["view", calls["step"][0][0], "--png", "a.png", "--open"]) == 2


def test_values_that_begin_with_a_minus_sign(calls, capsys):
    bodies = calls["rigid"][0][:2]
    for velocity in ("-1,0,0", "-.5,0,2e-3", "0,0,-4"):
        found = []
        for words in (["--velocity", velocity], [f"--velocity={velocity}"]):
            code = main(["rigid", *bodies, *words, "--json"])
            report = json.loads(capsys.readouterr().out)
            report.pop("seconds")
            found.append((code, report))
        assert found[0] == found[1] and found[0][0] != 2
    with pytest.raises(SystemExit):
        main(["rigid", *bodies, "--velocity", "--json"])
    assert "expected one argument" in capsys.readouterr().err
