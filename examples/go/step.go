// Command step takes one step of a mesh, in Go: the earliest impact, and every impact.
//
//	go run ./examples/go A B [MIN_SEPARATION]
//
// A and B are the mesh at the start and at the end of the step (OBJ, PLY, STL or OFF). The programs
// of examples/c, cpp and python print the same, to the bit.
package main

import (
	"bufio"
	"fmt"
	"os"
	"strconv"

	"ccd"
)

func main() {
	if len(os.Args) < 3 || len(os.Args) > 4 {
		fmt.Fprintln(os.Stderr, "usage: step A B [MIN_SEPARATION]")
		os.Exit(2)
	}
	if err := run(os.Args[1], os.Args[2], os.Args[3:]); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(2)
	}
}

func run(start, end string, rest []string) error {
	a, err := ccd.ReadSurface(start)
	if err != nil {
		return err
	}
	b, err := ccd.ReadSurface(end)
	if err != nil {
		return err
	}
	var options ccd.Options
	if len(rest) > 0 {
		if options.MinSeparation, err = strconv.ParseFloat(rest[0], 64); err != nil {
			return err
		}
	}
	m, err := a.Mesh()
	if err != nil {
		return err
	}
	out := bufio.NewWriter(os.Stdout)
	defer out.Flush()
	fmt.Fprintf(out, "mesh: %d vertices, %d edges, %d faces\n", m.Vertices(), len(m.Edges()), len(m.Faces()))

	first, err := ccd.Earliest(m, a.Vertices, b.Vertices, &options)
	if err != nil {
		return err
	}
	if first.Verdict == ccd.Separate {
		fmt.Fprintln(out, "separate for the whole step")
	} else {
		fmt.Fprintf(out, "earliest: %v %d %d at t = %.17g\n", first.Kind, first.A, first.B, first.TOILo)
	}

	impacts, err := ccd.Collisions(m, a.Vertices, b.Vertices, &options)
	if err != nil {
		return err
	}
	fmt.Fprintf(out, "impacts: %d\n", len(impacts))
	for _, i := range impacts {
		fmt.Fprintf(out, "%v %d %d %.17g %.17g\n", i.Kind, i.A, i.B, i.TOILo, i.TOIHi)
	}
	return nil
}
