"""Films: caches of positions over a mesh, 3MF, COLLADA, and what all films have in common."""

import struct
import tracemalloc
import zipfile

import numpy as np
import pytest
from test_audit_files import FRAMES, RIGHT, TRI, obj, verdicts
from test_audit_formats import snapshots

import ccd
from ccd.audit._films import _film
from ccd.cli import main

FACES = [[0, 1, 2], [3, 4, 5]]
RNG = np.random.default_rng(3)


def pc2(path, frames, start=0.0, rate=1.0, version=1):
    """A PC2 as Blender and 3ds Max write it."""
    x = np.asarray(frames, "<f4")
    path.write_bytes(struct.pack("<12siiffi", b"POINTCACHE2\0", version, x.shape[1], start, rate, x.shape[0]) + x.tobytes())
    return str(path)


def mdd(path, frames, times):
    """An MDD as LightWave writes it."""
    x = np.asarray(frames, ">f4")
    path.write_bytes(struct.pack(">ii", *x.shape[:2]) + np.asarray(times, ">f4").tobytes() + x.tobytes())
    return str(path)


# ---- caches


def test_caches_over_a_mesh(tmp_path, capsys):
    mesh = obj(tmp_path / "rest.obj", TRI + 5, names=("floor", "tile"))  # its positions are not used
    one, other = pc2(tmp_path / "a.pc2", FRAMES, 7.0, 0.5), mdd(tmp_path / "a.mdd", FRAMES, np.arange(5) / 24)
    for path in (one, other):
        found = snapshots([path], mesh)
        assert verdicts(path, mesh=mesh) == RIGHT
        assert all(np.array_equal(np.float32(frame), one.x) for frame, one in zip(FRAMES, found)) and len(found) == 5
        assert found[0].faces.tolist() == FACES
        (event,) = [event for _, event in ccd.audit.files(path, mesh=mesh).events()]
        assert (event.a, event.b) == ("floor", "tile")
        assert main(["audit", path, "--mesh", mesh]) == 1
        assert main(["step", f"{path}[1]", f"{path}[2]", "--mesh", mesh]) == 1
        assert main(["view", path, "--mesh", mesh, "-o", str(tmp_path / "page.html")]) == 1
    assert [s.item.time for s in snapshots([one], mesh)] == [None] * 5
    assert np.allclose([s.item.time for s in snapshots([other], mesh)], np.arange(5) / 24)
    assert any("the start 7 and the rate 0.5 of the cache are ignored" in n for n in ccd.audit.files(one, mesh=mesh).notes)


def test_caches_that_do_not_fit(tmp_path):
    mesh = obj(tmp_path / "rest.obj", TRI)
    path = pc2(tmp_path / "a.pc2", FRAMES)
    with pytest.raises(ccd.ArgumentError, match="has no faces: give a file that has them"):
        ccd.audit.files(path)
    with pytest.raises(ccd.ArgumentError, match=r"has 3 vertices, frames of .* have 6"):
        ccd.audit.files(path, mesh=obj(tmp_path / "few.obj", TRI[:3], [(0, 1, 2)]))
    whole = (tmp_path / "a.pc2").read_bytes()
    for data, words in (
        (whole[:-1], "5 frames of 6 vertices need 392"), (whole + b"x", "need 392"), (whole[:20], "within its header"),
        (b"POINTCACHE3\0" + whole[12:], "no PC2"), (whole[:12] + struct.pack("<i", 2) + whole[16:], "version 2"),
        (whole[:16] + struct.pack("<i", -1) + whole[20:], "-1 vertices"),
    ):  # fmt: skip
        (tmp_path / "b.pc2").write_bytes(data)
        with pytest.raises(ccd.FileError, match=words):
            ccd.audit.files(tmp_path / "b.pc2", mesh=mesh)
    for count in (0, 6):
        (tmp_path / "b.pc2").write_bytes(
            whole[:16] + struct.pack("<i", count) + whole[20:28] + struct.pack("<i", 1 << 24) + whole[32:]
        )
        tracemalloc.start()
        with pytest.raises(ccd.FileError, match=f"16.?777.?216 frames of {count} vertices"):
            ccd.audit.files(tmp_path / "b.pc2", mesh=mesh)
        assert tracemalloc.get_traced_memory()[1] < 1 << 24
        tracemalloc.stop()
    mdd(tmp_path / "a.mdd", FRAMES, [0, 2, 1, 3, 4])
    whole = (tmp_path / "a.mdd").read_bytes()
    assert any("do not ascend" in note for note in ccd.audit.files(tmp_path / "a.mdd", mesh=mesh).notes)
    for data in (whole[:-1], whole[:6], struct.pack(">ii", 1 << 30, 1 << 30) + whole[8:]):
        (tmp_path / "b.mdd").write_bytes(data)
        with pytest.raises(ccd.FileError):
            ccd.audit.files(tmp_path / "b.mdd", mesh=mesh)


# ---- 3MF


CORE = "http://schemas.microsoft.com/3dmanufacturing/core/2015/02"


def part(x, faces):
    points = "".join(f'<vertex x="{a!r}" y="{b!r}" z="{c!r}"/>' for a, b, c in np.asarray(x, float).tolist())
    triangles = "".join(f'<triangle v1="{a}" v2="{b}" v3="{c}"/>' for a, b, c in faces)
    return f"<mesh><vertices>{points}</vertices><triangles>{triangles}</triangles></mesh>"


def threemf(path, objects, items, head="", unit="millimeter"):
    model = (
        f'<?xml version="1.0"?><model unit="{unit}" xmlns="{CORE}" {head}><resources>{objects}</resources>'
        f"<build>{items}</build></model>"
    )
    kind = "http://schemas.microsoft.com/3dmanufacturing/2013/01/3dmodel"
    space = "http://schemas.openxmlformats.org/package/2006/relationships"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr(
            "_rels/.rels",
            f'<Relationships xmlns="{space}"><Relationship Target="/3D/a.model" Id="r" Type="{kind}"/></Relationships>',
        )
        archive.writestr("3D/a.model", model)
    return str(path)


def test_components_and_transforms_of_3mf(tmp_path):
    objects = (
        f'<object id="1" name="tile">{part(TRI[:3], [FACES[0]])}</object><object id="2"><components>'
        '<component objectid="1"/><component objectid="1" transform="0 2 0 -1 0 0 0 0 1 10 20 30"/></components></object>'
    )
    path = threemf(
        tmp_path / "a.3mf", objects, '<item objectid="2" transform="1 0 0 0 1 0 0 0 1 0.5 0 0"/><item objectid="1"/>'
    )
    (found,) = snapshots([path])
    assert len(found.names) == 3 and all("tile" in name for name in found.names)
    x, y, z = TRI[:3].T
    wanted = [TRI[:3] + np.array([0.5, 0, 0]), np.column_stack([-y + 10.5, 2 * x + 20, z + 30]), TRI[:3]]
    for k in range(3):
        assert np.array_equal(found.x[3 * k : 3 * k + 3], wanted[k])
    assert any("lengths are in millimeters" in note for note in ccd.audit.files(path).notes)


@pytest.mark.parametrize(
    ("head", "inside", "words"),
    [
        (
            'requiredextensions="b" xmlns:b="http://schemas.microsoft.com/3dmanufacturing/beamlattice/2017/02"',
            "",
            "beam lattices",
        ),
        ('requiredextensions="q" xmlns:q="http://example.com/q"', "", "http://example.com/q"),
        ('xmlns:b="http://schemas.microsoft.com/3dmanufacturing/beamlattice/2017/02"', "<b:beamlattice/>", "beam lattices"),
    ],
)
def test_extensions_of_3mf(head, inside, words, tmp_path):
    body = part(TRI, FACES).replace("</mesh>", f"{inside}</mesh>")
    path = threemf(tmp_path / "a.3mf", f'<object id="1">{body}</object>', '<item objectid="1"/>', head)
    with pytest.raises(ccd.UnsupportedError, match=words):
        ccd.audit.files(path)


def test_3mf_that_is_wrong(tmp_path):
    circle = '<object id="1"><components><component objectid="1"/></components></object>'
    with pytest.raises(ccd.FileError, match="100 deep"):
        ccd.audit.files(threemf(tmp_path / "a.3mf", circle, '<item objectid="1"/>'))
    with pytest.raises(ccd.FileError, match="there is no object 7"):
        ccd.audit.files(threemf(tmp_path / "a.3mf", "", '<item objectid="7"/>'))
    with pytest.raises(ccd.FileError, match="has vertex 9 of 6"):
        ccd.audit.files(
            threemf(tmp_path / "a.3mf", f'<object id="1">{part(TRI, [[0, 1, 9]])}</object>', '<item objectid="1"/>')
        )
    (tmp_path / "b.3mf").write_bytes(b"PK\3\4 no archive")
    with pytest.raises(ccd.FileError, match=r"b\.3mf"):
        ccd.audit.files(tmp_path / "b.3mf")


def test_text_of_few_digits_is_rounded(tmp_path):
    body = part(TRI, FACES).replace('"1.0"', '"123.456"')
    path = threemf(tmp_path / "a.3mf", f'<object id="1">{body}</object>', '<item objectid="1"/>')
    (found,) = snapshots([path])
    assert 0.5e-3 * np.sqrt(3) <= found.off <= 0.51e-3 * np.sqrt(3)
    assert any("in text of few digits" in note for note in ccd.audit.files(path).notes)


# ---- what all have


def test_names_that_several_have_get_numbers():
    assert _film.unique(["a", "b", "a", ""], ["1", "2", "3", "4"]) == ["a (1)", "b", "a (3)", "body (4)"]


def test_corners_in_the_other_order_keep_the_first():
    corners, sizes = np.array([1, 2, 3, 4, 5, 6, 7], np.int32), np.array([3, 4], np.int32)
    assert _film.turned_corners(corners, sizes).tolist() == [1, 3, 2, 4, 7, 6, 5]


def test_a_ball_holds_what_transforms_do():
    """Points, stored numbers of transforms and their errors at random: no result leaves the ball."""
    rng, most = np.random.default_rng(11), 0.0
    for _ in range(300):
        share, x = 1e-3, rng.normal(size=(5, 3))
        off = x * (1 + rng.choice([-1, 1], x.shape) * share)
        ball = _film.Ball.of(x, share)
        y, z = x, off
        for _ in range(3):
            by = rng.normal(size=3)
            wrong = by * (1 + rng.choice([-1, 1], 3) * share)
            kind = rng.integers(3)
            if kind == 0:
                y, z, ball = y + by, z + wrong, ball.moved(by, share)
            elif kind == 1:
                y, z, ball = y * by, z * wrong, ball.scaled(by, share)
            else:
                m = np.eye(4)
                m[:3] = rng.normal(size=(3, 4))
                other = m * (1 + rng.choice([-1, 1], m.shape) * share)
                y, z = (p @ n[:3, :3].T + n[:3, 3] for p, n in ((y, m), (z, other)))
                ball = ball.mapped(m, share)
        assert np.linalg.norm(y, axis=1).max() <= ball.reach
        worst = np.linalg.norm(y - z, axis=1).max()
        assert worst <= ball.off * (1 + share) ** 3
        most = max(most, worst / ball.off)
    assert most > 0.1


def test_films_go_with_films_alone(tmp_path):
    mesh = obj(tmp_path / "rest.obj", TRI)
    path = pc2(tmp_path / "a.pc2", FRAMES)
    with pytest.raises(ccd.ArgumentError, match="give films alone"):
        ccd.audit.files([mesh, path], mesh=mesh)
    with pytest.raises(ccd.ArgumentError, match="displacement and rest are for files of meshes"):
        ccd.audit.files(path, mesh=mesh, displacement="u")
    assert main(["check", mesh, "--animation", "walk"]) == 2
    assert main(["view", mesh, "--mesh", mesh]) == 2


def test_weld_joins_within_a_body(tmp_path):
    apart = np.vstack([TRI[:3], TRI[[0, 1]], [[0, 0, 1]]])
    objects = (
        f'<object id="1" name="a">{part(apart, FACES)}</object><object id="2" name="b">{part(TRI[:3], [FACES[0]])}</object>'
    )
    path = threemf(tmp_path / "a.3mf", objects, '<item objectid="1"/><item objectid="2"/>')
    (plain,), (welded,) = snapshots([path]), snapshots([path], weld=True)
    assert len(plain.x) == 9 and len(welded.x) == 7 and welded.names == ["a", "b"]
    assert main(["check", path, "--weld", "--json"]) == 1  # b lies on a face of a
