// Command gen writes the assembly kernels of ccd/simd with avo (github.com/mmcloughlin/avo):
//
//	go run . -dir ..
//
// One file pair per kernel: KERNEL_amd64.s and the declarations in KERNEL_amd64.go. Straight-line vector arithmetic is
// written once, as a program (program.go) that is emitted for 512-bit and for 256-bit registers; control flow and
// addresses are written with avo directly. Some programs are printed as text of C, CUDA C++ and OpenCL C as well (units.go),
// to text/UNIT.cl and ../include/ccd/device.h.
package main

import (
	"flag"
	"log"
	"os"
	"path/filepath"

	"github.com/mmcloughlin/avo/build"
	"github.com/mmcloughlin/avo/pass"
	"github.com/mmcloughlin/avo/printer"
)

// kernels lists every generated file by name.
var kernels = []struct {
	name  string
	write func(c *build.Context)
}{
	{"advance", advance},
	{"angles", angles},
	{"axiscull", axisCull},
	{"blend", blend},
	{"blocks", blocks},
	{"cells", cells},
	{"crossing", crossing},
	{"curved", curved},
	{"curved32", curved32},
	{"curved_roots", curvedRoots},
	{"curved_place", curvedPlace},
	{"corners", corners},
	{"diagonal", diagonal},
	{"filter", filter},
	{"filter32", filter32},
	{"gap", gaps},
	{"halve", halve},
	{"inplane", inPlane},
	{"signs", signs},
	{"turns", turns},
	{"roots", roots},
	{"place", place},
	{"join", join},
	{"enclose", enclose},
	{"ends", ends},
	{"kinetic", kinetic},
	{"list", lists},
	{"near", near},
	{"ranks", ranks},
	{"reach", reach},
	{"sweep", sweep},
	{"swept", swept},
	{"triangles", triangles},
	{"vertices", vertices},
}

func main() {
	dir := flag.String("dir", "..", "folder to write to")
	flag.Parse()
	if err := generateText(filepath.Join(*dir, "text")); err != nil {
		log.Fatal(err)
	}
	if err := generateHeader(filepath.Join(*dir, "..", "include"), filepath.Join("..", "text", "prelude.h")); err != nil {
		log.Fatal(err)
	}
	for _, k := range kernels {
		if err := generate(*dir, k.name, k.write); err != nil {
			log.Fatalf("%s: %v", k.name, err)
		}
	}
}

func generate(dir, name string, write func(*build.Context)) error {
	c := build.NewContext()
	c.ConstraintExpr("amd64")
	write(c)
	f, err := c.Result()
	if err != nil {
		return err
	}
	if err := pass.Compile.Execute(f); err != nil {
		return err
	}
	cfg := printer.Config{Name: "ccd/simd/_gen", Pkg: "simd"}
	for _, p := range []struct {
		suffix string
		printer.Printer
	}{{".s", printer.NewGoAsm(cfg)}, {".go", printer.NewStubs(cfg)}} {
		text, err := p.Print(f)
		if err != nil {
			return err
		}
		if err := os.WriteFile(filepath.Join(dir, name+"_amd64"+p.suffix), text, 0o666); err != nil {
			return err
		}
	}
	return nil
}
