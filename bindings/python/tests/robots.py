"""What the tests of robots share: URDF files, robots and obstacles."""

import math

import numpy as np
import pytest

import ccd
from ccd.robot import Shape

yourdfpy = pytest.importorskip("yourdfpy", reason="yourdfpy is not installed: robots are not tested")

NONE = np.empty((0, 2), np.int32)
ARM = """<robot name="arm"><link name="base"/><link name="arm"><collision><origin xyz="0.5 0 0"/>
  <geometry><box size="1 0.1 0.1"/></geometry></collision></link>
  <joint name="turn" type="continuous"><parent link="base"/><child link="arm"/><axis xyz="0 0 1"/></joint></robot>"""
TIP = math.hypot(1, 0.05)  # how far the arm reaches from its axis


def robot(tmp_path, text, **options):
    (tmp_path / "robot.urdf").write_text(text)
    return ccd.robot.read(tmp_path / "robot.urdf", **options)


def plate(y, half=0.2, z=0.3):
    """A rectangle across the y axis, at the height y."""
    x = [[-half, y, -z], [half, y, -z], [half, y, z], [-half, y, z]]
    return ccd.Surface(np.array(x), NONE, np.array([[0, 1, 2], [0, 2, 3]], np.int32))


def numbers(values):
    return " ".join(repr(float(v)) for v in values)


def random_urdf(r, count, shapes=("box",)):
    """A tree of random joints of all kinds, with a joint that mimics another."""
    out = ['<robot name="random"><link name="l0"/>']
    for i in range(1, count):
        kind = "revolute" if i == 1 else r.choice(["revolute", "continuous", "prismatic", "fixed"], p=[0.5, 0.2, 0.2, 0.1])
        axis = r.normal(size=3)
        size = r.uniform(0.05, 0.3, 3)
        shape = {
            "box": f'<box size="{numbers(size)}"/>',
            "sphere": f'<sphere radius="{size[0]}"/>',
            "cylinder": f'<cylinder radius="{size[0]}" length="{size[1]}"/>',
            "capsule": f'<capsule radius="{size[0]}" length="{size[1]}"/>',
        }[r.choice(shapes)]
        origin = [f'<origin xyz="{numbers(r.uniform(-s, s, 3))}" rpy="{numbers(r.uniform(-3, 3, 3))}"/>' for s in (0.2, 0.5)]
        mimic = '<mimic joint="j1" multiplier="-0.5" offset="0.1"/>' if i == 4 and kind != "fixed" else ""
        out.append(f'<link name="l{i}"><collision>{origin[0]}<geometry>{shape}</geometry></collision></link>')
        out.append(f'<joint name="j{i}" type="{kind}"><parent link="l{r.integers(max(0, i - 2), i)}"/><child link="l{i}"/>')
        out.append(f'{origin[1]}<axis xyz="{numbers(axis / np.linalg.norm(axis))}"/>{mimic}</joint>')
    return "\n".join([*out, "</robot>"])


TWO = """<robot name="two"><link name="base"><collision><geometry><box size="0.2 0.2 0.2"/></geometry></collision></link>
  <link name="upper"><collision><origin xyz="0.5 0 0"/><geometry><box size="1 0.1 0.1"/></geometry></collision></link>
  <link name="lower"><collision><origin xyz="0.5 0 0"/><geometry><box size="1 0.1 0.1"/></geometry></collision></link>
  <joint name="a" type="revolute"><parent link="base"/><child link="upper"/><axis xyz="0 0 1"/></joint>
  <joint name="b" type="revolute"><parent link="upper"/><child link="lower"/><origin xyz="1 0 0"/><axis xyz="0 0 1"/></joint>
  </robot>"""


BAR = Shape.box([1, 0.1, 0.1]).placed(np.eye(3), [0.5, 0, 0])
TURN = ccd.robot.JointModel.moving("turn", "revolute", 0, 1, source=0)


def by_hand(joint=TURN, shapes=BAR, **options):
    return ccd.robot.Robot("arm", ["base", "arm"], [[], [shapes]], [joint], ["turn"], **options)


def tree(links, *joints, rest=""):
    """A URDF of links, and joints of (name, type, parent, child, what else)."""
    parts = [f'<link name="{name}"/>' for name in links]
    for name, kind, parent, child, more in joints:
        parts.append(f'<joint name="{name}" type="{kind}"><parent link="{parent}"/><child link="{child}"/>{more}</joint>')
    return f'<robot name="r">{"".join(parts)}{rest}</robot>'
