package core

import (
	"go/build"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// below lists, for every package, the packages that it may import. See docs/architecture.md.
var below = map[string][]string{
	"ccd/simd":                 {"ccd/simd/internal/level"},
	"ccd/simd/internal/level":  {},
	"ccd/simd/internal/vec":    {},
	"ccd/simd/internal/query":  {"ccd/simd/internal/vec"},
	"ccd/simd/internal/checks": {"ccd/simd/internal/level", "ccd/simd/internal/vec"},
	"ccd/simd/box":             shared,
	"ccd/simd/linear":          shared,
	"ccd/simd/still":           shared,
	"ccd/simd/curve":           append([]string{"ccd/simd/linear"}, shared...),
	"ccd/simd/solid":           shared,
	"ccd/simd/patch":           shared,
	"ccd/simd/text":            {},
	"ccd/simd/pairs":           {"ccd/simd"},
	"ccd/gpu":                  {"ccd/simd", "ccd/simd/text", "ccd/simd/pairs"},
	"ccd/core":                 {},
	"ccd/core/status":          {},
	"ccd/core/order":           {},
	"ccd/core/engine":          {"ccd/core/status"},
	"ccd/core/num":             {"ccd/simd"},
	"ccd/core/geom":            {"ccd/core/num", "ccd/core/engine", "ccd/core/status", "ccd/simd"},
	"ccd/core/kernel":          {"ccd/core/geom", "ccd/core/num", "ccd/simd", "ccd/simd/pairs"},
	"ccd/core/exact": {"ccd/core/exact/internal/algebra", "ccd/core/kernel", "ccd/core/geom",
		"ccd/core/num", "ccd/core/engine", "ccd/core/status", "ccd/simd"},
	"ccd/core/exact/internal/algebra": {},
	"ccd/core/exact/clearance": {
		"ccd/core/exact", "ccd/core/exact/internal/algebra", "ccd/core/kernel", "ccd/core/geom", "ccd/core/num",
	},
	"ccd/core/exact/curved": {
		"ccd/core/exact/clearance", "ccd/core/exact", "ccd/core/exact/internal/algebra", "ccd/core/kernel",
		"ccd/core/geom",
		"ccd/core/num",
	},
	"ccd/core/gradient": {"ccd/core/geom", "ccd/core/num"},
	"ccd/core/bound":    {"ccd/core/geom", "ccd/core/num", "ccd/core/engine", "ccd/core/status", "ccd/simd"},
	"ccd/core/mesh":     {"ccd/core/geom", "ccd/core/num", "ccd/core/engine", "ccd/core/status", "ccd/simd"},
	"ccd/core/unpack":   {},
	"ccd/core/trim":     {"ccd/core/geom", "ccd/core/num", "ccd/core/status"},
	"ccd/core/meshfile": {"ccd/core/mesh", "ccd/core/status", "ccd/core/unpack"},
	"ccd/core/motion":   {"ccd/core/geom", "ccd/core/num", "ccd/core/engine", "ccd/core/status", "ccd/simd"},
	"ccd/core/bvh": {"ccd/core/bound", "ccd/core/mesh", "ccd/core/geom", "ccd/core/num", "ccd/core/engine",
		"ccd/core/status", "ccd/simd"},
	"ccd/core/contain": {"ccd/core/bvh", "ccd/core/geom", "ccd/core/num", "ccd/core/engine", "ccd/core/status"},
	"ccd/core/overlap": {"ccd/core/contain", "ccd/core/exact", "ccd/core/bvh", "ccd/core/geom", "ccd/core/num",
		"ccd/core/engine", "ccd/core/status"},
	"ccd/core/inclusion": {"ccd/core/bound", "ccd/core/mesh", "ccd/core/geom", "ccd/core/num", "ccd/core/engine",
		"ccd/core/status", "ccd/simd"},
	"ccd/core/broad/hierarchy": {
		"ccd/core/bound", "ccd/core/mesh", "ccd/core/geom", "ccd/core/num", "ccd/core/engine", "ccd/simd",
	},
	"ccd/core/broad": {
		"ccd/core/broad/hierarchy", "ccd/core/kernel", "ccd/simd/pairs", "ccd/core/bound", "ccd/core/mesh",
		"ccd/core/geom",
		"ccd/core/num", "ccd/core/engine", "ccd/core/status", "ccd/simd",
	},
	"ccd/core/narrow": {"ccd/core/gradient", "ccd/core/motion", "ccd/core/exact/curved",
		"ccd/core/exact/clearance", "ccd/core/exact", "ccd/core/kernel", "ccd/core/bound", "ccd/core/mesh",
		"ccd/core/geom", "ccd/core/num", "ccd/core/engine", "ccd/core/status", "ccd/simd"},
	"ccd/core/constraint":  {"ccd/core/mesh", "ccd/core/geom", "ccd/core/status"},
	"ccd/core/step/curved": second,
	"ccd/core/step/device": {
		"ccd/core/broad", "ccd/core/kernel", "ccd/core/geom", "ccd/core/engine", "ccd/core/status", "ccd/simd/pairs",
	},
	"ccd/core/step": append([]string{
		"ccd/core/step/curved", "ccd/core/step/device", "ccd/core/constraint",
	}, second...),
	"ccd/core/proximity": append([]string{"ccd/core/exact", "ccd/core/contain", "ccd/core/overlap"}, second...),
	"ccd/core/scene":     append([]string{"ccd/core/step", "ccd/core/proximity"}, second...),
	"ccd/core/neighbors": append([]string{"ccd/core/step", "ccd/core/proximity"}, second...),
	"ccd/core/rigid": append([]string{
		"ccd/core/rigid/hull", "ccd/core/rigid/poses", "ccd/core/rigid/screw", "ccd/core/rigid/skin",
		"ccd/core/rigid/triangle", "ccd/core/exact", "ccd/core/contain", "ccd/core/overlap",
	}, second...),
	"ccd/core/rigid/hull":     {"ccd/core/geom", "ccd/core/num"},
	"ccd/core/rigid/poses":    {"ccd/core/geom", "ccd/core/num", "ccd/core/status"},
	"ccd/core/rigid/screw":    {"ccd/core/rigid/poses", "ccd/core/bvh", "ccd/core/geom", "ccd/core/num"},
	"ccd/core/rigid/skin":     {"ccd/core/rigid/triangle", "ccd/core/bvh", "ccd/core/geom"},
	"ccd/core/rigid/triangle": {"ccd/core/exact", "ccd/core/bvh", "ccd/core/geom", "ccd/core/num"},
	"ccd/core/penetration": {"ccd/core/rigid", "ccd/core/gradient", "ccd/core/geom", "ccd/core/num", "ccd/core/engine",
		"ccd/core/status"},
	"ccd/core/untangle": append([]string{
		"ccd/core/penetration", "ccd/core/proximity", "ccd/core/rigid",
	}, second...),
	"ccd/core/robot":            {"ccd/core/geom", "ccd/core/num", "ccd/core/engine", "ccd/core/status"},
	"ccd/core/urdf":             {"ccd/core/robot", "ccd/core/meshfile", "ccd/core/geom", "ccd/core/status"},
	"ccd/core/linkage":          {"ccd/core/robot", "ccd/core/geom", "ccd/core/num", "ccd/core/status"},
	"ccd/core/volume":           second,
	"ccd/core/patch":            append([]string{"ccd/core/meshfile", "ccd/core/trim"}, second...),
	"ccd/core/reference/oracle": {"ccd/core/geom"},
	"ccd/core/reference/volccd": {"ccd/core/volume", "ccd/core/broad", "ccd/core/bvh", "ccd/core/bound",
		"ccd/core/mesh", "ccd/core/geom", "ccd/core/engine", "ccd/core/status"},
	"ccd/core/reference/boxed": {"ccd/core/patch", "ccd/core/narrow", "ccd/core/order", "ccd/core/geom"},
	"ccd/core/reference/d2m": {"ccd/core/rigid", "ccd/core/rigid/poses", "ccd/core/inclusion",
		"ccd/core/order", "ccd/core/bound",
		"ccd/core/geom", "ccd/core/num", "ccd/core/status"},
	"ccd/core/reference/stq": {"ccd/core/bound", "ccd/core/mesh", "ccd/core/geom"},

	// The package for Go programs, and the one that JavaScript calls.
	"ccd": {"ccd/core/penetration", "ccd/core/untangle", "ccd/core/overlap",
		"ccd/core/motion", "ccd/core/gradient", "ccd/core/neighbors", "ccd/core/constraint",
		"ccd/core/meshfile", "ccd/core/scene", "ccd/core/rigid", "ccd/core/rigid/poses", "ccd/core/patch",
		"ccd/core/trim", "ccd/core/step",
		"ccd/core/proximity", "ccd/core/broad", "ccd/core/narrow", "ccd/core/mesh", "ccd/core/geom", "ccd/core/engine",
		"ccd/core/status"},
	"ccd/bindings/js/wasm": {"ccd"},

	"ccd/capi": append([]string{"ccd/core/constraint", "ccd/core/meshfile", "ccd/core/neighbors", "ccd/core/scene",
		"ccd/core/step", "ccd/core/proximity", "ccd/core/untangle", "ccd/core/rigid", "ccd/core/rigid/poses",
		"ccd/core/penetration",
		"ccd/core/robot", "ccd/core/linkage", "ccd/core/urdf", "ccd/core/volume", "ccd/core/patch",
		"ccd/core/overlap", "ccd/core/trim",
		"ccd/core/reference/boxed", "ccd/core/reference/d2m", "ccd/core/reference/volccd", "ccd/gpu"}, second...),
}

// families are the packages of kernels. A package that may import ccd/simd may import them.
var families = []string{
	"ccd/simd/box", "ccd/simd/linear", "ccd/simd/still", "ccd/simd/curve", "ccd/simd/solid", "ccd/simd/patch",
}

// shared is what the families of kernels share.
var shared = []string{"ccd/simd/internal/level", "ccd/simd/internal/vec", "ccd/simd/internal/query"}

var second = []string{
	"ccd/core/broad", "ccd/core/kernel", "ccd/core/gradient", "ccd/core/narrow", "ccd/core/bvh", "ccd/core/inclusion",
	"ccd/core/mesh", "ccd/core/motion", "ccd/core/bound", "ccd/core/geom", "ccd/core/num", "ccd/core/order",
	"ccd/core/engine", "ccd/core/status", "ccd/simd", "ccd/simd/pairs",
}

// reference contains the reference implementations: no production package imports them, whatever
// the table above says. Only capi may: it passes a reference implementation to a production package
// that does not depend on it.
const reference = "ccd/core/reference/"

// ccdtest and the tools within are for tests: they may import every package below step, and no
// shipped file may import them.
const ccdtest = "ccd/core/ccdtest"

func TestImportsPointDown(t *testing.T) {
	seen := 0
	js := build.Default
	js.GOOS, js.GOARCH = "js", "wasm"
	for _, root := range []string{".", "../simd", "../gpu", "../capi", "../bindings/js", ".."} {
		if _, err := os.Stat(root); os.IsNotExist(err) {
			continue
		}
		err := filepath.WalkDir(root, func(path string, d os.DirEntry, err error) error {
			if err != nil || !d.IsDir() {
				return err
			}
			if name := d.Name(); path != root && (root == ".." || strings.HasPrefix(name, "_") || name == "testdata") {
				return filepath.SkipDir
			}
			p, err := build.ImportDir(path, 0)
			if root == "../bindings/js" {
				p, err = js.ImportDir(path, 0)
			}
			if err != nil {
				return nil // a folder without Go files
			}
			abs, _ := filepath.Abs(path)
			home, _ := filepath.Abs("..")
			rel, _ := filepath.Rel(home, abs)
			pkg := strings.TrimSuffix("ccd/"+filepath.ToSlash(rel), "/.")
			if pkg == ccdtest || strings.HasPrefix(pkg, ccdtest+"/") {
				return nil
			}
			allowed, ok := below[pkg]
			if !ok {
				t.Errorf("%s is unknown: add it to docs/architecture.md and to this test", pkg)
				return nil
			}
			seen++
			for _, imp := range p.Imports {
				if strings.HasPrefix(imp, reference) && !strings.HasPrefix(pkg, reference) && pkg != "ccd/capi" {
					t.Errorf("%s imports %s: no production package imports a reference implementation", pkg, imp)
				}
				if strings.HasPrefix(imp, "ccd/") && !contains(allowed, imp) {
					t.Errorf("%s imports %s: imports point down only", pkg, imp)
				}
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	if seen < 3 {
		t.Fatalf("only %d packages were checked", seen)
	}
}

func contains(list []string, s string) bool {
	for _, x := range list {
		if x == s || x == "ccd/simd" && slices.Contains(families, s) {
			return true
		}
	}
	return false
}
