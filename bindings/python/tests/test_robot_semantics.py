"""What SRDF files say of robots besides allowed pairs: the joint they stand on, states, passive joints."""

import pytest
from robots import ARM, TWO, robot

import ccd
from ccd.robot import Path, Shape

TEXT = '<robot name="arm">{}</robot>'
DRIVE = '<virtual_joint name="drive" type="planar" parent_frame="odom" child_link="base"/>'


def given(tmp_path, text):
    (tmp_path / "arm.srdf").write_text(TEXT.format(text))
    return tmp_path / "arm.srdf"


def test_a_robot_stands_on_its_virtual_joint(tmp_path):
    one = robot(tmp_path, ARM, srdf=given(tmp_path, DRIVE), mobile=True)
    assert one.links == ("odom", "base", "arm") and one.joints == ("drive/x", "drive/y", "drive/theta", "turn")
    wall = {"wall": [Shape.box([1, 9, 1]).placed([[1, 0, 0], [0, 1, 0], [0, 0, 1]], [5.5, 0, 0])]}
    hit = ccd.robot.check(one, Path(one.joints, [[0, 0, 0, 0], [8, 0, 0, 0]]), wall).contact  # the tip is at 1, the wall at 5
    assert hit.a == "arm" and hit.values[0] == pytest.approx(4, abs=1e-6)
    still = robot(tmp_path, ARM, srdf=given(tmp_path, DRIVE.replace("planar", "fixed")), mobile=True)
    assert still.links == ("base", "arm")
    assert robot(tmp_path, ARM, srdf=given(tmp_path, DRIVE)).links == ("base", "arm")  # its base rests unless asked
    for again in (one, robot(tmp_path, ARM)):  # with or without the joint
        found = ccd.robot.read_semantics(given(tmp_path, DRIVE), again)
        assert found.virtual == ("planar", "drive", "odom")
        assert (found.allowed, found.states, found.passive) == ([], {}, [])


def test_states_and_passive_joints(tmp_path):
    text = f"""{DRIVE}<passive_joint name="b"/><passive_joint name="gone"/><group name="arm"><joint name="a"/></group>
      <group_state name="home" group="arm"><joint name="a" value=" 0.5 "/><joint name="gone" value="1"/></group_state>
      <group_state name="home" group="all"><joint name="b" value="-1"/><joint name="drive" value="1 2 3"/></group_state>"""
    one = robot(tmp_path, TWO)
    found = ccd.robot.read_semantics(given(tmp_path, text), one)
    assert found.passive == ["b"]
    assert found.states["arm", "home"] == {"a": 0.5}
    assert found.states["all", "home"] == {"b": -1.0, "drive/x": 1.0, "drive/y": 2.0, "drive/theta": 3.0}
    rover = one.mobile(*found.virtual)
    assert rover.place(found.states["all", "home"])["base"][:3, 3].tolist() == [1, 2, 0]
    same = ccd.robot.read_semantics(tmp_path / "arm.srdf", rover)
    assert same == found
    fly = text.replace("planar", "floating").replace("1 2 3", "1 2 3 0 0 0 1")
    state = ccd.robot.read_semantics(given(tmp_path, fly), one).states["all", "home"]
    parts = ("trans_x", "trans_y", "trans_z", "rot_x", "rot_y", "rot_z", "rot_w")
    assert list(state)[1:] == [f"drive/{part}" for part in parts]


@pytest.mark.parametrize(
    ("text", "words"),
    [
        (DRIVE.replace('parent_frame="odom"', ""), "virtual_joint 'drive' has no parent_frame"),
        (DRIVE.replace('name="drive"', ""), "a virtual_joint has no name"),
        (DRIVE.replace("planar", "hinge"), "type is 'hinge': must be fixed, planar or floating"),
        (DRIVE.replace('"base"', '"leg"'), "its child_link 'leg' is no link"),
        (DRIVE.replace('"base"', '"arm"'), "its child_link 'arm' is the child of joint 'turn'"),
        (DRIVE.replace('"odom"', '"arm"'), "its parent_frame 'arm' is a link"),
        (DRIVE.replace('"drive"', '"turn"'), "a joint has this name"),
        (DRIVE + DRIVE.replace("drive", "more"), "'drive' and 'more': a robot stands on one joint"),
        ('<joint_property joint_name="drive" property_name="motion_model" value="diff_drive"/>', "'drive' is 'diff_drive'"),
    ],
)
def test_what_stands_otherwise_is_refused(tmp_path, text, words):
    with pytest.raises(ccd.Error, match=words):
        robot(tmp_path, ARM, srdf=given(tmp_path, text), mobile=True)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("<passive_joint/>", "passive_joint 0 has no name"),
        ('<group_state group="a"/>', "group_state 0 has no name"),
        ('<group_state name="a"/>', "group_state 0 has no group"),
        ('<group_state name="s" group="a"/><group_state name="s" group="a"/>', "'s' of group 'a' is there twice"),
        ('<group_state name="s" group="a"><joint value="1"/></group_state>', "'s': joint None has no name"),
        ('<group_state name="s" group="a"><joint name="turn"/></group_state>', "joint 'turn' has no value"),
        ('<group_state name="s" group="a"><joint name="turn" value="1 2"/></group_state>', "value is '1 2': must be a number"),
        ('<group_state name="s" group="a"><joint name="turn" value="x"/></group_state>', "value is 'x': must be a number"),
    ],
)
def test_malformed_states_are_refused(tmp_path, text, words):
    with pytest.raises(ccd.FileError, match=words):
        ccd.robot.read_semantics(given(tmp_path, text), robot(tmp_path, ARM))


def test_a_holonomic_base_goes_straight(tmp_path):
    text = '<joint_property joint_name="drive" property_name="motion_model" value="holonomic"/>'
    assert robot(tmp_path, ARM, srdf=given(tmp_path, DRIVE + text), mobile=True).links[0] == "odom"
