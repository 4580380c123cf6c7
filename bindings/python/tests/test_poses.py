"""Poses: matrices, SciPy's rotations and their like, wherever a pose is taken."""

import json

import numpy as np
import pytest

import ccd
from ccd.rigid import Body, Motion, motion_between, motion_screw
from ccd.rigid._pose import from_matrix, to_matrix

QUARTER = np.array([[0, -1, 0], [1, 0, 0], [0, 0, 1.0]])  # about z
TETRA = [[0, 0, 0], [1, 0, 1], [-1, 1, 1], [-1, -1, 1]]
SIDES = [[0, 1, 2], [0, 2, 3], [0, 3, 1], [1, 3, 2]]
PLATE = [[-5, -5, 0], [5, -5, 0], [0, 9, 0]]


class Turn:
    """What a rotation of SciPy offers, of a quaternion x, y, z, w."""

    def __init__(self, quat, matrix=None):
        self.quat = np.asarray(quat, float)
        self.matrix = to_matrix(self.quat[..., [3, 0, 1, 2]]) if matrix is None else matrix

    def as_quat(self):
        return self.quat

    def as_matrix(self):
        return self.matrix


class Transform:
    """What a rigid transform of SciPy offers."""

    def __init__(self, matrix):
        self.matrix = matrix

    def as_matrix(self):
        return self.matrix


def pose(rotation=QUARTER, position=(1, 2, 3)):
    out = np.eye(4)
    out[:3, :3], out[:3, 3] = rotation, position
    return out


def rotations():
    """Matrices of all kinds: no turn, half turns, random ones, and each component of the quaternion the largest."""
    rng = np.random.default_rng(7)
    special = np.vstack([np.eye(4), np.eye(4) + np.eye(4)[::-1], [[1, 1, 1, 1], [0, 1, 1, 1], [1e-9, 1, 0, 0]]])
    return [to_matrix(q) for q in (*special, *rng.normal(size=(200, 4)))]


def test_a_matrix_becomes_its_quaternion():
    for matrix in rotations():
        q = from_matrix("x", matrix)
        assert abs(np.linalg.norm(q) - 1) < 1e-15 and np.abs(to_matrix(q) - matrix).max() < 2e-15
    for matrix in rotations():  # the error is that of the matrix in single precision
        assert np.abs(to_matrix(from_matrix("x", matrix.astype(np.float32).astype(float))) - matrix).max() < 3e-7


def test_every_form_of_a_rotation_is_the_same():
    s = np.sqrt(0.5)
    want = Motion(rotation=(s, 0, 0, s)).at(0, TETRA)
    for form in (QUARTER, QUARTER.tolist(), QUARTER.astype(int), Turn([0, 0, s, s]), Transform(QUARTER)):
        motion = Motion(rotation=form)
        assert np.shape(motion.rotation) == (4,) and json.dumps(motion.rotation)
        np.testing.assert_allclose(motion.at(0, TETRA), want, atol=1e-15)
        screw = motion_screw(form, (1, 2, 3), (0, 0, 0), (0, 0, 1), 2)
        np.testing.assert_allclose(screw.at(0, TETRA), want + np.array([1, 2, 3]), atol=1e-15)


def test_every_form_of_a_pose_is_the_same():
    want = TETRA @ QUARTER.T + [1, 2, 3]
    s = np.sqrt(0.5)
    forms = (
        pose(),
        pose().tolist(),
        Transform(pose()),
        (QUARTER, (1, 2, 3)),
        [Turn([0, 0, s, s]), (1, 2, 3)],
        ((s, 0, 0, s), (1, 2, 3)),
    )
    for form in forms:
        for pivot in ((0, 0, 0), (0.5, -2, 1)):
            motion = Motion.from_pose(form, velocity=(0, 0, 4), angular_velocity=(0, 0, 2), pivot=pivot)
            np.testing.assert_allclose(motion.at(0, TETRA), want, atol=1e-14)
            assert motion.velocity == (0, 0, 4) and motion.angular_velocity == (0, 0, 2) and motion.pivot == pivot
            np.testing.assert_allclose(motion_between(np.eye(4), form, 2, pivot).at(2, TETRA), want, atol=1e-14)
        np.testing.assert_allclose(Motion.from_pose(form).matrix(0), pose(), atol=1e-15)
    np.testing.assert_allclose(motion_between(pose(), np.linalg.inv(pose())).matrix(1), np.linalg.inv(pose()), atol=1e-14)


def test_a_pose_is_a_body_at_rest():
    cone, plate = Body(TETRA, SIDES), Body(PLATE, [[0, 1, 2]])
    down = Motion(position=(0, 0, 3), velocity=(0, 0, -4))
    higher = pose(np.eye(3), (0, 0, 1))
    want = ccd.rigid.earliest(cone, down, plate, Motion(position=(0, 0, 1)))
    assert want.contact and ccd.rigid.earliest(cone, down, plate, higher) == want
    scene = ccd.rigid.scene_earliest([cone, plate], [down, higher])
    assert scene.impact == want == ccd.rigid.scene_earliest([cone, plate], [down, (np.eye(3), (0, 0, 1))]).impact
    assert len(ccd.rigid.scene_collisions([plate, plate], np.stack([higher, pose(np.eye(3), (0, 0, 2))]))) == 0
    with pytest.raises(ccd.ArgumentError, match=r"motions\[1\] has shape \(3, 4\): must be \(4, 4\)"):
        ccd.rigid.scene_earliest([cone, plate], [down, higher[:3]])
    page = ccd.view.Page("x")
    page.add_body(PLATE, [[0, 1, 2]], higher)
    with pytest.raises(ccd.ArgumentError, match="motion is int: must be a "):
        page.add_body(PLATE, [[0, 1, 2]], 3)


def test_scipy():
    transform = pytest.importorskip("scipy.spatial.transform")
    turn = transform.Rotation.from_euler("xyz", (20, -50, 170), degrees=True)
    matrix = pose(turn.as_matrix())
    forms = [matrix, (turn, (1, 2, 3))]
    if hasattr(transform, "RigidTransform"):
        forms.append(transform.RigidTransform.from_matrix(matrix))
    for form in forms:
        np.testing.assert_allclose(Motion.from_pose(form).matrix(0), matrix, atol=1e-15)
    assert Motion(rotation=turn).rotation == tuple(turn.as_quat()[[3, 0, 1, 2]])
    stack = transform.Rotation.random(3, rng=np.random.default_rng(1))
    with pytest.raises(ccd.ArgumentError, match="rotation holds 3 rotations: must be a single one"):
        Motion(rotation=stack)
    with pytest.raises(ccd.ArgumentError, match="start is Rotation, without a position"):
        motion_between(turn, matrix)


def changed(at, value):
    out = pose()
    out[at] = value
    return out


@pytest.mark.parametrize(
    "given, error, text",
    [
        (pose()[:3], ccd.ArgumentError, r"start has shape \(3, 4\): must be \(4, 4\)"),
        (pose()[:3].tolist(), ccd.ArgumentError, r"start has shape \(3, 4\): must be \(4, 4\)"),
        (np.zeros(7), ccd.ArgumentError, r"start has shape \(7,\): must be \(4, 4\)"),
        (Transform(QUARTER), ccd.ArgumentError, r"start has shape \(3, 3\): must be \(4, 4\)"),
        ((1, 2, 3), ccd.ArgumentError, r"start has 3 items: must be a rotation and a position, or a matrix"),
        ((), ccd.ArgumentError, "start has 0 items"),
        (5, ccd.ArgumentError, r"start is int: must be a rotation and a position, or a matrix \(4, 4\)"),
        (pose(2 * QUARTER), ccd.ArgumentError, r"rotation of start is not a rotation: .* off the identity by 3, at most 1e-06"),
        (pose(QUARTER + 1e-6), ccd.ArgumentError, "off the identity by 2e-06"),
        (pose(QUARTER[::-1]), ccd.ArgumentError, "rotation of start is not a rotation: its determinant is -1"),
        (pose(np.zeros((3, 3))), ccd.ArgumentError, "off the identity by 1,"),
        (pose(1e150 * QUARTER), ccd.ArgumentError, r"off the identity by 1e\+300"),
        (changed((3, 0), 0.5), ccd.ArgumentError, r"start has the last row \[0.5, 0.0, 0.0, 1.0\]: must be 0, 0, 0, 1"),
        (pose().T, ccd.ArgumentError, "start has the last row .*: must be 0, 0, 0, 1; .* transpose the matrix"),
        (((1, 2, 3), Turn([1, 0, 0, 0])), ccd.ArgumentError, r"start is a position and a rotation: the order"),
        ((pose(), pose()), ccd.ArgumentError, r"rotation of start has shape \(4, 4\): .* for two poses motion_between"),
        (changed((1, 2), np.nan), ccd.NonFiniteError, r"start\[1\]\[2\] is nan"),
        (changed((1, 3), np.inf), ccd.NonFiniteError, r"start\[1\]\[3\] is inf"),
        (((1, 0, 0, 0), (1, 2)), ccd.ArgumentError, r"position of start has shape \(2,\)"),
        (((1, 0, 0), (1, 2, 3)), ccd.ArgumentError, r"rotation of start has shape \(3,\): must be \(4,\) or \(3, 3\)"),
        ((Turn([0, 0, 0, 0], np.eye(3)), (1, 2, 3)), ccd.ArgumentError, "rotation of start is 0"),
        ((Turn([1, 0, 0, 0], np.eye(3)), (1, 2, 3)), ccd.ArgumentError, "as_quat must be x, y, z, w"),
        (np.full((4, 4), "a"), ccd.ArgumentError, "start has dtype"),
    ],
)
def test_a_bad_pose_names_itself(given, error, text):
    with pytest.raises(error, match=text):
        motion_between(given, pose())
    with pytest.raises(error, match=text.replace("start", "pose")):
        Motion.from_pose(given)


def test_poses_in_scene_files(tmp_path):
    (tmp_path / "t.off").write_text("OFF 3 1 0\n0 0 0\n1 0 0\n0 1 0\n3 0 1 2\n")

    def read(**body):
        (tmp_path / "s.json").write_text(json.dumps({"bodies": [{"file": "t.off"}, {"file": "t.off"} | body]}))
        return ccd.rigid.read_scene(tmp_path / "s.json").motions[1]

    moved = {"velocity": [0, 0, -1], "pivot": [1, 0, 0]}
    want = Motion.from_pose(pose(), **moved)
    assert read(pose=pose().tolist(), **moved) == want
    turned = read(rotation=QUARTER.tolist(), position=[1, 2, 3])
    np.testing.assert_allclose(turned.matrix(0), pose(), atol=1e-15)
    for body, text in (
        ({"pose": (2 * pose()).tolist()}, r"s\.json: bodies\[1\]: pose has the last row"),
        ({"pose": pose(2 * QUARTER).tolist()}, r"s\.json: bodies\[1\]: rotation of pose is not a rotation"),
        ({"pose": "x"}, r"s\.json: bodies\[1\]: pose is str: must be a rotation and a position, or a matrix \(4, 4\)"),
        ({"rotation": (2 * QUARTER).tolist()}, r"s\.json: bodies\[1\]: rotation is not a rotation"),
        ({"pose": pose().tolist(), "position": [0, 0, 0]}, r"bodies\[1\]: pose is given with rotation or position"),
    ):
        with pytest.raises(ccd.ArgumentError, match=text):
            read(**body)


def test_a_bad_rotation_names_itself():
    for given, text in (
        (pose(), r"rotation has shape \(4, 4\): must be \(4,\) or \(3, 3\); for a pose write Motion.from_pose"),
        (QUARTER[:2], r"rotation has shape \(2, 3\): must be \(4,\) or \(3, 3\)"),
        (1.001 * QUARTER, "rotation is not a rotation: its R.T R is off the identity by 0.002"),
        (-np.eye(3), "rotation is not a rotation: its determinant is -1"),
    ):
        with pytest.raises(ccd.ArgumentError, match=text):
            Motion(rotation=given)
