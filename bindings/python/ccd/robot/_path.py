"""Paths of joints: polynomials between waypoints, and their files."""

from __future__ import annotations

import contextlib
import copy
import csv
import io
import os
import re
from array import array
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from .._inner import arrays, files
from .._inner.files import opened
from ..errors import ArgumentError, FileError
from . import _spline_file, _turns
from ._report import ShortWay

_TIME = ("time", "t")  # names of the column with times, in lower case
_JUMP = 1e-9  # how much the ends of two neighboring edges may differ, relative to their values


class Path:
    """A path of joints: on each edge, from one waypoint to the next, the joints' values are polynomials.

    ``Path(joints, values)`` is linear between waypoints. The doubles of the control points are the path, exactly. A robot's
    continuous joints go the short way from waypoint to waypoint where `check` tests the path: see `shortest`.

    Parameters
    ----------
    joints : sequence of str
        Names of the joints, one a column.
    values : array_like
        Waypoints, (m + 1, joints): radians, or lengths of prismatic joints.
    times : array_like, optional
        Times of the waypoints, (m + 1,), ascending; 0, 1, 2 ... if omitted. They are reported, and shape splines.

    Raises
    ------
    ArgumentError
        A name is given twice, there are fewer than two waypoints, shapes do not agree, or times do not ascend.
    NonFiniteError
        A value is not finite; the message names it.

    Examples
    --------
    >>> import ccd
    >>> path = ccd.robot.Path(["shoulder", "elbow"], [[0, 0], [1, 0.5], [1, 2]])
    >>> path.edges, path.at(0, 0.5).tolist()
    (2, [0.5, 0.25])
    """

    def __init__(self, joints: Sequence[str], values: ArrayLike, times: ArrayLike | None = None):
        v = arrays.finite("values", _table("values", values, joints))
        if len(v) < 2:
            raise ArgumentError(f"values has {len(v)} rows: a path has at least 2 waypoints")
        self._set(joints, np.stack([v[:-1], v[1:]], axis=1), times)
        self._kind, self._waypoints = "linear", v

    def _set(self, joints: Sequence[str], control: NDArray[np.float64], times: ArrayLike | None) -> None:
        _check_names(joints)
        self.joints = tuple(joints)
        for i, name in enumerate(self.joints):
            if name in self.joints[:i]:
                raise ArgumentError(f"joints[{i}] is {name!r}, which is given twice")
        t = np.arange(len(control) + 1.0) if times is None else arrays.finite("times", arrays.row("times", times)).copy()
        if len(t) != len(control) + 1:
            raise ArgumentError(f"times has {len(t)} items: must have {len(control) + 1}, one for each waypoint")
        late = np.flatnonzero(~(np.diff(t) > 0))
        if len(late):
            raise ArgumentError(f"times[{late[0] + 1}] is {t[late[0] + 1]}: must be above times[{late[0]}], {t[late[0]]}")
        self._control, self._times = control, t
        self._kind, self._waypoints = "polynomial", np.empty((0, len(self.joints)))
        self._shorter: dict[int, tuple[ShortWay, ...]] = {}
        self._errors = np.zeros(len(self.joints))

    @classmethod
    def polynomial(cls, joints: Sequence[str], control: ArrayLike, times: ArrayLike | None = None) -> Path:
        """Create a path of polynomials in Bernstein form.

        Parameters
        ----------
        joints : sequence of str
            Names of the joints.
        control : array_like
            Control values, (edges, degree + 1, joints), degree 1 to 5. The last ones of an edge are the first of the next.
        times : array_like, optional
            Times of the ends of the edges, (edges + 1,).

        Returns
        -------
        Path
            The path. Where two edges differ by rounding, the second begins where the first ends.

        Raises
        ------
        ArgumentError
            Two edges do not join, or as `Path`.

        Examples
        --------
        >>> import ccd
        >>> ccd.robot.Path.polynomial(["lift"], [[[0], [0], [1], [1]]]).at(0, 0.5).tolist()
        [0.5]
        """
        c = arrays.finite("control", arrays.doubles("control", control)).copy()
        _check_names(joints)
        if c.ndim != 3 or len(c) < 1 or not 2 <= c.shape[1] <= 6 or c.shape[2] != len(joints):
            raise ArgumentError(f"control has shape {c.shape}: must be (edges, degree + 1, {len(joints)}), degree 1 to 5")
        gap = np.abs(c[1:, 0] - c[:-1, -1])
        wrong = np.argwhere(gap > _JUMP * (1 + np.abs(c[1:, 0])))
        if len(wrong):
            edge, joint = (int(i) for i in wrong[0])
            text = f"control[{edge + 1}][0][{joint}] is {c[edge + 1, 0, joint]}: edge {edge} ends at {c[edge, -1, joint]}"
            raise ArgumentError(text)
        c[1:, 0] = c[:-1, -1]
        path = cls.__new__(cls)
        path._set(joints, c, times)
        return path

    @classmethod
    def hermite(
        cls,
        joints: Sequence[str],
        values: ArrayLike,
        velocities: ArrayLike,
        times: ArrayLike,
        accelerations: ArrayLike | None = None,
    ) -> Path:
        """Create a trajectory with times, as toppra and MoveIt give them and controllers of ROS interpolate them.

        An edge is the cubic with the values and velocities of its two waypoints; with accelerations it is the quintic.

        Parameters
        ----------
        joints : sequence of str
            Names of the joints.
        values : array_like
            Waypoints, (m + 1, joints).
        velocities : array_like
            Velocities at the waypoints, (m + 1, joints), a unit of time.
        times : array_like
            Times of the waypoints, (m + 1,), ascending.
        accelerations : array_like, optional
            Accelerations at the waypoints, (m + 1, joints).

        Returns
        -------
        Path
            The path, of degree 3 or 5, whose control values are rounded: these are what is checked.

        Raises
        ------
        ArgumentError
            Shapes do not agree, or times do not ascend.
        NonFiniteError
            A number is not finite.

        Examples
        --------
        >>> import ccd
        >>> path = ccd.robot.Path.hermite(["lift"], [[0], [1]], [[0], [0]], [0, 2])
        >>> path.degree, path.at(0, 0.5).tolist(), path.at(0, 0.25).tolist()
        (3, [0.5], [0.15625])
        """
        straight = cls(joints, values, times)
        x, h = straight._waypoints, np.diff(straight._times)[:, None]
        v = arrays.finite("velocities", _table("velocities", velocities, joints))
        a = None if accelerations is None else arrays.finite("accelerations", _table("accelerations", accelerations, joints))
        for name, given in (("velocities", v), ("accelerations", a)):
            if given is not None and given.shape != x.shape:
                raise ArgumentError(f"{name} has shape {given.shape}: must be {x.shape}, as values")
        if a is None:
            control = [x[:-1], x[:-1] + h / 3 * v[:-1], x[1:] - h / 3 * v[1:], x[1:]]
        else:
            first = [x[:-1], x[:-1] + h / 5 * v[:-1], x[:-1] + 0.4 * h * v[:-1] + h * h / 20 * a[:-1]]
            control = [*first, x[1:] - 0.4 * h * v[1:] + h * h / 20 * a[1:], x[1:] - h / 5 * v[1:], x[1:]]
        return cls.polynomial(joints, np.stack(control, axis=1), straight._times)

    @classmethod
    def from_ppoly(cls, joints: Sequence[str], curve: Any) -> Path:
        """Create a path from a piecewise polynomial of SciPy: CubicSpline, PchipInterpolator, PPoly.from_spline.

        Parameters
        ----------
        joints : sequence of str
            Names of the joints.
        curve : scipy.interpolate.PPoly
            Its ``x`` are the times, and ``c`` has shape (degree + 1, edges, joints), degree 1 to 5.

        Returns
        -------
        Path
            The path, whose control values are rounded from the coefficients.

        Raises
        ------
        ArgumentError
            As `polynomial`.

        Examples
        --------
        >>> import ccd
        >>> from scipy.interpolate import CubicSpline
        >>> ccd.robot.Path.from_ppoly(["lift"], CubicSpline([0, 1, 2, 3], [[0], [1], [1], [0]])).at(1, 0.5).round(6).tolist()
        [1.125]
        """
        try:
            c, times = arrays.doubles("curve.c", curve.c), arrays.row("curve.x", curve.x)
        except AttributeError:
            raise ArgumentError(f"curve is a {type(curve).__name__}: must be a PPoly of scipy.interpolate") from None
        degree = len(c) - 1
        if c.ndim != 3 or not 1 <= degree <= 5 or c.shape[1] != len(times) - 1:
            raise ArgumentError(f"curve.c has shape {c.shape}: must be (degree + 1, edges, joints), degree 1 to 5")
        h = np.diff(times)[:, None]
        power = [c[degree - i] * h**i for i in range(degree + 1)]  # powers of s in [0, 1]
        choose = _binomials(degree)
        control = [sum(choose[j, i] / choose[degree, i] * power[i] for i in range(j + 1)) for j in range(degree + 1)]
        return cls.polynomial(joints, np.stack(control, axis=1), times)

    @classmethod
    def spline(cls, joints: Sequence[str], values: ArrayLike, times: ArrayLike | None = None) -> Path:
        """Create the cubic spline through waypoints, with SciPy's ``CubicSpline`` (not-a-knot).

        Parameters
        ----------
        joints : sequence of str
            Names of the joints.
        values : array_like
            Waypoints, (m + 1, joints).
        times : array_like, optional
            Times of the waypoints, (m + 1,), ascending; 0, 1, 2 ... if omitted.

        Returns
        -------
        Path
            The path.

        Raises
        ------
        ImportError
            SciPy is not installed.
        ArgumentError
            As `Path`, or the spline's coefficients are beyond the doubles.

        Examples
        --------
        >>> import ccd
        >>> import scipy  # which computes the spline
        >>> ccd.robot.Path.spline(["lift"], [[0], [1], [1], [0]]).at(1, 0.5).round(6).tolist()
        [1.125]
        """
        straight = cls(joints, values, times)
        try:
            from scipy.interpolate import CubicSpline
        except ImportError as error:
            raise ImportError("splines need SciPy: pip install scipy") from error
        try:
            with np.errstate(all="ignore"):
                path = cls.from_ppoly(joints, CubicSpline(straight._times, straight._waypoints))
        except (ValueError, np.linalg.LinAlgError) as error:  # among them coefficients beyond the doubles
            raise ArgumentError(f"values and times have no cubic spline in doubles: {error}") from None
        path._kind, path._waypoints = "spline", straight._waypoints
        return path

    def shortest(self, joints: Sequence[str]) -> Path:
        """Create the path on which some joints go the short way from waypoint to waypoint, as ROS turns continuous joints.

        A change of more than half a turn becomes the one of at most half a turn that differs from it by whole turns: from 3.1
        to -3.1 the joint goes on to 3.183. A change of exactly half a turn, up to rounding, keeps its direction. Several turns
        need waypoints at most half a turn apart. Each edge begins at the value of its waypoint. A spline is that of the
        waypoints counted on. Polynomials say how they move, and stay as they are.

        `check` does this for `Robot.continuous` unless it is called with ``continuous="written"``.

        Parameters
        ----------
        joints : sequence of str
            Names of joints of the path.

        Returns
        -------
        Path
            The path, with the same waypoints and times. Ends of edges are rounded to doubles.

        Raises
        ------
        ArgumentError
            A name is no joint of the path.
        ImportError
            It is a spline, and SciPy is not installed.

        Examples
        --------
        >>> import ccd
        >>> path = ccd.robot.Path(["turn"], [[3.1], [-3.1], [0]])
        >>> short = path.shortest(["turn"])
        >>> short.at(0, 1).round(6).tolist(), short.at(1, 0).tolist()
        ([3.183185], [-3.1])
        """
        _check_names(joints)
        columns = [self.joints.index(arrays.choice(f"joints[{i}]", name, self.joints)) for i, name in enumerate(joints)]
        v = self._waypoints
        turns = {k: found for k in columns if (found := _turns.added(v[:, k])).any()}
        if not turns:
            return self
        path = Path(self.joints, v, self._times) if self._kind == "linear" else self._smooth(turns)
        for k, added in turns.items():
            for edge in np.flatnonzero(added):
                end = _turns.moved(float(v[edge + 1, k]), added[edge])
                if self._kind == "linear":
                    path._control[edge, 1, k] = end
                way = ShortWay(self.joints[k], float(v[edge, k]), end, float(v[edge + 1, k]))
                path._shorter[int(edge)] = (*path._shorter.get(int(edge), ()), way)
        path._kind, path._waypoints, path._errors = self._kind, v, self._errors
        return path

    def _smooth(self, turns: dict[int, NDArray[np.object_]]) -> Path:
        """The spline through the waypoints counted on, each edge of it moved back to the value of its first waypoint."""
        on = self._waypoints.copy()
        counts = {k: [0, *np.cumsum(added)] for k, added in turns.items()}
        for k, count in counts.items():
            on[:, k] = [_turns.moved(x, n) for x, n in zip(on[:, k].tolist(), count)]
        path = Path.spline(self.joints, on, self._times)
        for k, count in counts.items():
            for edge in (e for e in range(self.edges) if count[e]):
                path._control[edge, :, k] = [_turns.moved(x, -count[edge]) for x in path._control[edge, :, k].tolist()]
        return path

    @property
    def edges(self) -> int:
        """Number of edges."""
        return len(self._control)

    @property
    def degree(self) -> int:
        """Degree of the polynomials."""
        return len(self._control[0]) - 1

    @property
    def times(self) -> NDArray[np.float64]:
        """Times of the waypoints, (edges + 1,), a copy."""
        return self._times.copy()

    @property
    def control(self) -> NDArray[np.float64]:
        """Control values, (edges, degree + 1, joints), a copy."""
        return self._control.copy()

    @property
    def errors(self) -> NDArray[np.float64]:
        """How far each joint may be from the path, (joints,), a copy: zeros unless `within` or `close` made the path."""
        return self._errors.copy()

    def within(self, errors: Mapping[str, float]) -> Path:
        """Create the path whose joints may be anywhere within these of their values, at any time, as a controller follows it.

        What is proven of the path holds for every motion within them: free, a contact, a clearance. Where some of these
        motions touch and others do not, an edge is undecided. `Report.limits` is of the path itself.

        Parameters
        ----------
        errors : mapping
            How far the joints may be off, by name: radians, or lengths. They take the place of those that the path has.

        Returns
        -------
        Path
            The path with `errors`. This one stays as it is.

        Raises
        ------
        ArgumentError
            A name is no joint of the path, or a number is below 0 or above 1e60.

        Examples
        --------
        >>> import numpy as np, ccd
        >>> bar = ccd.robot.Shape.box([1, 0.1, 0.1]).placed(np.eye(3), [0.5, 0, 0])
        >>> turn = ccd.robot.JointModel.moving("turn", "revolute", 0, 1, source=0)
        >>> robot = ccd.robot.Robot("arm", ["base", "arm"], [[], [bar]], [turn], ["turn"])
        >>> pole = ccd.Surface(np.array([[0.6, 0.6, -1], [0.6, 0.6, 1], [0.7, 0.6, 0]]), [], [[0, 1, 2]])
        >>> path = ccd.robot.Path(["turn"], [[0], [0.64]])
        >>> [str(ccd.robot.check(robot, path.within({"turn": e}), {"pole": pole}).verdict) for e in (0.005, 0.02)]
        ['free', 'undecided']
        """
        if not isinstance(errors, Mapping):
            raise ArgumentError(f"errors is {type(errors).__name__}: must be a mapping of numbers by names of joints")
        found = copy.copy(self)
        found._errors = self._errors.copy()
        for name, value in errors.items():
            k = self.joints.index(arrays.choice("errors", name, self.joints))
            found._errors[k] = arrays.within(f"errors[{name!r}]", value, "[0, 1e60]")
        return found

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the path to a file of text that `read_path` reads, and ccd/spline.hpp of C++: control values, times, `errors`.

        So a C++ program checks closed chains that `close` has solved. Numbers keep all their digits; waypoints of splines and
        what goes the short way do not count any more: edges go as written.

        Parameters
        ----------
        path : str or os.PathLike
            The file to write.

        Raises
        ------
        FileError
            The file cannot be written.
        ArgumentError
            The name of a joint has two lines, or blanks at an end.

        Examples
        --------
        >>> import os, tempfile, ccd
        >>> name = os.path.join(tempfile.mkdtemp(), "lift.path")
        >>> ccd.robot.Path(["lift"], [[0], [1]]).within({"lift": 1e-3}).save(name)
        >>> again = ccd.robot.read_path(name)
        >>> again.errors.tolist(), again.at(0, 0.5).tolist()
        ([0.001], [0.5])
        """
        content = _spline_file.Content("", list(self.joints), self._errors, self._times, self._control)
        _spline_file.write(path, content)

    def at(self, edge: int, s: float) -> NDArray[np.float64]:
        """Compute the joints' values on an edge.

        Parameters
        ----------
        edge : int
            The edge.
        s : float
            Where on it, in [0, 1].

        Returns
        -------
        numpy.ndarray
            Values, (joints,), rounded.

        Raises
        ------
        ArgumentError
            `edge` or `s` is out of range.

        Examples
        --------
        >>> import ccd
        >>> ccd.robot.Path(["lift"], [[0], [1], [0]]).at(1, 0.25).tolist()
        [0.75]
        """
        index, where = self._place(edge, s)
        return evaluate(self._control[index], where)

    def time(self, edge: int, s: float) -> float:
        """Compute the time at a place on an edge.

        Parameters
        ----------
        edge : int
            The edge.
        s : float
            Where on it, in [0, 1].

        Returns
        -------
        float
            The time, rounded.

        Raises
        ------
        ArgumentError
            `edge` or `s` is out of range.

        Examples
        --------
        >>> import ccd
        >>> ccd.robot.Path(["lift"], [[0], [1], [0]], times=[0, 2, 3]).time(1, 0.5)
        2.5
        """
        index, where = self._place(edge, s)
        start, end = self._times[index], self._times[index + 1]
        return float(start + where * (end - start))

    def _place(self, edge: int, s: float) -> tuple[int, float]:
        index = arrays.integer("edge", edge, 0, self.edges - 1)
        return index, arrays.within("s", s, "[0, 1]")

    def __repr__(self) -> str:
        return f"<ccd.robot.Path of {len(self.joints)} joints, {self.edges} edges, degree {self.degree}>"


def evaluate(control: NDArray[np.float64], s: float) -> NDArray[np.float64]:
    """The value of a polynomial in Bernstein form, (degree + 1, ...), by de Casteljau's algorithm."""
    c = control
    while len(c) > 1:
        c = c[:-1] + s * (c[1:] - c[:-1])
    value: NDArray[np.float64] = c[0]
    return value


def derivative_bounds(control: NDArray[np.float64], s0: float, s1: float, order: int) -> list[NDArray[np.float64]]:
    """Bounds on the derivatives 1 to order over [s0, s1], in units of that interval; each has the shape of a control value.

    A derivative's control points over the whole edge are restricted to the interval; 1e-12 of the largest value covers the
    rounding of at most 5 differences and 10 averages.
    """
    h, found, c = s1 - s0, [], control
    for k in range(1, order + 1):
        degree = len(c) - 1
        if degree == 0:
            found.append(np.zeros(control.shape[1:]))
            continue
        c = degree * (c[1:] - c[:-1])
        part = _restricted(c, s0, s1)
        found.append((np.abs(part).max(0) + 1e-12 * np.abs(control).max(0)) * h**k if degree > 1 else np.abs(c[0]) * h**k)
    return [bound * (1 + 1e-12) for bound in found]


def _restricted(
    c: NDArray[np.float64], s0: float | NDArray[np.float64], s1: float | NDArray[np.float64]
) -> NDArray[np.float64]:
    """Control points over [s0, s1]: blossoms. The ends may be arrays of the shape of a control point."""
    points = []
    for ones in range(len(c)):
        d = c
        for step in range(len(c) - 1):
            s = s1 if step < ones else s0
            d = d[:-1] + s * (d[1:] - d[:-1])
        points.append(d[0])
    return np.array(points)


def _binomials(n: int) -> NDArray[np.float64]:
    c = np.zeros((n + 1, n + 1))
    c[:, 0] = 1
    for i in range(1, n + 1):
        c[i, 1:] = c[i - 1, 1:] + c[i - 1, :-1]
    return c


def _check_names(joints: Sequence[str]) -> None:
    if isinstance(joints, str) or not isinstance(joints, Sequence) or not all(isinstance(name, str) for name in joints):
        raise ArgumentError("joints: must be a sequence of names")


def _table(name: str, values: ArrayLike, joints: Sequence[str]) -> NDArray[np.float64]:
    _check_names(joints)
    v = arrays.doubles(name, values)
    if v.ndim != 2 or v.shape[1] != len(joints):
        raise ArgumentError(f"{name} has shape {v.shape}: must be (waypoints, {len(joints)}), a column for each joint")
    return v


def read_path(path: str | os.PathLike[str], interpolation: str = "linear") -> Path:
    r"""Read a path from a CSV file: a line of joints' names, then a waypoint a line. Or from a file of `Path.save`.

    A column named ``time`` or ``t`` holds the times of the waypoints. Empty lines and lines that begin with # are skipped.

    Parameters
    ----------
    path : str or os.PathLike
        A file.
    interpolation : str, default "linear"
        ``"linear"`` or ``"spline"``, for CSV.

    Returns
    -------
    Path
        The path.

    Raises
    ------
    FileError
        The file cannot be read, is empty or malformed, or holds what is no finite number; the message names line and column.
    ArgumentError
        `interpolation` is another word.

    Examples
    --------
    >>> import os, tempfile, ccd
    >>> name = os.path.join(tempfile.mkdtemp(), "path.csv")
    >>> with open(name, "w") as file:
    ...     _ = file.write("time,shoulder,elbow\n0,0,0\n1.5,1,0.5\n")
    >>> ccd.robot.read_path(name)
    <ccd.robot.Path of 2 joints, 1 edges, degree 1>
    """
    name = files.file_name("path", path)
    arrays.choice("interpolation", interpolation, ("linear", "spline"))
    with opened(name) as start:
        saved = start.read(len(_spline_file.MARK)) == _spline_file.MARK
    if saved:
        return _saved(name)
    with files.reading(name), opened(name) as file, io.TextIOWrapper(file, "utf-8-sig", newline="") as text:
        header, table = _rows(name, csv.reader(text))
    stamps = [i for i, column in enumerate(header) if column.lower() in _TIME]
    if len(stamps) > 1:
        raise FileError(f"{name}: columns {stamps[0] + 1} and {stamps[1] + 1} both hold times")
    rest = [i for i in range(len(header)) if i not in stamps]
    make = Path if interpolation == "linear" else Path.spline
    with files.naming(name):
        return make([header[i] for i in rest], table[:, rest], table[:, stamps[0]] if stamps else None)


def _saved(name: str) -> Path:
    """The path of a file of `Path.save`."""
    found = _spline_file.read(name)
    if found.over:
        raise FileError(f"{name} has joints that follow {found.over!r}: ccd.robot.read_coupling reads it")
    with files.naming(name):
        path = Path.polynomial(found.joints, found.control, found.knots)
        return path.within(dict(zip(found.joints, found.errors.tolist())))


def _rows(name: str, lines: Iterable[list[str]]) -> tuple[list[str], NDArray[np.float64]]:
    """The first line, and the numbers of the others."""
    header: list[str] = []
    values = array("d")
    for i, row in enumerate(lines, 1):
        if not any(cell.strip() for cell in row) or row[0].lstrip().startswith("#"):
            continue
        if header:
            values.extend(_numbers(name, i, header, row))
        else:
            header = [cell.strip() for cell in row]
            _check_header(name, i, header)
    if not header:
        raise FileError(f"{name} is empty: its first line must name the joints")
    return header, np.array(values).reshape(-1, len(header))


def _check_header(name: str, line: int, header: list[str]) -> None:
    """Refuse a first line that holds a waypoint, or is separated by something other than commas."""
    if len(header) == 1 and len(re.split(r"[;\s]+", header[0])) > 1:
        raise FileError(f"{name}: line {line} is one column, {header[0]!r}: separate columns with commas")
    with contextlib.suppress(ValueError):
        float(header[0])
        raise FileError(f"{name}: line {line} begins with the number {header[0]}: the first line must name the joints")


def _numbers(name: str, line: int, header: list[str], row: list[str]) -> list[float]:
    if len(row) != len(header):
        raise FileError(f"{name}: line {line} has {len(row)} columns: must have {len(header)}, as the first line")
    values = []
    for column, cell in zip(header, row):
        try:
            value = float(cell)
        except ValueError:
            raise FileError(f"{name}: line {line}: {column} is {cell.strip()!r}: must be a number") from None
        if not abs(value) <= 1e150:
            raise FileError(f"{name}: line {line}: {column} is {cell.strip()!r}: must be finite and within 1e150")
        values.append(value)
    return values
