"""The example of the front page, and the example programs, run and say what they claim."""

import re
import runpy

import pytest
from conftest import CHECKOUT

# step.py takes files; examples/agree.py runs it beside its twins in other languages.
EXAMPLES = sorted(path for path in (CHECKOUT / "examples" / "python").glob("*.py") if "\n#: " in path.read_text())


def test_the_ten_lines_of_the_front_page(capsys):
    text = (CHECKOUT / "README.md").read_text()
    code = re.search(r"```python\n(.*?)```", text, re.S).group(1)
    assert len([line for line in code.splitlines() if line.strip()]) <= 12
    exec(compile(code, "README.md", "exec"), {})
    claimed = re.findall(r"print\(.*\)\s+# (.*)", code)
    assert claimed and capsys.readouterr().out.splitlines() == claimed


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.stem)
def test_examples_print_what_they_say(path, capsys):
    runpy.run_path(str(path), run_name="__main__")
    printed = capsys.readouterr().out
    for line in re.findall(r"^#: (.*)$", path.read_text(), re.M):
        assert line in printed, f"{path.name} should print {line!r}, and printed {printed!r}"
