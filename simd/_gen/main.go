// Command gen writes the assembly kernels of ccd/simd with avo (github.com/mmcloughlin/avo):
//
//	go run . -dir ..
//
// The table in kernels.go lists the packages and their kernels. A package gets files of assembly,
// FILE_amd64.s, and the functions that choose between assembly and plain Go, kernels_amd64.go and
// kernels_other.go. Straight-line vector arithmetic is written once, as a program (program.go) that
// is emitted for 512-bit and for 256-bit registers; control flow and addresses are written with avo
// directly. Some programs are printed as text of C, CUDA C++ and OpenCL C as well (units.go), to
// text/UNIT.cl and ../include/ccd/device.h.
package main

import (
	"flag"
	"fmt"
	"go/types"
	"log"
	"os"
	"path/filepath"

	"github.com/mmcloughlin/avo/build"
	"github.com/mmcloughlin/avo/ir"
	"github.com/mmcloughlin/avo/pass"
	"github.com/mmcloughlin/avo/printer"
)

func main() {
	dir := flag.String("dir", "..", "folder to write to")
	flag.Parse()
	if err := generateText(filepath.Join(*dir, "text")); err != nil {
		log.Fatal(err)
	}
	if err := generateHeader(filepath.Join(*dir, "..", "include"),
		filepath.Join("..", "text", "prelude.h")); err != nil {
		log.Fatal(err)
	}
	for _, f := range families {
		if err := f.generate(*dir); err != nil {
			log.Fatalf("%s: %v", f.name, err)
		}
	}
}

// generate writes the files of a family.
func (f family) generate(dir string) error {
	plain, err := handwritten(filepath.Join("..", f.name))
	if err != nil {
		return err
	}
	dir = filepath.Join(dir, f.name)
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return err
	}
	d, assembly := &dispatcher{family: f, plain: plain}, map[string]*ir.File{}
	for _, part := range f.files {
		if assembly[part.name], err = generate(dir, part.name, part.write, f.named()); err != nil {
			return fmt.Errorf("%s: %w", part.name, err)
		}
	}
	return d.write(dir, assembly)
}

// generate writes a file of assembly whose functions take pointers to the types of a package, and
// returns what is in it.
func generate(dir, name string, write func(*build.Context), types *types.Package) (*ir.File, error) {
	c := build.NewContext()
	c.ConstraintExpr("amd64")
	named = types
	write(c)
	f, err := c.Result()
	if err != nil {
		return nil, err
	}
	if err := pass.Compile.Execute(f); err != nil {
		return nil, err
	}
	text, err := printer.NewGoAsm(printer.Config{Name: "ccd/simd/_gen", Pkg: types.Name()}).Print(f)
	if err != nil {
		return nil, err
	}
	return f, os.WriteFile(filepath.Join(dir, name+"_amd64.s"), text, 0o666)
}
