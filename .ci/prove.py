"""Proves rounding bounds by machine: make prove. docs/proofs/machine.md says what is proven by what.

python .ci/prove.py [PART...]   parts: rules functions brackets lemmas sincos coq; all without an argument

Each call has a limit of memory and of time. A tool that is missing is named, with what it leaves unproven, and is no
failure; a claim that is not proven is. Exits with 1 then.
"""

from __future__ import annotations

import argparse
import ast
import re
import resource
import shutil
import subprocess
import sys
import tempfile
import time
from fractions import Fraction
from math import factorial
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
MACHINE = ROOT / "simd" / "_gen" / "proof" / "machine"
MEMORY = 8 << 30  # bytes of one call
U = Fraction(1, 2**53)
ARC = "0.787"  # the reduced angle is at most this


MINUTES = 60.0  # the part brackets stops after so long in one run; --minutes changes it


class NotProven(Exception):
    """A claim was refused, or the tool failed."""


class Unfinished(Exception):
    """Nothing was refused, but claims are left: another run goes on with them."""


def call(command: list[str], text: str | None = None, limit: int = 300, cwd: Path = ROOT, memory: bool = True) -> str:
    """What a tool prints, within the limits; raises NotProven where it fails.

    The limit is of processor time: on a machine that others share, a claim is not refused because it waits.
    """

    def limited() -> None:
        resource.setrlimit(resource.RLIMIT_CPU, (limit, limit))
        if memory:
            resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))

    done = subprocess.run(command, input=text, capture_output=True, text=True, check=False, cwd=cwd, preexec_fn=limited)
    said = done.stdout + done.stderr
    if done.returncode or "Warning" in done.stderr:  # Gappa takes a wrong hint with a warning alone
        raise NotProven(f"{' '.join(command)}: exit code {done.returncode}\n{said[-2000:]}")
    return said


def gappa(script: str) -> str:
    """Gappa's answer to a script; every claim in it is proven."""
    return call(["gappa", "-Eprecision=200"], script)


def rules() -> str:
    """The kernels' tests by package proof."""
    call(["go", "-C", "simd/_gen", "test", "-count=1", "."], limit=600, memory=False)
    return "every test of every printed kernel, by package proof"


def functions() -> str:
    """Functions of the library, from their text."""
    call(["go", "-C", "simd/_gen", "test", "-count=1", "./proof/source"], limit=600, memory=False)
    return "comparisons of functions in Go, by package source"


def brackets() -> str:
    """The same claims by Gappa; the Go test limits each call to 4 GB and two minutes of processor time.

    build/gappa.txt keeps what is proven, so a run that was stopped, or whose time has passed, goes on.
    """
    kept = ROOT / "build" / "gappa.txt"
    kept.parent.mkdir(exist_ok=True)
    command = ["go", "-C", "simd/_gen", "test", "-count=1", "-timeout=0", "-run=BracketsByGappa", "-v", "."]
    said = call([*command, "-gappa", f"-kept={kept}", f"-within={MINUTES}m"], limit=20000, memory=False)
    found = re.search(r"\d+ kernels, \d+ tests, (\d+) different claims, 0 not proven, (\d+) left", said)
    if not found:
        raise NotProven(said)
    if int(found.group(2)):
        raise Unfinished(found.group())
    return found.group()


def lemmas() -> str:
    """Operations on double-doubles, entries at a time, and lengths."""
    names = sorted(MACHINE.glob("*.g"))
    for path in names:
        script = path.read_text("utf-8")
        if path.stem == "lengths":
            for constant, factor in enclosing().items():
                script = script.replace(constant, dyadic(factor))
        gappa(script)
    return ", ".join(path.stem for path in names)


def enclosing() -> dict[str, Fraction]:
    """The factors by which lengths are rounded up and down, from the text of simd/still/enclose.go.

    That of core/bvh/oriented.go is the same.
    """
    source = (ROOT / "simd" / "still" / "enclose.go").read_text("utf-8")
    found = {}
    for name, sign in (("Up", "+"), ("Down", "-")):
        text = re.search(rf"^\tenclose{name} += 1 \{sign} (\d+)\*0x1p-53\b", source, re.M)
        if not text:
            raise NotProven(f"simd/still/enclose.go: enclose{name} is no number of roundings beside 1")
        found[f"ENCLOSE_{name.upper()}"] = 1 + int(f"{sign}{text.group(1)}") * U
    boxes = (ROOT / "core" / "bvh" / "oriented.go").read_text("utf-8")
    slack = re.search(r"^\tradiusSlack = 1 \+ (\d+)\*0x1p-53$", boxes, re.M)
    if not slack or 1 + int(slack.group(1)) * U < found["ENCLOSE_UP"]:
        raise NotProven("core/bvh/oriented.go: radiusSlack is less than encloseUp")
    return found


# ---- Sincos, from the text of core/num/trig.go


def dyadic(x: Fraction) -> str:
    """A double in Gappa's notation."""
    return f"{x.numerator}b-{x.denominator.bit_length() - 1}"


def as_double(x: Fraction) -> Fraction:
    return Fraction(float(x))


class Expression:
    """A Go expression of sums, products and fused steps, which Python's parser reads, for Gappa: rounded, and exact."""

    def __init__(self, text: str):
        self.tree = ast.parse(text.strip(), mode="eval").body

    def written(self, rounds: bool) -> str:
        return self._of(self.tree, rounds)

    def _of(self, e: ast.expr, rounds: bool) -> str:
        value = constant(e)
        if value is not None:
            exact = f"{value.numerator}/{value.denominator}" if value.denominator > 1 else str(value.numerator)
            return dyadic(as_double(value)) if rounds else f"({exact})"
        if isinstance(e, ast.Name):
            return e.id if rounds else e.id.upper()
        if isinstance(e, ast.Call):
            name, args = ast.unparse(e.func), [self._of(a, rounds) for a in e.args]
            if name == "float64":  # It keeps a product from being fused; the product rounds by itself.
                return args[0]
            if name == "math.FMA" and len(args) == 3:
                text = f"{args[0]}*{args[1]} + {args[2]}"
                return f"d({text})" if rounds else f"({text})"
        if isinstance(e, ast.BinOp) and isinstance(e.op, (ast.Add, ast.Sub, ast.Mult)):
            sign = {ast.Add: "+", ast.Sub: "-", ast.Mult: "*"}[type(e.op)]
            text = f"{self._of(e.left, rounds)} {sign} {self._of(e.right, rounds)}"
            return f"d({text})" if rounds else f"({text})"
        raise NotProven(f"core/num/trig.go: {ast.unparse(e)} is no expression that this program knows")

    def value(self, names: dict[str, Fraction], e: ast.expr | None = None) -> Fraction:
        """The exact value, without roundings."""
        e = self.tree if e is None else e
        known = constant(e)
        if known is not None:
            return known
        if isinstance(e, ast.Name):
            return names[e.id]
        if isinstance(e, ast.Call):
            args = [self.value(names, a) for a in e.args]
            return args[0] if len(args) == 1 else args[0] * args[1] + args[2]
        assert isinstance(e, ast.BinOp)
        left, right = self.value(names, e.left), self.value(names, e.right)
        return left * right if isinstance(e.op, ast.Mult) else left + right if isinstance(e.op, ast.Add) else left - right


def constant(e: ast.expr) -> Fraction | None:
    """The exact value of a number, of minus one, and of a quotient of two."""
    if isinstance(e, ast.Constant):
        return Fraction(str(e.value))
    if isinstance(e, ast.UnaryOp) and isinstance(e.op, ast.USub):
        value = constant(e.operand)
        return None if value is None else -value
    if isinstance(e, ast.BinOp) and isinstance(e.op, ast.Div):
        top, bottom = constant(e.left), constant(e.right)
        return None if top is None or bottom is None else top / bottom
    return None


def body(source: str, name: str) -> list[str]:
    found = re.search(rf"^func {name}\(.*?\n(.*?)^}}", source, re.M | re.S)
    if not found:
        raise NotProven(f"core/num/trig.go has no function {name}")
    return [line.strip() for line in found.group(1).splitlines()]


def polynomials(source: str) -> dict[str, str]:
    """A script for each of sine and cosine, without the bound to prove."""
    rounded, exact, results, steps = [], [], [], []
    for line in body(source, "sincosReduced"):
        if line.startswith("return "):
            depth, at = 0, 0
            for i, c in enumerate(line):
                depth += (c == "(") - (c == ")")
                at = i if c == "," and depth == 0 else at
            results = [Expression(line[7:at]), Expression(line[at + 1 :])]
            continue
        name, text = re.split(r" :?= ", line)
        now = Expression(text)
        steps.append((name, now))
        rounded.append((name, now.written(True)))
        exact.append((name.upper(), now.written(False)))
    require_taylor(steps, results)
    scripts = {}
    for which, result in zip(("sin", "cos"), results, strict=True):
        lines, names = ["@d = float<ieee_64,ne>;", "r = d(rr);"], {"r": "r", "R": "r"}
        for (name, text), (upper, formula) in zip(rounded, exact, strict=True):
            for each, of in (name, text), (upper, formula):
                own = f"{each}{len(lines)}"
                lines.append(f"{own} = {renamed(of, names)};")
                names[each] = own
        lines.append(f"s = {renamed(result.written(True), names)}; S = {renamed(result.written(False), names)};")
        lines.append(f"{{ r in [-{ARC},{ARC}] -> |s - S| <= BOUND }}")
        scripts[which] = "\n".join(lines) + "\n"
    return scripts


def require_taylor(steps: list[tuple[str, Expression]], results: list[Expression]) -> None:
    """Require that without roundings these are Taylor's polynomials: of degree below 30, they agree at 30 points."""
    for i in range(30):
        x = Fraction(i, 7)
        names = {"r": x}
        for name, step in steps:
            names[name] = step.value(names)
        taylor = [sum((-1) ** k * x ** (2 * k + odd) / factorial(2 * k + odd) for k in range(9)) for odd in (1, 0)]
        if [result.value(names) for result in results] != taylor:
            raise NotProven("core/num/trig.go: sincosReduced has other polynomials than Taylor's of degree 17 and 16")


def renamed(text: str, names: dict[str, str]) -> str:
    return re.sub(r"(?<!\w)[A-Za-z]\w*", lambda m: m.group() if m.group() == "d" else names[m.group()], text)


def sincos() -> str:
    """Reduction, polynomials and Taylor's remainders: together at most SincosBound."""
    source = (ROOT / "core" / "num" / "trig.go").read_text("utf-8")
    number = {
        n: Fraction(*float.fromhex(x).as_integer_ratio()) for n, x in re.findall(r"^\t(\w+) += (0x[\w.+-]+)$", source, re.M)
    }
    bound = re.search(r"^const SincosBound = ([\d.]+) \* 0x1p-53$", source, re.M)
    if not bound or body(source, "Sincos")[:3] != [
        "k := math.RoundToEven(hi * twoOvPi)",
        "r := math.FMA(-k, halfPi1, hi)",
        "r += lo - float64(k*halfPi2)",
    ]:
        raise NotProven("core/num/trig.go: Sincos reduces otherwise than this program knows")
    h1, h2 = dyadic(number["halfPi1"]), dyadic(number["halfPi2"])
    shares = {"reduction": Fraction(1002, 1000), "sin": Fraction(80, 100), "cos": Fraction(144, 100)}
    gappa(f"""@d = float<ieee_64,ne>;
hi = d(hir); lo = d(lor); k = int<ne>(kr);
a = d(hi - k*{h1}); b = d(lo - d(k*{h2})); r = d(a + b);
R = (hi + lo) - k*({h1} + {h2} + rest);
{{ |k| <= 1b40 /\\ |a| <= {ARC} /\\ |rest| <= 1b-107 /\\ |lo| <= 1b-11 /\\ |hi| <= 1b40 /\\ |hi - k*{h1}| <= 0.786
  -> |r - R| <= {decimal(shares["reduction"] * U)} }}
r - R -> (r - (a+b)) + (a - (hi - k*{h1})) + (b - (lo - d(k*{h2}))) - (d(k*{h2}) - k*{h2}) + k*rest;
""")
    for which, script in polynomials(source).items():
        gappa(script.replace("BOUND", decimal(shares[which] * U)))
    said = []
    for which, rest in remainders().items():
        total = shares["reduction"] + shares[which] + rest
        if total > Fraction(bound.group(1)):
            raise NotProven(f"{which}: {float(total)} u is above SincosBound")
        said.append(f"{which} {float(total):.4f} u")
    return f"Sincos: {', '.join(said)} of {bound.group(1)} u" + (
        "" if shutil.which("sollya") else "; remainders by their series"
    )


def remainders() -> dict[str, Fraction]:
    """How far Taylor's polynomials are from sine and cosine, in u: by Sollya, or by the next term of the alternating series."""
    arc = Fraction(ARC)
    if not shutil.which("sollya"):
        return {"sin": arc**19 / factorial(19) / U, "cos": arc**18 / factorial(18) / U}
    text = (MACHINE / "taylor.sollya").read_text("utf-8")
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "taylor.sollya"
        path.write_text(text.replace("ARC", ARC))
        said = call(["sollya", str(path)])
    found = {n: re.search(rf"^{n} \[?.*?([\d.e-]+)\]?$", said, re.M) for n in ("sine", "cosine")}
    if not all(found.values()):  # Sollya exits with 0 where a name is wrong
        raise NotProven(f"sollya prints {said}")
    return {short: Fraction(found[name].group(1)) for short, name in (("sin", "sine"), ("cos", "cosine"))}  # type: ignore[union-attr]


def decimal(x: Fraction) -> str:
    """A number just below x, in decimal."""
    return f"{float(x) * (1 - 1e-12):.13e}"


def coq() -> str:
    """Theorems about operations, programs and the rules of package proof."""
    with tempfile.TemporaryDirectory() as folder:
        for name in ("Rules", "Exact", "Bound"):
            shutil.copy(MACHINE / f"{name}.v", folder)
            call(["coqc", "-q", f"{name}.v"], limit=600, cwd=Path(folder))
    return "Rules, Exact, Bound"


PARTS = {
    "rules": (rules, "go"),
    "functions": (functions, "go"),
    "brackets": (brackets, "gappa"),
    "lemmas": (lemmas, "gappa"),
    "sincos": (sincos, "gappa"),
}
PARTS |= {"coq": (coq, "coqc")}
PACKAGE = {"gappa": "gappa", "coqc": "coq libcoq-flocq", "sollya": "sollya", "go": "go"}


def main() -> int:
    """Run the parts and say what came out."""
    global MINUTES
    parser = argparse.ArgumentParser(description="Prove rounding bounds by machine.")
    parser.add_argument("parts", nargs="*", choices=[[], *PARTS], default=[])
    parser.add_argument(
        "--minutes", type=float, default=MINUTES, help="of the part brackets (60); what is left is for another run"
    )
    args, failed = parser.parse_args(), False
    MINUTES = args.minutes
    for name in args.parts or PARTS:
        prove, tool = PARTS[name]
        if shutil.which(tool) is None:
            what = str(prove.__doc__).splitlines()[0]
            print(f"{name:<9} skipped: {tool} is not installed (apt-get install {PACKAGE[tool]}); {what}", flush=True)
            continue
        began = time.monotonic()
        try:
            said = "proven: " + prove()
        except NotProven as error:
            said, failed = f"NOT PROVEN: {error}", True
        except Unfinished as error:
            said, failed = f"NOT FINISHED: {error}: run it again", True
        print(f"{name:<9} {time.monotonic() - began:4.0f} s  {said}", flush=True)
    return int(failed)


if __name__ == "__main__":
    sys.exit(main())
