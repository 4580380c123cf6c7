package step

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"ccd/core/geom"
)

// String says in sentences which pair limits the step, why, and what to do.
func (w *Why) String() string {
	if w.Cause == Unlimited {
		return fmt.Sprintf("No pair limits the step: alpha is %.6g.", w.Alpha)
	}
	lines := []string{w.what() + ".", w.remedy()}
	if w.Initial > 1 {
		lines = append(lines, fmt.Sprintf("%d pairs are within their separation at the start, this one included%s.",
			w.Initial, w.kinds()))
	}
	if w.Cause >= Crossing && w.Cause <= WithinSeparation && w.Initial > 0 {
		lines = append(lines, w.then()...)
	}
	return strings.Join(lines, " ")
}

// startWords says what is true of pairs with a cause at the start.
var startWords = [startCauses]string{"crossing", "touching", "within radii", "within separation"}

// kinds says how many pairs have which cause, if there are several.
func (w *Why) kinds() string {
	var each []string
	for k, n := range w.AtStart {
		if n > 0 {
			each = append(each, fmt.Sprintf("%d %s", n, startWords[k]))
		}
	}
	if len(each) < 2 {
		return ""
	}
	return ": " + strings.Join(each, ", ")
}

// then says which pairs limit the step when the remedy for the first one is done.
func (w *Why) then() (lines []string) {
	var names []string
	for k := range w.Others[:startCauses] {
		if l := &w.Others[k]; l.Cause != Unlimited {
			names = append(names, fmt.Sprintf("%s (%s)", l.pair(), startWords[k]))
		}
	}
	if len(names) > 0 {
		lines = append(lines, fmt.Sprintf("Other pairs need remedies of their own, the first of each kind: %s.",
			strings.Join(names, "; ")))
	}
	without := "Without this pair"
	if w.Initial > 1 {
		without = "Without all of these"
	}
	switch l := &w.Others[startCauses]; {
	case w.Initial >= mostAtStart:
	case l.Cause == Unlimited:
		lines = append(lines, without+" no pair limits the step.")
	default:
		lines = append(lines, fmt.Sprintf("%s the step ends at t = %.6g, where %s meet.", without, l.TOI, l.pair()))
	}
	return lines
}

// pair names both primitives by their numbers.
func (l *Limit) pair() string {
	shapes := l.Kind.Info().Shapes
	return fmt.Sprintf("%v %d and %v %d", shapes[0], l.A, shapes[1], l.B)
}

// what is the sentence on the pair, without its full stop.
func (w *Why) what() string {
	at := fmt.Sprintf("from a distance of %.6g at the start", w.Hi)
	switch w.Cause {
	case Crossing:
		return fmt.Sprintf("%s passes through %s at the start", capital(w.primitive(0)), w.primitive(1))
	case Touching:
		if w.Same[0] >= 0 {
			return fmt.Sprintf("%s touch at the start: vertices %d and %d are at one place",
				w.pair(), w.Same[0], w.Same[1])
		}
		return w.pair() + " touch at the start"
	case WithinRadii:
		return fmt.Sprintf("%s are %.6g apart at the start, within the sum %.6g of their radii %.6g and %.6g",
			w.pair(), w.Hi, w.Radius[0]+w.Radius[1], w.Radius[0], w.Radius[1])
	case WithinSeparation:
		return fmt.Sprintf("%s are %.6g apart at the start, within their separation %s", w.pair(), w.Hi, w.separation())
	case TooShort:
		return fmt.Sprintf("%s come within their separation %s at t = %.6g, %s: so early that the positions there "+
			"round to x0", w.pair(), w.separation(), w.Impact.TOILo, at)
	case Undecided:
		return fmt.Sprintf("%s are undecided from t = %.6g on, %s: a budget was spent (%s)",
			w.pair(), w.Impact.TOILo, at, geom.Reason(w.Impact.Flags))
	}
	if w.Separation == 0 {
		return fmt.Sprintf("%s touch at t = %.6g, %s", w.pair(), w.Impact.TOILo, at)
	}
	return fmt.Sprintf("%s come within their separation %s at t = %.6g, %s", w.pair(), w.separation(), w.Impact.TOILo,
		at)
}

// near reports whether the remedy is to exclude pairs near in the mesh.
func (w *Why) near() bool {
	return w.Rings >= 0 && (w.Cause == WithinRadii || w.Cause == WithinSeparation)
}

// welds reports whether the remedy is to weld vertices at one place.
func (w *Why) welds() bool { return w.Cause == Touching && w.Same[0] >= 0 }

// remedy is the sentence on what to do.
func (w *Why) remedy() string {
	near := ""
	if w.near() {
		near = fmt.Sprintf("They are %s of each other in the mesh: leave such pairs out with exclude_near, "+
			"once, at rest", edges(w.Rings))
	}
	switch {
	case w.Cause == Crossing:
		return "No step resolves that: start from positions that do not intersect, or leave check_start out."
	case w.welds():
		return "If the file has vertices twice, weld them when you read it; else exclude the pair, or start from " +
			"positions that are apart."
	case w.Cause == Touching:
		return "Start from positions that are apart, as advance returns them, or exclude the pair."
	case w.Cause == WithinRadii && near != "":
		return near + "; or set smaller radii."
	case w.Cause == WithinRadii:
		return "Set smaller radii, start from positions that are farther apart, or exclude the pair."
	case w.Cause == WithinSeparation && near != "":
		return near + "; or pass a " + w.least() + " below " + w.room() + "."
	case w.Cause == WithinSeparation:
		return "Pass a " + w.least() + " below " + w.room() + ", or start from positions that are farther apart."
	case w.Cause == Undecided:
		return "Use the exact method, which always decides, or raise max_iterations."
	case w.Cause == Meeting && w.Alpha == 0:
		return "The method has a tolerance, and proves no step with it: use the exact method, or lower the tolerance."
	case w.Response != 0:
		return "The response leaves this pair: raise max_rounds, or go on from x with the next step."
	case w.Cause == TooShort:
		return "The pair rests: take the velocity along the normal away (activeset), or stop only its vertices " +
			"(sizes)."
	}
	return "Advance that far and respond to the contact (activeset), or let all other vertices go on (sizes)."
}

// least names the separation that the caller gives.
func (w *Why) least() string {
	if w.Response != 0 {
		return "min_separation times keep"
	}
	return "min_separation"
}

// room says which separation the start has.
func (w *Why) room() string {
	if w.Initial > 1 { // The first pair need not be the nearest.
		return "the least distance at the start, as proximity distance returns it"
	}
	return below(w.Hi - w.Radius[0] - w.Radius[1])
}

// below is a positive number rounded down to six digits: what is below it is below the number.
func below(x float64) string {
	s := fmt.Sprintf("%.6g", x)
	if read, _ := strconv.ParseFloat(s, 64); read > x {
		sixth := math.Pow10(int(math.Floor(math.Log10(x))) - 5)
		s = fmt.Sprintf("%.6g", x-float64(sixth/2))
	}
	return s
}

// edges names a number of edges.
func edges(n int32) string {
	switch n {
	case 0:
		return "at a vertex"
	case 1:
		return "within 1 edge"
	}
	return fmt.Sprintf("within %d edges", n)
}

// separation says what the separation of the pair is made of.
func (w *Why) separation() string {
	switch {
	case w.Radius != [2]float64{}:
		return fmt.Sprintf("%.6g (%s %.6g, radii %.6g and %.6g)", w.Separation, w.least(), w.MinSeparation, w.Radius[0],
			w.Radius[1])
	case w.Response != 0:
		return fmt.Sprintf("%.6g (%s)", w.Separation, w.least())
	}
	return fmt.Sprintf("%.6g", w.Separation)
}

// pair names both primitives.
func (w *Why) pair() string { return capital(w.primitive(0)) + " and " + w.primitive(1) }

// primitive names a primitive and its vertices.
func (w *Why) primitive(side int) string {
	shape := w.Impact.Kind.Info().Shapes[side]
	number, from := w.Impact.A, 0
	if side == 1 {
		number, from = w.Impact.B, w.Impact.Kind.Info().Shapes[0].Vertices()
	}
	name := [...]string{geom.Vertex: "vertex", geom.Edge: "edge", geom.Face: "face"}[shape]
	if shape == geom.Vertex {
		return fmt.Sprintf("%s %d", name, number)
	}
	var vertices []string
	for _, v := range w.Vertices[from : from+shape.Vertices()] {
		vertices = append(vertices, fmt.Sprint(v))
	}
	return fmt.Sprintf("%s %d (vertices %s)", name, number, strings.Join(vertices, ", "))
}

// capital makes the first letter a capital.
func capital(s string) string { return strings.ToUpper(s[:1]) + s[1:] }
