"""The examples of audits: what a recorder says of simulators, where these are installed."""

import importlib
import importlib.metadata
import os
import sys

import numpy as np
import pytest
from conftest import CHECKOUT
from test_audit_files import CASES

FOLDER = CHECKOUT / "examples" / "audit"


@pytest.fixture
def example(monkeypatch):
    """Imports an example, which imports its neighbors."""
    monkeypatch.syspath_prepend(str(FOLDER))
    installed = importlib.metadata.packages_distributions()

    def load(name, *needed):
        for package in needed:
            if package not in installed:  # a file of this name, put on the path by another test, is none
                pytest.skip(f"{package} is not installed")
        for module in (name, "common"):
            sys.modules.pop(module, None)
        return importlib.import_module(name)

    return load


def test_ipctk_bounds_steps_that_are_proven(example, capsys):
    main = example("ipctk_solver", "ipctk").main
    assert main(["--steps", "16"]) == ["separate"] * 16
    without = main(["--steps", "16", "--without"])
    assert "entered" in without and "entered, sheet and spike at t = " in capsys.readouterr().out


def test_a_needle_goes_through_a_flex_of_mujoco(example):
    module = example("mujoco_flex", "mujoco")
    verdicts = module.main([])
    assert verdicts.count("passed through") == 1 and set(verdicts) == {"separate", "passed through"}


def test_states_of_mujoco_have_the_positions_of_the_simulation(example):
    """Vertices from a recorded state are those that MuJoCo has in that state, mocap poses among them."""
    module = example("mujoco_flex", "mujoco")
    import mujoco

    model = mujoco.MjModel.from_xml_string(module.SCENE)
    recorded = list(module.states(model, 5))
    data, kind = mujoco.MjData(model), mujoco.mjtState.mjSTATE_INTEGRATION
    seen = []
    for state, frame in zip(recorded, module.frames(model, recorded)):
        mujoco.mj_setState(model, data, state, kind)
        mujoco.mj_kinematics(model, data)
        mujoco.mj_comPos(model, data)
        mujoco.mj_flex(model, data)
        n = len(data.flexvert_xpos)
        assert np.array_equal(frame[:n], data.flexvert_xpos)
        for row, vertex in zip(frame[n:], model.mesh_vert):
            right = np.empty(3)
            mujoco.mju_mulMatVec(right, data.geom_xmat[0].reshape(3, 3), vertex.astype(float))
            assert np.allclose(row, right + data.geom_xpos[0], rtol=0, atol=1e-15)
        seen.append(data.mocap_pos[0, 2])
    assert np.allclose(np.diff(seen), -module.SPEED * model.opt.timestep)


@pytest.mark.long
def test_a_cloth_of_pybullet_goes_through_a_plate(example):
    module = example("pybullet_soft", "pybullet")
    verdicts = module.main([])
    assert verdicts.count("passed through") == 1 and len(verdicts) == 75


@pytest.mark.long
def test_sheets_of_newton_pass_through_each_other_in_the_fourth_step(example):
    module = example("newton_cloth", "newton", "warp")
    assert module.main(["--steps", "5"]) == ["separate"] * 3 + ["passed through", "separate"]


def test_output_of_polyfem(example, capsys):
    paths = [os.path.join(CASES, f"step_{k}_surf_contact.vtu") for k in (0, 2)]
    if not all(map(os.path.exists, paths)):
        pytest.skip("no shared cases")
    assert example("polyfem_output").main(paths) == ["entered"]
    assert "first contact at t = 0.625" in capsys.readouterr().out
