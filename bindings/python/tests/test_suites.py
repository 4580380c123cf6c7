""".ci/suites.py, which `make test` is: what it runs, says, counts and ends with, on targets of a Makefile made here."""

import json
import os
import re
import shutil
import signal
import subprocess
import sys
from pathlib import Path

import pytest

CI = Path(__file__).resolve().parents[3] / ".ci"
pytestmark = [
    pytest.mark.skipif(not (CI / "suites.py").is_file(), reason="no checkout: the runner of the suites is not there"),
    pytest.mark.skipif(not shutil.which("make"), reason="make is not installed"),
]

MAKEFILE = """
library venv js docs-tools:
	@echo made $@ $(BUILT); test "$@" != "$(BROKEN)"
peers-small:
	@echo numpydoc cannot be had: the tests that want it skip
test-python:
	@printf '.....    [ 50%%]\\n.....    [100%%]\\n'
	@echo 'SKIPPED [7] tests/test_a.py:3: numpydoc is not installed: make docs installs it'
	@printf 'SKIPPED [2] tests/test_b.py:9: runs in make test-long (CCD_LONG=1)\\n'
	@echo "SKIPPED [3] tests/test_c.py:4: could not import 'scipy.sparse': No module named 'scipy'"
	@echo '90 passed, 12 skipped in 3.21s'
test-rust:
	@echo 'test result: ok. 5 passed; 0 failed; 1 ignored; 0 measured; 0 filtered out'
test-c:
	@printf '100%% tests passed, 0 tests failed out of 72\\n'; echo 'FCL is not installed'
test-go:
	@for i in 1 2 3; do echo line $$i; done; echo '--- FAIL: TestBad (0.01s)'; echo '    --- FAIL: TestBad/one (0.01s)'
	@echo 'x_test.go:7: wrong'; echo '10 passed, 1 failed, 2 skipped'; exit 1
test-js:
	@for i in `seq 12`; do echo "FAILED tests/test_x.py::test_$$i - AssertionError: no"; done; echo '12 failed in 1.00s'; exit 1
slow:
	@echo $$$$; exec sleep 60
"""


def start(folder, *arguments, **variables):
    """The runner on a Makefile of its own."""
    (folder / ".ci").mkdir()
    for name in ("suites.py", "tally.py"):
        shutil.copy(CI / name, folder / ".ci")
    (folder / "Makefile").write_text(MAKEFILE)
    command = [sys.executable, ".ci/suites.py", *arguments]
    environment = {k: v for k, v in os.environ.items() if k not in ("MAKEFLAGS", "BUILT")} | variables
    return subprocess.Popen(command, cwd=folder, env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)


def test_the_table_has_the_counts_and_the_reasons(tmp_path):
    process = start(tmp_path, "test-python", "test-c", "test-rust")
    out = process.communicate(timeout=60)[0]
    assert process.returncode == 0, out
    assert out.splitlines()[-1] == "167 passed, 0 failed, 12 skipped"
    assert re.search(r"^test-python +90 +0 +10 ", out, re.M) and re.search(r"^test-c +72 +0 +1 ", out, re.M), out
    for count, name in (7, "numpydoc"), (3, "scipy"):
        assert f"{count:>6}  {name} is not installed: .venv/bin/pip install {name}\n" in out, out
    assert "     1  FCL is not installed\n" in out and "\n2 more are a part of make test-long\n" in out
    said = [(tmp_path / f"build/test/{name}.log").read_text().split() for name in ("library", "js")]
    assert said == [["made", "library"], ["made", "js", "library"]]  # what the library's rule goes by
    assert "numpydoc cannot be had" in out and "test-python done in 0:00: 90 passed, 10 skipped" in out


def test_what_fails_is_shown_and_is_the_status(tmp_path):
    process = start(tmp_path, "--peers", "none", "test-go", "test-rust")
    out = process.communicate(timeout=60)[0]
    assert process.returncode == 1 and "test-go FAILED" in out and "        x_test.go:7: wrong\n" in out, out
    assert out.splitlines()[-1] == "15 passed, 1 failed, 1 skipped" and "cannot be had" not in out
    assert out.splitlines()[-3] == "test-go failed: TestBad, TestBad/one", out  # a record of the last lines has it
    assert (tmp_path / "build/test/test-go.log").read_text().startswith("line 1\n")


def test_the_first_ten_that_fail_are_named_at_the_end(tmp_path):
    out = start(tmp_path, "--peers", "none", "test-js").communicate(timeout=60)[0].splitlines()
    assert out[-1] == "0 passed, 12 failed, 0 skipped" and out[-3] == "and 2 more in build/test/test-js.log", out
    assert out[-4].startswith("test-js failed: tests/test_x.py::test_1 - AssertionError: no, ") and "test_10 - " in out[-4], out


def test_what_cannot_be_prepared_fails_all_that_needs_it(tmp_path):
    process = start(tmp_path, "test-c", "test-python", BROKEN="library")
    out = process.communicate(timeout=60)[0]
    assert (
        process.returncode == 1 and "test-c does not run: it needs library" in out and "not run: js, test-c, test-python" in out
    ), out
    assert out.splitlines()[-1] == "0 passed, 1 failed, 0 skipped"


def test_no_suite_begins_that_would_pass_the_limit(tmp_path):
    process = start(tmp_path, "--limit", "2", "test-rust", "test-c")
    out = process.communicate(timeout=60)[0]
    assert process.returncode == 0 and "test-c does not run: about 3 min, and the limit is 2 min in all" in out, out
    assert out.splitlines()[-1] == "5 passed, 0 failed, 1 skipped"


def test_a_machine_that_was_slow_is_expected_to_be_slow(tmp_path):
    (tmp_path / "build/test").mkdir(parents=True)
    (tmp_path / "build/test/minutes.json").write_text('{"test-go": 15}')  # three times what it takes elsewhere
    out = start(tmp_path, "--limit", "8", "test-rust", "test-c").communicate(timeout=60)[0]
    assert "test-c does not run: about 9 min, and the limit is 8 min in all" in out, out
    assert json.loads((tmp_path / "build/test/minutes.json").read_text()).keys() >= {"test-go", "test-rust"}


def test_it_says_what_runs_and_ctrl_c_ends_it(tmp_path):
    process = start(tmp_path, "--tick", "0.5", "slow", "test-rust")
    said = [process.stdout.readline() for _ in range(12)]
    runs = [line for line in said if re.search(r"runs: .*slow \d+:\d\d; \d of \d+ done; about \d+ min left", line)]
    assert len(runs) >= 5, said
    sleeper = int((tmp_path / "build/test/slow.log").read_text())
    os.kill(sleeper, 0)
    process.send_signal(signal.SIGINT)
    out = process.communicate(timeout=30)[0]
    assert process.returncode == 130 and out.endswith("stopped\n"), out
    with pytest.raises(ProcessLookupError):
        os.kill(sleeper, 0)


def test_nothing_is_counted_where_nothing_is_tested(tmp_path):
    process = start(tmp_path, "library", "venv")
    out = process.communicate(timeout=60)[0]
    assert process.returncode == 0 and re.search(r"about \d min left", out) and "passed" not in out, out


GO = """#!/bin/sh
case $1 in list) echo m/a; echo m/b; exit;; esac
cat <<'EVENTS'
{"Action":"run","Package":"m/a","Test":"TestGood"}
{"Action":"run","Package":"m/a","Test":"TestGood/one"}
{"Action":"pass","Package":"m/a","Test":"TestGood/one"}
{"Action":"run","Package":"m/a","Test":"TestGood/two"}
{"Action":"output","Package":"m/a","Test":"TestGood/two","Output":"    a_test.go:7: no data: set CCD_DATA\\n"}
{"Action":"skip","Package":"m/a","Test":"TestGood/two"}
{"Action":"pass","Package":"m/a","Test":"TestGood"}
{"Action":"pass","Package":"m/a","Elapsed":0.5}
{"Action":"output","Package":"m/b","Test":"TestBad","Output":"    b_test.go:9: wrong\\n"}
{"Action":"fail","Package":"m/b","Test":"TestBad"}
{"Action":"fail","Package":"m/b","Elapsed":0.1}
EVENTS
exit 1
"""


def test_the_lines_of_go_test_are_counted(tmp_path):
    (tmp_path / "go").write_text(GO)
    (tmp_path / "go").chmod(0o755)
    environment = os.environ | {"PATH": f"{tmp_path}{os.pathsep}{os.environ['PATH']}"}
    command = [sys.executable, str(CI / "gotest.py"), "-short", "./..."]
    result = subprocess.run(command, cwd=tmp_path, env=environment, capture_output=True, text=True)
    assert result.returncode == 1 and "b_test.go:9: wrong" in result.stdout and "[100%] FAIL     m/b" in result.stdout
    assert result.stdout.endswith("SKIPPED [1] no data: set CCD_DATA\n1 passed, 1 failed, 1 skipped\n"), result.stdout


def test_only_long_tests_run_wherever_the_option_stands(tmp_path):
    (tmp_path / "go").write_text('#!/bin/sh\ncase $1 in list) exit;; esac\necho "$CCD_LONG $*"\n')
    (tmp_path / "go").chmod(0o755)
    (tmp_path / "m").mkdir()
    for folder in tmp_path / "m", tmp_path / "build" / "copy":
        folder.mkdir(parents=True, exist_ok=True)
        (folder / "a_test.go").write_text(
            "package m\n\nfunc TestLong(t *testing.T) {\n\tlong.Test(t)\n}\n\nfunc TestShort(t *testing.T) {}\n"
        )
    environment = os.environ | {"PATH": f"{tmp_path}{os.pathsep}{os.environ['PATH']}"}
    for words in ["--long", "-short"], ["-timeout", "60m", "--long", "-short"]:
        command = [sys.executable, str(CI / "gotest.py"), *words]
        result = subprocess.run(command, cwd=tmp_path, env=environment, capture_output=True, text=True)
        rest = " ".join(word for word in words if word != "--long")
        assert result.stdout.startswith(f"1 test -json {rest} -run ^(TestLong)$ ./m\n"), result.stdout
