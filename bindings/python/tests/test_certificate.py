"""Certificates: what the checker takes, what it refuses, and that it is a program of its own."""

import ast
import hashlib
import json
import random
import subprocess
import sys
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest
from tangles import tangle

import ccd
from ccd import certificate
from ccd.certificate import _make, checker
from ccd.cli import main

CHECKER = Path(checker.__file__)
APART = [[0, 0, 0], [1, 0, 0], [0, 1, 0], [0.2, 0.2, 1], [0.3, 0.2, 2], [0.2, 0.3, 2]]
MEETS = [[0, 0, 0], [1, 0, 0], [0, 1, 0], [0.2, 0.2, -1], [0.3, 0.2, 0.25], [0.2, 0.3, 0]]
TRIANGLES = [[0, 1, 2], [3, 4, 5]]


def made(path, mesh, x0, x1, **options):
    """The report and the lines of a certificate."""
    report = certificate.write(path, mesh, x0, x1, **options)
    assert report.holds and report == certificate.check(path)
    return report, path.read_text().splitlines()


def with_digest(lines):
    """The lines with the digest of the mesh that they have, as a forger would write it."""
    end = next(i for i, line in enumerate(lines) if line.startswith("digest "))
    digest = hashlib.sha256("".join(line + "\n" for line in lines[1:end]).encode()).hexdigest()
    return [*lines[:end], f"digest {digest}", *lines[end + 1 :]]


def verdict(lines):
    """None if the checker takes the lines, else why it refuses them."""
    try:
        found = checker.Certificate(iter(lines))
        found.check()
    except checker.Refused as error:
        return str(error)
    return None


def moved(seed, grid=None):
    """A tangle of faces, rods and points; with a grid all coordinates are few numbers, so that much is degenerate."""
    mesh, x0, x1 = tangle(seed, faces=6, rods=8, points=4)
    if grid:
        x0, x1 = np.round(x0 * grid) / grid, np.round(x1 * grid) / grid
    return mesh, x0, x1


@pytest.mark.parametrize("grid", [None, 4, 8])
@pytest.mark.parametrize("claim", ["earliest", "collisions"])
def test_answers_have_certificates(tmp_path, claim, grid):
    """Law 1: with and without a separation, what the library reports is what the checker proves."""
    proven = 0
    for seed in range(3):
        mesh, x0, x1 = moved(seed, grid)
        for d in 0.0, 2.0**-6, 0.01:
            report, _ = made(tmp_path / "a", mesh, x0, x1, claim=claim, min_separation=d)
            first = ccd.step.earliest(mesh, x0, x1, min_separation=d)
            if claim == "collisions":
                assert report.contacts == len(ccd.step.collisions(mesh, x0, x1, min_separation=d))
            elif first.separate:
                assert report.claim == "separate" and report.until == 1
            else:
                assert report.claim == "earliest" and first.toi_lo * (1 - 2**-9) <= report.until <= first.toi_lo
            proven += report.contacts - report.unproven
    assert proven > (3 if claim == "earliest" else 30)


def test_a_claim_that_ends_after_a_contact_is_refused(tmp_path):
    """Law 2: witnesses that go one step of doubles beyond the contact prove nothing there."""
    refused = 0
    for seed in range(8):
        mesh, x0, x1 = moved(seed)
        report, lines = made(tmp_path / "a", mesh, x0, x1)
        if report.claim != "earliest":
            continue
        start = lines.index("contacts 1")
        words = lines[start + 1].split()
        size = 1 + sum(checker.KINDS[words[0]])
        lo, hi = int(words[size]), int(words[size + 1])
        if words[size + 2] == "at" and int(words[size + 3]) == lo:
            continue  # The contact is at lo itself, which a claim of the time before it may end at.
        later = str(2 * hi - lo)
        forged = [line.replace(str(lo), later) if i >= start - 1 else line for i, line in enumerate(lines)]
        assert forged != lines
        assert verdict(forged) is not None
        refused += 1
    assert refused > 3


def test_a_certificate_without_a_witness_is_refused(tmp_path):
    """Law 3: each witness in the file is needed, as each pair that is not listed was separated by an axis."""
    mesh, x0, x1 = moved(1)
    report, lines = made(tmp_path / "a", mesh, x0, x1, check_start=False)
    start = next(i for i, line in enumerate(lines) if line.startswith("witnesses "))
    rows, i = [], start + 1
    while lines[i] != "end":
        n = int(lines[i].split()[-1])
        rows.append((i, i + n + 1))
        i += n + 1
    for first, last in rows:  # the last piece left out, or all pieces but the last ending where they did
        words = lines[first].split()
        shorter = " ".join([*words[:-1], str(int(words[-1]) - 1)])
        assert "the pieces end elsewhere" in verdict([*lines[:first], shorter, *lines[first + 1 : last - 1], *lines[last:]])
        end, *way = lines[last - 1].split()
        early = " ".join([str(int(end) - 1), *way])
        assert "the pieces end elsewhere" in verdict([*lines[: last - 1], early, *lines[last:]])
    needed = 0
    for first, last in rows:
        text = [*lines[:start], f"witnesses {len(rows) - 1}", *lines[start + 1 : first], *lines[last:]]
        needed += verdict(text) is not None
    assert needed == len(rows) >= report.witnesses > 2


def small(tmp_path, **options):
    return made(tmp_path / "a", ccd.Mesh(faces=TRIANGLES), APART, MEETS, **options)


@pytest.mark.parametrize("options", [{}, {"claim": "collisions"}, {"min_separation": 0.01}])
def test_each_field_matters(tmp_path, options):
    """Law 4: a certificate with an altered word is refused, or claims no more than it did."""
    report, lines = small(tmp_path, check_start=True, **options)
    assert report.unproven == 0
    before, start = parsed(lines), next(i for i, line in enumerate(lines) if line.startswith("witnesses "))
    accepted = altered = 0
    for i, line in enumerate(lines):
        words = line.split()
        for k, word in enumerate(words):
            for new in forgeries(word):
                text = [*lines[:i], " ".join([*words[:k], new, *words[k + 1 :]]), *lines[i + 1 :]]
                altered += 1
                if verdict(text) is None:
                    assert claims_no_more(parsed(text), before), (line, new)
                    accepted += i < start
        for text in ([*lines[:i], *lines[i + 1 :]], [*lines[:i], line, *lines[i:]]):  # a line left out, a line twice
            assert verdict(text) is not None, line
    assert altered > 250 and accepted < altered / 20


def parsed(lines):
    return checker.Certificate(iter(lines))


def claims_no_more(new, old):
    """Whether what one certificate claims follows from another: but for the last bit of the separation, which has slack."""
    d = [Fraction(c.motion.d, 1 << c.scale + c.clock) for c in (new, old)]
    assert new.digest.hexdigest() == old.digest.hexdigest() and set(new.contacts) == set(old.contacts)
    brackets = [(new.contacts[pair][:2], old.contacts[pair][:2]) for pair in old.contacts]
    return (
        (new.claim, new.clock) == (old.claim, old.clock)
        and d[0] <= d[1] * (1 + Fraction(1, 2**50)) + Fraction(1, 2**1000)
        and new.until <= old.until
        and new.start <= old.start
        and all(a[0] <= b[0] and a[1] >= b[1] for a, b in brackets)
        and (new.sets, new.excluded) == (old.sets, old.excluded)
    )


def forgeries(word):
    if word.lstrip("-").isdigit() and len(word) != 16:
        n = int(word)
        return [str(m) for m in {n + 1, n - 1, -n, n * 2 + 7, 0} - {n}]
    if len(word) == 16:
        return [
            f"{int(word, 16) ^ 1:016x}",
            f"{int(word, 16) ^ 1 << 63:016x}",
            word[:-1],
            "7ff0000000000000",
            "0000000000000001",
        ]
    return [word + "x", word[:-1] or "0", "normal", "unproven"]


def test_a_forged_mesh_is_another_statement(tmp_path):
    """Law 5: with a new digest a vertex may move only as far as the witnesses still hold, and the digest says so."""
    report, lines = small(tmp_path, check_start=True)
    for name, old, new in ("vertices", "bff0000000000000", "bff8000000000000"), ("faces", "3 4 5", "4 3 5"):
        i = next(i for i, line in enumerate(lines) if line.startswith(name))
        k = next(k for k in range(i, len(lines)) if old in lines[k])
        forged = [*lines[:k], lines[k].replace(old, new), *lines[k + 1 :]]
        assert verdict(forged) == "the digest is not that of the mesh"
        assert name == "faces" or verdict(with_digest(forged)) is not None  # the vertex meets the face sooner
        assert with_digest(forged)[1:] != lines[1:]
    assert report.mesh == checker.Certificate(iter(lines)).digest.hexdigest()


def test_a_pair_that_is_left_out_is_in_the_digest(tmp_path):
    """Law 5: a row of excluded pairs that is empty does not take the pair of a line that the digest does not cover."""
    _, lines = small(tmp_path)
    row = lines.index("excluded 0")
    text = with_digest([*lines[:row], "excluded 1", "", *lines[row + 1 :]])
    digest = next(i for i, line in enumerate(text) if line.startswith("digest "))
    for pair in "vf 3 0 1 2", "vf 4 0 1 2":
        assert "is no kind" in verdict([*text[:digest], pair, *text[digest:]])
        named = with_digest([*lines[:row], "excluded 1", pair, *lines[row + 1 :]])
        assert verdict(named) is None
    assert "is no kind" in verdict(text)


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r", "\v", "\f", "\x1c", "\x1e"])
def test_a_file_has_the_same_lines_in_both_programs(tmp_path, end):
    """Law 6: the module and the program read a file alike, whatever separates its rows."""
    _, lines = small(tmp_path)
    text, path = "\n".join(lines) + "\n", tmp_path / "b"
    assert "0 1 2\n3 4 5\n" in text
    path.write_bytes(text.replace("0 1 2\n3 4 5\n", f"0 1 2{end}3 4 5\n").encode())
    alone = subprocess.run([sys.executable, "-I", CHECKER, path], capture_output=True, text=True)
    report = certificate.check(path)
    assert (alone.returncode == 0) == report.holds == (end in "\r\n")
    assert report.holds or report.reason in alone.stderr


def test_a_pair_that_crosses_at_the_start_has_none(tmp_path):
    x0 = [[0, 0, 0], [1, 0, 0], [0, 1, 0], [0.2, 0.2, 1], [0.2, 0.2, -1], [0.2, 5, 0]]
    mesh = ccd.Mesh(faces=TRIANGLES)
    with pytest.raises(ccd.errors.UnsupportedError, match="ef"):
        certificate.write(tmp_path / "a", mesh, x0, x0, check_start=True)
    report, _ = made(tmp_path / "a", mesh, x0, x0)
    assert report.claim == "separate"  # no vertex meets a face, no edge an edge: that they cross is not what it claims


def test_a_start_within_the_separation_has_a_certificate(tmp_path):
    """Unless an edge passes through a face there: the check of the start asks for no separation."""
    apart = crossing = witnesses = 0
    for seed in range(8):
        mesh, x0, x1 = tangle(seed, faces=3, rods=8, points=2)
        d = 0.05 * np.ptp(x0)
        meets = (ccd.proximity.intersections(mesh, x0)["kind"] == ccd.proximity.EDGE_FACE).any()
        within = ccd.step.earliest(mesh, x0, x1, min_separation=d).initial
        if meets:
            crossing += 1
            with pytest.raises(ccd.UnsupportedError, match=r"have no proof .*ef"):
                certificate.write(tmp_path / "a", mesh, x0, x1, min_separation=d, check_start=True, claim="earliest")
        elif within:
            apart += 1
            _, lines = made(tmp_path / "a", mesh, x0, x1, min_separation=d, check_start=True, claim="earliest")
            assert "start 1" in lines
            for at in [i for i, line in enumerate(lines) if line.startswith("ef ")]:
                witnesses += 1
                total = next(i for i, line in enumerate(lines) if line.startswith("witnesses "))
                left = [*lines[:at], *lines[at + 1 + int(lines[at].split()[-1]) :]]
                left[total] = f"witnesses {int(lines[total].split()[1]) - 1}"
                assert "there is no witness of ('ef'" in verdict(left)
    assert apart >= 5 and crossing and witnesses, (apart, crossing, witnesses)
    x = np.array([[i, j, 0] for i in range(4) for j in range(4)], float)
    corner = np.arange(16).reshape(4, 4)[:-1, :-1].ravel()
    faces = np.vstack([np.stack([corner, corner + 4, corner + 1], 1), np.stack([corner + 4, corner + 5, corner + 1], 1)])
    cloth = ccd.Mesh(faces)
    assert cloth.exclude_near(x, 2, min_separation=1.2) > 0
    report, lines = made(tmp_path / "b", cloth, x, x + np.array([0, 0, 1]), min_separation=1.2, check_start=True)
    assert report.claim == "separate" and "start 1" in lines


@pytest.mark.parametrize("turn", range(4))
def test_flat_and_parallel_contacts(tmp_path, turn):
    """Contacts in a plane, of parallel edges, of vertices: the normal vanishes, or so does what changes sign."""
    flat = [[0, 0, 0], [1, 0, 0], [0, 1, 0], [2, 0.25, 0], [3, 0, 0], [3, 1, 0]]
    slid = [[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0.25, 0], [1, 0, 0], [1, 1, 0]]
    rods = ([[0, 0, 0], [1, 0, 0], [0, 0, 1], [1, 0, 1]], [[0, 0, 0], [1, 0, 0], [0, 0, -1], [1, 0, -1]])
    points = ([[0, 0, 0], [1, 0, 0]], [[1, 0, 0], [0, 0, 0]])
    third = ([[0, 0, 0], [1, 0, 0]], [[2, 0, 0], [0, 0, 0]])  # they meet at a third, no double
    mesh, x0, x1, unproven = [
        (ccd.Mesh(faces=TRIANGLES), flat, slid, None),
        (ccd.Mesh(edges=[[0, 1], [2, 3]]), *rods, 0),
        (ccd.Mesh(vertices=2), *points, 0),
        (ccd.Mesh(vertices=2), *third, 1),
    ][turn]
    report, _ = made(tmp_path / "a", mesh, x0, x1)
    assert report.claim == "earliest" and report.contacts == 1
    assert unproven is None or report.unproven == unproven
    assert report.until == ccd.step.earliest(mesh, x0, x1).toi_lo


def test_polynomials_are_judged_by_their_values():
    """The rule of signs, by values at rational times."""
    draw, kept = random.Random(1), 0
    for _ in range(2000):
        f = [draw.randint(-1, 3) for _ in range(draw.randint(1, 5))]
        n, closed = len(f) - 1, draw.random() < 0.5
        times = [Fraction(i, 12) for i in range(12 + closed)]
        values = [sum(c * (1 - s) ** (n - i) * s**i for i, c in enumerate(f)) for s in times]
        if checker.positive(f, closed):
            kept += 1
            assert min(values) > 0, f
    assert 300 < kept < 1900


def test_motions_are_those_of_fractions():
    """Positions, directions and the polynomials of contacts, by vectors of rational numbers."""
    draw = random.Random(2)
    for _ in range(50):
        x = [[draw.randint(-9, 9) for _ in range(6)] for _ in range(4)]
        motion = checker.Motion(x, 3, 0)
        at = {s: [[Fraction(r[k] * (8 - s) + r[k + 3] * s) for k in range(3)] for r in x] for s in range(9)}
        s0, s1 = sorted(draw.sample(range(9), 2))
        for kind, one, other in ("vf", (0,), (1, 2, 3)), ("ee", (0, 1), (2, 3)):
            a, b = motion.moving(one, s0, s1), motion.moving(other, s0, s1)
            normal = checker.direction(kind, a, b, "normal", [1])
            meets = (checker.face_meets if kind == "vf" else checker.edges_meet)(a, b)
            for s in range(s0, s1 + 1):
                t = Fraction(s - s0, s1 - s0)
                p = np.array(at[s], object)
                u, v = (p[2] - p[1], p[3] - p[1]) if kind == "vf" else (p[1] - p[0], p[3] - p[2])
                n = np.cross(u, v)
                assert [value(f, t) for f in normal] == list(n)
                assert value(meets[1], t) == n @ n
                assert abs(value(meets[0], t)) == abs(n @ (p[2] - p[0] if kind == "ee" else p[0] - p[1]))
                if kind == "vf" and n @ n:
                    weights = [value(w, t) / (n @ n) for w in meets[2]]
                    assert sum(weights) == 1
                    foot = weights[0] * p[3] + weights[1] * p[1] + weights[2] * p[2]
                    assert list(np.cross(foot - p[0], n)) == [0, 0, 0] and n @ (foot - p[1]) == 0
                elif n @ n:
                    near = [value(w, t) / (n @ n) for w in meets[2]]
                    assert near[0] + near[1] == near[2] + near[3] == 1
                    w = p[2] + near[2] * v - p[0] - near[0] * u
                    assert w @ u == 0 == w @ v


def value(f, t):
    n = len(f) - 1
    return sum(c * (1 - t) ** (n - i) * t**i for i, c in enumerate(f))


def test_trees_leave_out_only_what_an_axis_separates():
    """All pairs, against a loop over all of them."""
    draw = random.Random(3)
    for d in 0, 3:
        x0 = [[draw.randint(0, 20) + 5 * (v // 3 % 5) * (k == 0) for k in range(3)] for v in range(60)]
        x1 = [[x + draw.randint(-2, 2) for x in p] for p in x0]
        moments = [[[sum(map(int.__mul__, axis, p)) for axis in checker.AXES] for p in x] for x in (x0, x1)]
        edges = [(v, v + 1) for v in range(59)]
        for first, second in (edges, edges), ([(v,) for v in range(60)], edges):
            found = list(checker.near(first, second, moments, d))
            assert len(set(found)) == len(found)
            rest = {(x, y) for x in first for y in second if not set(x) & set(y) and (first is not second or x < y)} - set(
                found
            )
            assert set(found) < set(found) | rest
            for a, b in rest:
                assert apart(a, b, moments, d, range(3))
            gaps = [d * 2 + 1] * len(checker.AXES)  # at least the separation times the length of each axis
            for a, b in found:
                assert checker.separable(a, b, moments, gaps) == apart(a, b, moments, d * 2, range(len(checker.AXES)))


def apart(a, b, moments, d, axes):
    """Whether an axis has the one more than d before the other, at both ends alike."""

    def before(a, b, k):
        return all(max(x[v][k] for v in a) + d < min(x[v][k] for v in b) for x in moments)

    return any(before(a, b, k) or before(b, a, k) for k in axes)


def test_the_checker_is_a_program_of_its_own(tmp_path):
    """Fewer than 500 lines, Python's own modules, no division into floats, no number that is one."""
    text = CHECKER.read_text()
    assert len(text.splitlines()) < 500
    tree = ast.parse(text)
    names = {"__future__", "hashlib", "sys", "collections.abc", "itertools", "math", "typing"}
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            assert {alias.name for alias in node.names} <= names
        elif isinstance(node, ast.ImportFrom):
            assert node.module in names and node.level == 0
            assert node.module != "math" or [alias.name for alias in node.names] == ["isqrt"]
        assert not isinstance(node, ast.Div)
        assert not (isinstance(node, ast.Constant) and isinstance(node.value, (float, complex)))
        assert not (isinstance(node, ast.Name) and node.id in ("float", "complex", "round", "eval", "exec"))
    small(tmp_path)
    for name, code, word in (tmp_path / "a", 0, "holds\n"), (tmp_path / "absent", 2, ""), (CHECKER, 1, ""):
        command = [sys.executable, "-I", "-S", str(CHECKER), str(name)]
        done = subprocess.run(command, capture_output=True, text=True, cwd=tmp_path)
        assert done.returncode == code and done.stdout.startswith(word), done
        assert "Traceback" not in done.stderr


def test_wrong_arguments(tmp_path):
    mesh = ccd.Mesh(faces=TRIANGLES)
    mesh.set_radii([0, 0, 0, 1, 1, 1])
    with pytest.raises(ccd.errors.ArgumentError, match="mesh has radii"):
        certificate.write(tmp_path / "a", mesh, APART, MEETS)
    with pytest.raises(ccd.errors.ArgumentError, match="claim"):
        certificate.write(tmp_path / "a", ccd.Mesh(faces=TRIANGLES), APART, MEETS, claim="all")
    with pytest.raises(ccd.errors.ArgumentError, match="mesh is list"):
        certificate.write(tmp_path / "a", TRIANGLES, APART, MEETS)
    with pytest.raises(ccd.errors.FileError):
        certificate.check(tmp_path / "none")
    assert not (tmp_path / "a").exists()


def test_ignored_vertices_are_refused_and_said(tmp_path):
    """A vertex that the mesh ignores passes through a face. No certificate says that nothing touches without a word of it."""
    x0 = np.array([[0, 0, 0], [1, 0, 0], [0, 1, 0], [0.25, 0.25, 1]])
    x1 = x0 * [1, 1, -1]
    path = tmp_path / "a"
    with pytest.raises(ccd.errors.UnsupportedError, match=r"ignores 1 of its vertices, such as 3: .* remove them"):
        certificate.write(path, ccd.Mesh(faces=[[0, 1, 2]], vertices=4, ignored=[0, 0, 0, 1]), x0, x1)
    assert not path.exists()
    assert certificate.write(path, ccd.Mesh(faces=[[0, 1, 2]], vertices=4, ignored=[0] * 4), x0, x1).until == 0.5
    # A file by another hand, with the vertex ignored.
    assert certificate.write(path, ccd.Mesh(vertices=4), x0, x1).claim == "separate"
    mesh = ccd.Mesh(faces=[[0, 1, 2]], vertices=4, ignored=[0, 0, 0, 1])
    lines, own = path.read_text().splitlines(), list(_make.mesh_lines(mesh, x0, x1))
    (at,) = (i for i, line in enumerate(lines) if line.startswith("digest "))
    path.write_text("\n".join(lines[:1] + own + lines[at + 1 :]) + "\n")
    report = certificate.check(path)
    assert report.holds and "common vertex (ignored vertices: 1) touch up to" in report.statement[0]


@pytest.mark.parametrize("seed", range(12))
def test_filters_are_part_of_the_statement(tmp_path, seed):
    """A certificate of a mesh with filters has the library's answer, and names what is left out in its digest."""
    r = np.random.default_rng(seed)
    mesh, x0, x1 = moved(seed)
    n, faces, edges = mesh.counts[0], len(mesh.faces), len(mesh.edges)
    plain = certificate.digest(mesh, x0, x1)
    which = seed % 4
    if which == 0:
        static = r.random(n) < 0.6
        x1 = np.where(static[:, None], x0, x1)
        mesh.set_static(static)
    elif which == 1:
        mesh.set_groups(r.integers(-1, 2, n))
    elif which == 2:
        mesh.set_component_groups()
    else:
        mesh.set_excluded(
            "vertex-face", np.column_stack([r.integers(0, n, 40), r.integers(0, max(faces, 1), 40)])[: 40 * (faces > 0)]
        )
        mesh.set_excluded("edge-edge", r.integers(0, edges, (60, 2)))
    first = ccd.step.earliest(mesh, x0, x1)
    report = certificate.write(tmp_path / "a", mesh, x0, x1)
    assert report.holds and report.claim == ("separate" if first.separate else "earliest")
    assert first.separate or first.toi_lo * (1 - 2**-9) <= report.until <= first.toi_lo
    assert report.mesh == certificate.digest(mesh, x0, x1) != plain
    assert "left out: pairs within" in report.statement[0]


def test_what_is_left_out_is_no_more_than_the_filters_say(tmp_path):
    """Two triangles of one group pass through each other; a vertex of none that meets the first one is a contact."""
    mesh = ccd.Mesh(faces=TRIANGLES, vertices=8)  # Vertices of no group meet each other: they make no set.
    x0, x1 = (np.vstack([x, [0.5, 0.25, z], [9, 9, 9]]) for x, z in ((APART, 4), (MEETS, -1)))
    mesh.set_groups([2, 2, 2, 2, 2, 2, -1, -1])
    report, lines = made(tmp_path / "a", mesh, x0, x1)
    assert (report.claim, report.contacts) == ("earliest", 1) and "pairs within 1 sets" in report.statement[0]
    at = next(i for i, line in enumerate(lines) if line.startswith("sets "))
    assert lines[at : at + 3] == ["sets 1", "0 1 2 3 4 5", "excluded 0"]
    # With the vertex in the set, or with the pair named, the contact may go; but that is another digest.
    wider = with_digest([*lines[: at + 1], "0 1 2 3 4 5 6", *lines[at + 2 :]])
    assert with_digest(lines) == lines and wider[at + 3] != lines[at + 3]
    # Without the vertex that meets the face first, a witness is missing.
    narrower = with_digest([*lines[: at + 1], "0 1 2 4 5", *lines[at + 2 :]])
    assert "there is no witness" in verdict(narrower)
    assert "has no vertex" in verdict(with_digest([*lines[: at + 1], "", *lines[at + 2 :]]))
    assert "more words" in verdict(with_digest([*lines[: at + 2], "excluded 1", "vf 0 3 4 5 6", *lines[at + 3 :]]))
    # A pair that is named is left out, and no other: the second vertex of the triangle still meets the first one.
    mesh = ccd.Mesh(faces=TRIANGLES)
    hit = ccd.step.earliest(mesh, APART, MEETS)
    mesh.set_excluded(hit.kind, [[hit.a, hit.b]])
    report, lines = made(tmp_path / "a", mesh, APART, MEETS)
    assert "0 sets of vertices, 1 named pairs" in report.statement[0]
    assert report.claim == ("separate" if ccd.step.earliest(mesh, APART, MEETS).separate else "earliest")


def test_a_pair_is_left_out_by_one_set_that_has_all_of_it(tmp_path):
    """Of all pairs of a tangle: those whose vertices are all of one set, and those that are named."""
    mesh, x0, x1 = moved(3)
    _, lines = made(tmp_path / "a", mesh, x0, x1)
    found, at, r = parsed(lines), lines.index("sets 0"), random.Random(3)
    sets = [sorted(r.sample(range(found.vertices), k)) for k in (3, 5, 9, 20)]
    faces = [tuple(f) for f in found.faces]
    named = ("vf", (next(v for v in range(found.vertices) if v not in faces[0]),), faces[0])
    words = " ".join(map(str, ("vf", *named[1], *named[2])))
    rows = [" ".join(map(str, row)) for row in sets]
    other = parsed(with_digest([*lines[:at], "sets 4", *rows, "excluded 1", words, *lines[at + 2 :]]))
    left = 0
    for kind, first, second, _ in other.families():
        for a in first:
            for b in second:
                want = (kind, a, b) == named or any({*a, *b} <= set(row) for row in sets)
                assert other.left_out((kind, a, b)) == want
                assert not found.left_out((kind, a, b))
                left += want
    assert left > 20 and other.left_out(named)


def test_edges_through_faces_that_are_left_out(tmp_path):
    """An edge passes through a face at the start: as a pair that is left out it is no error, and the statement says so."""
    x0 = [[0, 0, 0], [1, 0, 0], [0, 1, 0], [0.2, 0.2, 1], [0.2, 0.2, -1], [0.2, 5, 0]]
    for within in True, False:
        mesh = ccd.Mesh(faces=TRIANGLES)
        if within:
            mesh.set_static([True] * 6)
        else:
            mesh.set_excluded(ccd.proximity.EDGE_FACE, [[e, f] for e in range(6) for f in range(2)])
        report = certificate.write(tmp_path / "a", mesh, x0, x0, check_start=True)
        assert (
            report.holds and report.statement[-1] == "no edge passes through a face at t = 0, but for pairs that are left out"
        )


def test_options_without_effect_beside_a_certificate(tmp_path, capsys):
    start, end, out = (str(tmp_path / name) for name in ("start.obj", "end.npy", "step.cert"))
    Path(start).write_text("".join(f"v {x} {y} {z}\n" for x, y, z in APART) + "f 1 2 3\nf 4 5 6\n")
    np.save(end, MEETS)
    assert main(["step", start, end, "--certificate", out]) == 1
    for more in (
        *(["--min-separation", "0.95"], ["--min-separation", "0"], ["--t-max", "0.5"], ["--norm=max"]),
        *(["--write", "a.npz"], ["--kind", "vf"], ["--tolerance", "1e-6"], ["--threads", "1"], ["--worst", "3"]),
        *(["--max-iterations", "7"], ["--sample", "3"]),
    ):
        capsys.readouterr()
        assert main(["verify", start, end, "--certificate", out, *more]) == 2, more
        said = capsys.readouterr()
        assert said.out == "" and f"{more[0].partition('=')[0]} would have no effect" in said.err
    assert main(["verify", start, end, "--certificate", out, "--json"]) == 0


def test_commands(tmp_path, capsys):
    """`ccd step --certificate` and `ccd verify --certificate`, which compares the mesh too."""
    start, end, out = (str(tmp_path / name) for name in ("start.obj", "end.npy", "step.cert"))
    Path(start).write_text("".join(f"v {x} {y} {z}\n" for x, y, z in APART) + "f 1 2 3\nf 4 5 6\n")
    np.save(end, MEETS)
    assert main(["step", start, end, "--certificate", out]) == 1
    assert main(["verify", start, end, "--certificate", out]) == 0
    assert "the certificate HOLDS\nno two primitives" in capsys.readouterr().out
    assert main(["verify", start, end, "--certificate", out, "--components"]) == 1
    assert "leaves out other pairs" in capsys.readouterr().out
    Path(out).unlink()
    assert main(["step", start, end, "--components", "--certificate", out]) == 1  # no component meets itself: the same contact
    assert main(["verify", start, end, "--certificate", out]) == 1
    assert main(["verify", start, end, "--certificate", out, "--components"]) == 0
    assert "(left out: pairs within 2 sets of vertices, 0 named pairs)" in capsys.readouterr().out
    assert main(["step", start, end, "--certificate", out]) == 1
    capsys.readouterr()
    np.save(end, np.array(MEETS) * 1.5)
    assert main(["verify", start, end, "--certificate", out, "--json"]) == 1
    assert "moves otherwise" in json.loads(capsys.readouterr().out)["certificate"]["reason"]
    Path(out).write_text(Path(out).read_text().replace("claim collisions", "claim separate"))
    assert main(["verify", start, end, "--certificate", out]) == 1
    assert "DOES NOT HOLD\na separate step has no contacts" in capsys.readouterr().out
    for more in ["--radius", "0.1"], ["--norm", "max"], ["--method", "tight-inclusion"]:
        assert main(["step", start, end, "--certificate", out, *more]) == 2
        assert f"certificates know no {more[0]}" in capsys.readouterr().err


@pytest.mark.parametrize("shift, touches", [(0.25, True), (0, True), (2, False), (-1, False)])
def test_a_change_of_sign_beside_a_primitive_is_no_contact(shift, touches):
    """A vertex passes the plane of a face, and an edge passes a line, within the other or beside it."""
    face = [[0, 0, 0] * 2, [4, 0, 0] * 2, [0, 4, 0] * 2]
    vertex = [int(4 * shift), 1, 2, int(4 * shift), 1, -3]
    rods = [[-4, 0, 0] * 2, [4, 0, 0] * 2, [int(8 * shift) - 2, -3, 2, int(8 * shift) - 2, -3, -3]]
    rods.append([rods[2][0], 3, 2, rods[2][0], 3, -3])
    for kind, one, other, x in ("vf", (0,), (1, 2, 3), [vertex, *face]), ("ee", (0, 1), (2, 3), rods):
        motion = checker.Motion(x, 3, 0)
        assert motion.touches((kind, one, other), "change", [0, 8]) == touches, kind
        assert not motion.touches((kind, one, other), "change", [0, 2])  # no change until then
        # A factor that changes its sign and divides nothing proves nothing.
        assert not motion.touches((kind, one, other), "change", [0, 8, 5, -3, 0, 7])
    assert not checker.divides([2, 3], [2, 5, 4]) and checker.divides([2, 3], [4, 8, 3])


def test_a_direction_keeps_the_whole_separation():
    """Two points at a distance of 5, which approach to 3: more than d until the end, at the end, or not."""
    pair = ("pp", (0,), (1,))
    for d, closed, shut in (2, True, True), (3, True, False), (4, False, False):
        motion = checker.Motion([[0, 0, 0, 0, 0, 0], [3, 4, 0, 0, 3, 0]], 0, d)
        for name, numbers in ("between", [0, 0]), ("fixed", [0, 1, 0]):
            assert motion.separates(pair, 0, 1, name, numbers, False) == closed, (d, name)
            assert motion.separates(pair, 0, 1, name, numbers, True) == shut, (d, name)
        assert not motion.separates(pair, 0, 1, "fixed", [0, -1, 0], False)
