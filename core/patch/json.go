package patch

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"math"
	"strings"

	"ccd/core/geom"
	"ccd/core/mesh"
)

// jsonModel is the JSON format:
//
//	{"points": [[x, y, z], ...],
//	 "patches": [
//	   {"shape": "quad", "degree": [3, 3], "index": [0, 1, ...], "weights": [1, 1, ...]},
//	   {"degree": [2, 2], "knots": [[0, 0, 0, 1, 1, 1], [...]], "index": [...], "weights": [...]}]}
//
// shape is curve, triangle or quad, which it is when left out; degree has one number for a curve or a triangle. index holds
// control points from 0 in the order of Form. With knots it is a NURBS surface or curve: point (i, j) at i n_v + j. weights may
// be left out. Other keys are errors, but for "name" and "comment" of the file.
type jsonModel struct {
	Points  [][]float64 `json:"points"`
	Patches []jsonPatch `json:"patches"`
	Name    string      `json:"name"`
	Comment string      `json:"comment"`
}

type jsonPatch struct {
	Shape   string      `json:"shape"`
	Degree  []int       `json:"degree"`
	Knots   [][]float64 `json:"knots"`
	Index   []int32     `json:"index"`
	Weights []float64   `json:"weights"`
}

// readJSON reads the format of jsonModel. What breaks it as JSON is named by its line, what it says wrongly by its patch.
func (m *Model) readJSON(data []byte) error {
	d := json.NewDecoder(bytes.NewReader(data))
	d.DisallowUnknownFields()
	var j jsonModel
	if err := d.Decode(&j); err != nil {
		at := d.InputOffset()
		var syntax *json.SyntaxError
		var kind *json.UnmarshalTypeError
		what := "not well-formed JSON"
		switch {
		case errors.As(err, &syntax):
			at = syntax.Offset
		case errors.As(err, &kind):
			at, what = kind.Offset, "a value of the wrong type, or beyond its range, for "+kind.Field
		case errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF):
			what = "the file ends within the JSON object"
		case strings.HasPrefix(err.Error(), "json: unknown field"): // of no type of its own
			what = "a key that means nothing here"
		}
		at = min(max(at, 0), int64(len(data)))
		return badFile("line %d: %s", 1+bytes.Count(data[:at], []byte{'\n'}), what)
	}
	if d.More() {
		return badFile("more after the end of the JSON object")
	}
	for i, p := range j.Points {
		if len(p) != 3 {
			return badFile("points[%d] has %d numbers, not 3", i, len(p))
		}
		for _, x := range p {
			if !(math.Abs(x) <= geom.MaxCoordinate) {
				return badFile("points[%d] holds %v: beyond 1e150", i, x)
			}
		}
		m.Points = append(m.Points, p...)
	}
	for i := range j.Patches {
		if err := m.addJSON(&j.Patches[i]); err != nil {
			return badFile("patches[%d]: %v", i, err)
		}
	}
	return nil
}

func (m *Model) addJSON(p *jsonPatch) error {
	shape, ok := map[string]Shape{"curve": Curve, "triangle": Triangle, "quad": Quad, "": Quad}[p.Shape]
	switch {
	case !ok:
		return badArgument("shape %s: must be curve, triangle or quad", mesh.Shown(p.Shape))
	case shape == Quad && len(p.Degree) != 2, shape != Quad && len(p.Degree) != 1:
		return badArgument("degree has %d numbers", len(p.Degree))
	case p.Weights != nil && len(p.Weights) != len(p.Index):
		return badArgument("%d weights for %d control points", len(p.Weights), len(p.Index))
	}
	f := Form{Shape: shape, U: p.Degree[0]}
	switch shape {
	case Triangle:
		f.V = f.U
	case Quad:
		f.V = p.Degree[1]
	}
	if p.Knots == nil {
		return m.add(f, p.Index, p.Weights)
	}
	if shape == Triangle || len(p.Knots) != len(p.Degree) {
		return badArgument("%d knot vectors for a %v", len(p.Knots), shape)
	}
	n := &NURBS{U: f.U, V: f.V, KnotsU: p.Knots[0], W: p.Weights}
	if shape == Quad {
		n.KnotsV = p.Knots[1]
	}
	if err := n.Check(); err != nil {
		return err
	}
	return m.addNURBS(n, p.Index)
}
