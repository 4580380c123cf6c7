package patch

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"math"
	"strings"

	"ccd/core/geom"
	"ccd/core/meshfile"
	"ccd/core/status"
)

// jsonModel is the JSON format:
//
//	{"points": [[x, y, z], ...],
//	 "patches": [
//	   {"shape": "quad", "degree": [3, 3], "index": [0, 1, ...], "weights": [1, 1, ...]},
//	   {"degree": [2, 2], "knots": [[0, 0, 0, 1, 1, 1], [...]], "index": [...], "weights": [...]}]}
//
// shape is curve, triangle or quad, which it is when left out; degree has one number for a curve or
// a triangle. index holds control points from 0 in the order of Form. With knots it is a NURBS
// surface or curve: point (i, j) at i n_v + j. weights may be left out. Other keys are errors, but
// for "name" and "comment" of the file.
type jsonModel struct {
	Points  jsonPoints  `json:"points"`
	Patches jsonPatches `json:"patches"`
	Name    string      `json:"name"`
	Comment string      `json:"comment"`
}

// jsonPoints is the coordinates of all points: read one point after the other, for a list of lists
// takes eight times its text, and several times that as it grows.
type jsonPoints []float64

// UnmarshalJSON reads a list of points.
func (list *jsonPoints) UnmarshalJSON(data []byte) error {
	var p []float64
	return items("points", data, func(d *json.Decoder, i int) error {
		if p = p[:0]; d.Decode(&p) != nil {
			return status.Errorf(status.ErrFile, "points[%d]: not three numbers", i)
		}
		if len(p) != 3 {
			return status.Errorf(status.ErrFile, "points[%d] has %d numbers, not 3", i, len(p))
		}
		for _, x := range p {
			if !(math.Abs(x) <= geom.MaxCoordinate) {
				return status.Errorf(status.ErrFile, "points[%d] holds %v: beyond 1e150", i, x)
			}
		}
		*list = append(*list, p...)
		return nil
	})
}

// jsonPatches is the text of all patches: they are read once the points are there.
type jsonPatches []byte

// UnmarshalJSON keeps the text.
func (list *jsonPatches) UnmarshalJSON(data []byte) error {
	*list = bytes.Clone(data)
	return nil
}

// items calls item for each item of a list of valid JSON.
func items(name string, data []byte, item func(d *json.Decoder, i int) error) error {
	if len(data) == 0 || bytes.Equal(data, []byte("null")) {
		return nil
	}
	d := json.NewDecoder(bytes.NewReader(data))
	d.DisallowUnknownFields()
	if t, err := d.Token(); err != nil || t != json.Delim('[') {
		return status.Errorf(status.ErrFile, "%s: not a list", name)
	}
	for i := 0; d.More(); i++ {
		if err := item(d, i); err != nil {
			return err
		}
	}
	return nil
}

type jsonPatch struct {
	Shape   string      `json:"shape"`
	Degree  []int       `json:"degree"`
	Knots   [][]float64 `json:"knots"`
	Index   []int32     `json:"index"`
	Weights []float64   `json:"weights"`
}

// readJSON reads the format of jsonModel. What breaks it as JSON is named by its line, what it says
// wrongly by its patch.
func (m *Model) readJSON(data []byte) error {
	d := json.NewDecoder(bytes.NewReader(data))
	d.DisallowUnknownFields()
	var j jsonModel
	if err := d.Decode(&j); err != nil {
		if errors.Is(err, status.ErrFile) {
			return err
		}
		at := d.InputOffset()
		var syntax *json.SyntaxError
		var kind *json.UnmarshalTypeError
		switch {
		case errors.As(err, &syntax):
			at = syntax.Offset
		case errors.As(err, &kind):
			at = kind.Offset
		}
		at = min(max(at, 0), int64(len(data)))
		return status.Errorf(status.ErrFile, "line %d: %s", 1+bytes.Count(data[:at], []byte{'\n'}), wrongly(err))
	}
	if d.More() {
		return status.Errorf(status.ErrFile, "more after the end of the JSON object")
	}
	if m.Points = j.Points; len(m.Points)/3 > math.MaxInt32 {
		return status.Errorf(status.ErrFile, "more than %d points", math.MaxInt32)
	}
	return items("patches", j.Patches, func(d *json.Decoder, i int) error {
		var p jsonPatch
		if err := d.Decode(&p); err != nil {
			return status.Errorf(status.ErrFile, "patches[%d]: %s", i, wrongly(err))
		}
		if err := m.addJSON(&p); err != nil {
			return status.Errorf(status.ErrFile, "patches[%d]: %v", i, err)
		}
		return nil
	})
}

// wrongly says what is wrong with a value, and does not quote it.
func wrongly(err error) string {
	var kind *json.UnmarshalTypeError
	switch {
	case errors.As(err, &kind):
		return "a value of the wrong type, or beyond its range, for " + kind.Field
	case strings.HasPrefix(err.Error(), "json: unknown field"): // encoding/json has no type for this error.
		return "a key that means nothing here"
	case errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF):
		return "the file ends within the JSON object"
	}
	return "not well-formed JSON"
}

func (m *Model) addJSON(p *jsonPatch) error {
	shape, ok := map[string]Shape{"curve": Curve, "triangle": Triangle, "quad": Quad, "": Quad}[p.Shape]
	switch {
	case !ok:
		return status.Errorf(status.ErrArgument, "shape %s: must be curve, triangle or quad", meshfile.Shown(p.Shape))
	case shape == Quad && len(p.Degree) != 2, shape != Quad && len(p.Degree) != 1:
		return status.Errorf(status.ErrArgument, "degree has %d numbers", len(p.Degree))
	case p.Weights != nil && len(p.Weights) != len(p.Index):
		return status.Errorf(status.ErrArgument, "%d weights for %d control points", len(p.Weights), len(p.Index))
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
		return status.Errorf(status.ErrArgument, "%d knot vectors for a %v", len(p.Knots), shape)
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
