package source

import (
	"fmt"
	"go/ast"
	"go/constant"
	"go/parser"
	"go/token"
	"go/types"
	"io/fs"
	"maps"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// pages says, by package, which page derives the constants that no machine has proven, and why none
// has.
var pages = map[string][2]string{
	"core/bvh":             {"rigid.md", "lengths, and axes of boxes that are products of rotations"},
	"core/contain":         {"proximity.md", "they pay for underflow in the proofs above"},
	"core/exact":           {"exact.md", "they pay for underflow in the proofs above"},
	"core/exact/clearance": {"separation.md", "double-doubles with a root or a direction; polynomials of any degree"},
	"core/exact/curved":    {"motions.md", "double-doubles of any degree; places by Newton's method"},
	"core/gradient":        {"gradients.md", "a choice: a derivative that is less certain is not given"},
	"core/linkage":         {"robots.md", "rotations and balls, composed along a chain; choices of the search"},
	"core/meshfile":        {"", "it pays for underflow in the proof above"},
	"core/motion":          {"motions.md", "rotations and balls, composed along a chain"},
	"core/narrow":          {"tolerant-methods.md", "intervals that are cut by quotients; choices of the search"},
	"core/num":             {"intervals.md", "they pay for underflow, and for angles near quarters of a turn"},
	"core/overlap":         {"overlap.md", "choices of the search, and a unit vector"},
	"core/patch":           {"patches.md", "nets of any degree, in frames that the search chooses"},
	"core/penetration":     {"least-translation.md", "lengths, and choices of the search"},
	"core/proximity":       {"proximity.md", "limits, what underflows, and a place by Newton's method"},
	"core/rigid":           {"rigid.md", "rotations at a time, and lengths and quotients of what they turn"},
	"core/rigid/poses":     {"rigid.md", "a root of a sum of squares, as a pair"},
	"core/rigid/screw":     {"screws.md", "the angle of a direction, and what angles of images may be off"},
	"core/rigid/skin":      {"rigid.md", "choices of the search: what counts as one plane, line, or direction"},
	"core/rigid/triangle":  {"rigid.md", "they pay for underflow, and for lengths and their quotients"},
	"core/robot":           {"robots.md", "rotations and balls, composed along a chain"},
	"core/step":            {"steps.md", "they pay for the rounding of positions to doubles"},
	"core/trim":            {"trimmed-faces.md", "it pays for underflow in the proof above"},
}

// elsewhere are constants that are proven under another name, or in another way.
var elsewhere = map[string]string{
	"core/bvh radiusSlack":      "Gappa, as `encloseUp`",
	"core/exact boundQuadratic": "at a double",
	"core/geom RotationBound":   "of dividends and divisors",
	"core/meshfile filter":      "of products",
	"core/num affineK":          "at corners of a box",
	"core/num SincosBound":      "Gappa and Sollya",
	"core/num halfPi2":          "with `SincosBound`",
	"core/num ballSum":          "Gappa",
	"core/num ballMul":          "Gappa",
	"core/num ballSlack":        "of errors",
	"core/proximity u5":         "as `encloseSum`",
	"core/proximity corner":     "as `encloseCorner`",
	"core/proximity u6":         "as `encloseAlong`",
}

// small is a constant near 0 or 1.
type small struct {
	name  string
	value float64
}

// smallConstants returns the constants of the packages in core, by package: those written with a
// power of two that are within 2^-16 of 0 or of 1. What only tests use is left out.
func smallConstants(t *testing.T) map[string][]small {
	found, files := map[string][]small{}, token.NewFileSet()
	err := filepath.WalkDir(root+"/core", func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() {
			if slices.Contains([]string{"ccdtest", "reference", "testdata"}, d.Name()) {
				return filepath.SkipDir
			}
			return nil
		}
		if !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
			return nil
		}
		file, err := parser.ParseFile(files, path, nil, 0)
		if err != nil {
			return err
		}
		folder := strings.TrimPrefix(filepath.ToSlash(filepath.Dir(path)), root+"/")
		ast.Inspect(file, func(n ast.Node) bool {
			if g, ok := n.(*ast.GenDecl); ok && g.Tok == token.CONST {
				for _, s := range g.Specs {
					found[folder] = append(found[folder], smallIn(files, s.(*ast.ValueSpec))...)
				}
			}
			return true
		})
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	maps.DeleteFunc(found, func(_ string, all []small) bool { return len(all) == 0 })
	return found
}

func smallIn(files *token.FileSet, s *ast.ValueSpec) (found []small) {
	for i, e := range s.Values {
		text := types.ExprString(e)
		v, err := types.Eval(files, nil, token.NoPos, text)
		if err != nil || v.Value == nil || !strings.Contains(text, "p-") {
			continue
		}
		x := constant.ToFloat(v.Value)
		if x.Kind() != constant.Float {
			continue
		}
		value, _ := constant.Float64Val(x)
		if a, b := math.Abs(value), math.Abs(value-1); a > 0 && a < 0x1p-16 || b > 0 && b < 0x1p-16 {
			found = append(found, small{s.Names[i].Name, value})
		}
	}
	return found
}

// inUnits writes a constant in roundings, or as a power of two.
func inUnits(x float64) string {
	if math.Abs(x-1) < 0x1p-16 {
		sign := map[bool]string{true: "1 + ", false: "1 - "}[x > 1]
		return sign + inUnits(math.Abs(x-1))
	}
	if k := x * 0x1p53; k >= 0.5 && k < 0x1p13 {
		return fmt.Sprintf("%.4g U", k)
	}
	if m, e := math.Frexp(x); m == 0.5 {
		return fmt.Sprintf("2^%d", e-1)
	}
	if k := x * 0x1p106; k >= 1 && k < 0x1p13 {
		return fmt.Sprintf("%g U^2", k)
	}
	return fmt.Sprintf("%.3g", x)
}

// TestEveryConstantIsListed compares the last table of docs/explanation/guarantees.md with the
// constants of the packages in core. A package whose constants no page derives fails.
func TestEveryConstantIsListed(t *testing.T) {
	proven := map[string]bool{}
	for _, x := range library() {
		for _, n := range x.constants {
			proven[strings.TrimPrefix(x.Path, "ccd/")+" "+n] = true
		}
	}
	var table strings.Builder
	table.WriteString("\n| package | proven by machine | derived by people | derivation | why not by machine |\n" +
		"|---|---|---|---|---|\n")
	all := smallConstants(t)
	for _, folder := range slices.Sorted(maps.Keys(all)) {
		var machine, people []string
		for _, c := range all[folder] {
			key, text := folder+" "+c.name, fmt.Sprintf("`%s` %s", c.name, inUnits(c.value))
			switch {
			case elsewhere[key] != "":
				machine = append(machine, text+" ("+elsewhere[key]+")")
			case proven[key]:
				machine = append(machine, text)
			default:
				people = append(people, text)
			}
			delete(elsewhere, key)
		}
		page, why := "", ""
		if len(people) > 0 {
			p, ok := pages[folder]
			if !ok {
				t.Errorf("pages does not say which page derives the constants of %s: %v", folder, people)
			}
			page, why = "its comment", p[1]
			if p[0] != "" {
				page = fmt.Sprintf("[%s](../proofs/%s)", strings.TrimSuffix(p[0], ".md"), p[0])
			}
		}
		fmt.Fprintf(&table, "| %s | %s | %s | %s | %s |\n", folder, listed(machine), listed(people), page, why)
	}
	for key := range elsewhere {
		t.Errorf("elsewhere has %s, which no package has", key)
	}
	for folder := range pages {
		if all[folder] == nil {
			t.Errorf("pages has %s, which has no such constant", folder)
		}
	}
	replaceTable(t, "others", table.String(), "EveryConstant")
}

// listed joins constants; of equal ones in several functions there is one.
func listed(all []string) string {
	slices.Sort(all)
	return strings.Join(slices.Compact(all), ", ")
}

// replaceTable compares a table of docs/explanation/guarantees.md with what it should be, or writes
// it.
func replaceTable(t *testing.T, name, table, test string) {
	t.Helper()
	const path = root + "/docs/explanation/guarantees.md"
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	opens, closes := "<!-- "+name+" -->\n", "<!-- end of "+name+" -->"
	begin, end, ok := strings.Cut(string(text), opens)
	_, end, closed := strings.Cut(end, closes)
	if !ok || !closed {
		t.Fatalf("guarantees.md has no place for the table of the %s", name)
	}
	want := begin + opens + table + "\n" + closes + end
	if *update {
		if err := os.WriteFile(path, []byte(want), 0o666); err != nil {
			t.Fatal(err)
		}
	} else if want != string(text) {
		t.Errorf("the table of the %s in %s is not that of the text: "+
			"run go -C simd/_gen test -run %s ./proof/source -update", name, path, test)
	}
}
