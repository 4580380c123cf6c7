package main

import (
	"cmp"
	"flag"
	"fmt"
	"maps"
	"math"
	"os"
	"slices"
	"strings"
	"testing"

	"ccd/simd/gen/proof"
)

var update = flag.Bool("update", false, "write the table of the constants to docs/explanation/guarantees.md")

// claims are what is proven of a constant.
type claims struct {
	kernels, tests, polynomials int
	share                       float64
}

// parts are constants of bounds that are proven with others.
var parts = []string{"crossingScale", "crossingTiny", "encloseLoss"}

// take adds what a program's tests prove to the claims of their constants.
func take(all map[string]*claims, q *proof.Program) error {
	met := map[string]bool{}
	add := func(name string, polynomials int, share float64) {
		c := all[name]
		if c == nil {
			c = &claims{}
			all[name] = c
		}
		if !met[name] {
			c.kernels++
		}
		met[name] = true
		c.tests++
		c.polynomials += polynomials
		c.share = max(c.share, share)
	}
	for _, test := range q.Tests() {
		r, err := q.Check(test)
		if err != nil {
			return err
		}
		for _, name := range q.Constants(test) {
			if !isNormBound(name) && !slices.Contains(parts, name) {
				add(name, r.Polynomials, r.Share)
			}
		}
	}
	norms, err := q.Norms()
	if err != nil {
		return err
	}
	for _, n := range norms {
		for _, a := range q.Ops[n.At].Args {
			if name := q.Ops[a].Name; isNormBound(name) {
				add(name, 1, n.Share)
			}
		}
	}
	most := 1023
	if q.Single {
		most = 127
	}
	if q.Name != "crossing" && q.Largest() > most { // Crossings scale first, so that their bounds overflow before.
		return fmt.Errorf("%s: values may reach 2^%d", q.Name, q.Largest())
	}
	return nil
}

func isNormBound(name string) bool { return strings.Contains(strings.ToLower(name), "normbound") }

// TestBoundsAreProven proves every test of every kernel that package proof knows, and compares the
// table of docs/explanation/guarantees.md with what was found. Every constant of the generator's
// programs is in the table, with what proves it.
func TestBoundsAreProven(t *testing.T) {
	all := map[string]*claims{}
	for _, q := range printedKernels() {
		if err := take(all, q); err != nil {
			t.Error(err)
		}
	}
	table := tableOf(t, all)
	const path = "../../docs/explanation/guarantees.md"
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	begin, end, ok := strings.Cut(string(text), "<!-- constants -->\n")
	_, end, closed := strings.Cut(end, "<!-- end of constants -->")
	if !ok || !closed {
		t.Fatal("guarantees.md has no place for the table of the constants")
	}
	for _, name := range inFunctions {
		if !strings.Contains(end, "| `"+name+"` |") {
			t.Errorf("%s is not in the table of functions", name)
		}
	}
	want := begin + "<!-- constants -->\n" + table + "<!-- end of constants -->" + end
	if *update {
		if err := os.WriteFile(path, []byte(want), 0o666); err != nil {
			t.Fatal(err)
		}
	} else if want != string(text) {
		t.Errorf("the table of the constants in %s is not that of the proofs: "+
			"run go -C simd/_gen test -run Proven . -update", path)
	}
}

// byPeople are the constants of the programs that no test of package proof holds. The comment of
// each in its package derives it.
var byPeople = []string{
	"aheadSlack", "crossingScale", "crossingTiny", "curvedFarBound",
	"curvedPointBound", "curvedReach", "curvedVelocityBound",
	"encloseDown", "encloseFine", "encloseLeast", "encloseLoss", "encloseMost",
	"encloseSquare", "encloseTight", "encloseTiny", "encloseUp", "largest",
	"largest32", "largestPiece", "least32", "leastDirection", "leastMinor", "leastPlaced", "leastRelative",
	"leastTime", "mostPlaced", "nearTiny", "pairSlack",
	"smallest", "smallest32", "smallestVolume",
}

// inFunctions are constants that package source proves, from the text of what computes with them.
var inFunctions = []string{"curvedMinorBound", "curvedReachBound", "minorBound"}

// notByMachine says, by file, what of the programs with these constants package proof does not
// know.
var notByMachine = map[string]string{
	"curve/place.go":           "a quotient, and a place at a root that is known within a bracket",
	"curve/roots.go":           "f at the next double, from its slope, and a choice (`curvedReach`)",
	"internal/query/limits.go": "chosen limits: the proofs above hold with them, and fail with a smaller guard",
	"still/crossing.go":        "parts of `crossingBound`, which is proven with them",
	"still/enclose.go": "limits, and `encloseLoss`, with which `encloseAlong` is proven; lengths and quotients " +
		"(`encloseUp`, `encloseDown`) by Gappa, `make prove`",
	"still/near.go": "limits of what underflows, with which `nearBound` is proven",
}

// tableOf writes the table: first what is proven by machine.
func tableOf(t *testing.T, all map[string]*claims) string {
	used := usedBounds(t)
	var b strings.Builder
	b.WriteString("\n| constant | value | proven by machine: kernels, tests, polynomials | of it used |\n" +
		"|---|--:|--:|--:|\n")
	for _, name := range slices.Sorted(maps.Keys(all)) {
		c := all[name]
		fmt.Fprintf(&b, "| `%s` | %s | %d, %d, %d | %.3f |\n", name, inRoundings(name),
			c.kernels, c.tests, c.polynomials, c.share)
		delete(used, name)
	}
	files := map[string][]string{}
	for _, name := range inFunctions {
		if !used[name] {
			t.Errorf("inFunctions has %s, which no program uses, or which is proven here", name)
		}
		delete(used, name)
	}
	for name := range used {
		if !slices.Contains(byPeople, name) {
			t.Errorf("the constant %s has no proof: package proof has no test with it, nor is it in byPeople", name)
		}
		files[boundFiles[name]] = append(files[boundFiles[name]], "`"+name+"`")
	}
	for _, name := range byPeople {
		if !used[name] {
			t.Errorf("byPeople has %s, which no program uses, or which is proven by machine", name)
		}
	}
	fmt.Fprintf(&b, "\n`%s` are in the table of functions below.\n", strings.Join(inFunctions, "`, `"))
	b.WriteString("\nDerived by people, in the comments of these files, and held by tests:\n\n" +
		"| file | constants | why not by machine |\n|---|---|---|\n")
	for _, file := range slices.Sorted(maps.Keys(files)) {
		slices.SortFunc(files[file], func(a, b string) int {
			return cmp.Compare(strings.ToLower(a), strings.ToLower(b))
		})
		why := notByMachine[file]
		if why == "" {
			t.Errorf("notByMachine does not say why the constants of %s are derived by people", file)
		}
		fmt.Fprintf(&b, "| simd/%s | %s | %s |\n", file, strings.Join(files[file], ", "), why)
	}
	b.WriteString("\n")
	return b.String()
}

// inRoundings writes a bound in roundings.
func inRoundings(name string) string {
	u := 0x1p-53
	if strings.HasSuffix(name, "32") {
		u = 0x1p-24
	}
	x := bounds[name]
	if name == "crossingBound" {
		x *= bounds["crossingScale"]
	}
	if x < u { // Of double-doubles.
		return fmt.Sprintf("%g U^2", x/u/u)
	}
	if name == "crossingSum" {
		return fmt.Sprint(x)
	}
	return fmt.Sprintf("%g U", x/u)
}

// usedBounds returns the names of the constants that the programs of all kernels use.
func usedBounds(t *testing.T) map[string]bool {
	used := map[string]bool{}
	asked = func(name string) { used[name] = true }
	defer func() { asked = func(string) {} }()
	dir := t.TempDir()
	for _, f := range families {
		if err := f.generate(dir); err != nil {
			t.Fatal(err)
		}
	}
	return used
}

// TestLessThanABoundIsRefused shows that the proofs can fail: with a constant just below what is
// used, with a guard that lets everything underflow, and with a limit under which values overflow.
func TestLessThanABoundIsRefused(t *testing.T) {
	for _, q := range []*proof.Program{printedFilter("VF", false, true), printedFilter("EE", true, true),
		printedCurve("VF", 2, false, true), printedTurns("EE", true), printedCrossing(),
		printedRoots(), printedNear("EE"), printedAlong("VF"), printedPlaces("VF"), printedPieces("VF", false)} {
		all := map[string]*claims{}
		if err := take(all, q); err != nil {
			t.Fatal(err)
		}
		for name, c := range all {
			if err := take(map[string]*claims{}, changed(q, name, 0.999*c.share)); err == nil {
				t.Errorf("%s: %s may be %g of itself", q.Name, name, 0.999*c.share)
			}
		}
	}
	q := printedFilter("VF", false, true)
	if err := take(map[string]*claims{}, changed(q, "smallest", 0x1p-400)); err == nil {
		t.Error("a guard of 2^-900 is taken")
	}
	q.Limit = 400
	if err := take(map[string]*claims{}, q); err == nil {
		t.Error("a limit of 2^400 is taken")
	}
}

// changed returns a program in which a constant is multiplied.
func changed(q *proof.Program, name string, by float64) *proof.Program {
	c := *q
	c.Ops = slices.Clone(q.Ops)
	found := false
	for i, o := range c.Ops {
		if o.Name == name {
			c.Ops[i].Value, found = o.Value*by, true
		}
	}
	if !found {
		panic(fmt.Sprintf("%s has no constant %s", q.Name, name))
	}
	return c.Fresh()
}

// TestOperationsAreNoOthers shows that an operation in the place of another is refused by the proof
// or by the comparison with the formulas: a plus for a minus, a component for another, a blend with
// its ends exchanged.
func TestOperationsAreNoOthers(t *testing.T) {
	for _, q := range []*proof.Program{printedFilter("VF", false, true), printedCrossing()} {
		for i, o := range q.Ops {
			if o.Code != "add" && o.Code != "sub" || len(o.Args) != 2 || q.Ops[o.Args[0]].Code == "const" {
				continue
			}
			c := *q
			c.Ops = slices.Clone(q.Ops)
			c.Ops[i].Code = map[string]string{"add": "sub", "sub": "add"}[o.Code]
			if !reaches(q, i) {
				continue
			}
			m := c.Fresh()
			if take(map[string]*claims{}, m) == nil && meaning(m) == nil {
				t.Errorf("%s: operation %d may be %s", q.Name, i, c.Ops[i].Code)
			}
		}
	}
}

// reaches reports whether a test's value or bound is computed from operation i other than through a
// direction, which may be any.
func reaches(q *proof.Program, i int) bool {
	return slices.ContainsFunc(q.Tests(), func(t proof.Test) bool { return q.Reaches(t, i) })
}

func TestNumbersAreFinite(t *testing.T) {
	for name, x := range bounds {
		if math.IsInf(x, 0) {
			t.Errorf("%s is infinite", name)
		}
	}
}
