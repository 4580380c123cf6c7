// Command rigid times the earliest contact of two rigid bodies, in the processor time of one
// thread: on the trials of the data folder, and on finer and finer versions of one mesh; and scenes
// of many bodies, and bodies over a mesh. It prints one JSON document, for bench/run.py.
package main

import (
	"encoding/json"
	"flag"
	"fmt"
	"math"
	"os"
	"runtime"
	"slices"
	"strconv"
	"strings"

	"ccd/bench/cputime"
	"ccd/core/geom"
	"ccd/core/reference/d2m"
	"ccd/core/rigid"
)

// row is the outcome on one set of trials.
type row struct {
	A         string  `json:"a"`
	B         string  `json:"b"`
	Speed     int     `json:"speed"`
	Triangles int     `json:"triangles"` // the triangles of both bodies
	Queries   int     `json:"queries"`
	Mean      float64 `json:"mean_us"` // the median round
	Worst     float64 `json:"worst_us"`
	Steps     float64 `json:"steps"`
	Build     float64 `json:"build_ms"`
	Hits      int     `json:"hits"`
	Missed    int     `json:"missed"`
	Nearest   float64 `json:"nearest"` // the least distance at a contact
	Farthest  float64 `json:"farthest"`
}

func main() {
	data := flag.String("data", "../shared/data", "the data folder")
	sets := flag.String("sets", "bunny-bunny,gear-gear,screw-nut", "pairs of meshes")
	rounds := flag.Int("rounds", 5, "measurements of each set; the median counts")
	refine := flag.Int("refine", 0, "refine the meshes so often: each time every triangle becomes four")
	method := flag.String("method", "default", "default or d2m, the method of 2017")
	most := flag.Int("trials", math.MaxInt, "of each set, so many at most")
	crowds := flag.Bool("scenes", false, "measure scenes of many bodies, and bodies over a mesh that deforms, instead")
	quick := flag.Bool("quick", false, "of these the smaller ones alone")
	flag.Parse()
	runtime.LockOSThread() // The thread is locked, because the time of the thread is measured.
	if *crowds {
		rows, err := scenes(*data+"/rigid/", *rounds, *quick)
		print(rows, err)
		return
	}
	var rows []row
	for _, set := range strings.Split(*sets, ",") {
		a, b, _ := strings.Cut(set, "-")
		for _, speed := range []int{4, 512} {
			r, err := measure(*data+"/rigid/", a, b, speed, *rounds, *refine, *method, *most)
			if err != nil {
				fmt.Fprintln(os.Stderr, "rigid:", err)
				os.Exit(1)
			}
			rows = append(rows, r)
		}
	}
	print(rows, nil)
}

// print writes rows as JSON, or says what went wrong.
func print(rows any, err error) {
	if err == nil {
		err = json.NewEncoder(os.Stdout).Encode(rows)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "rigid:", err)
		os.Exit(1)
	}
}

// now is this thread's processor time in microseconds.
func now() float64 { return 1e-3 * float64(cputime.Now()) }

func measure(dir, nameA, nameB string, speed, rounds, refine int, method string, most int) (row, error) {
	r := row{A: nameA, B: nameB, Speed: speed, Nearest: math.Inf(1)}
	a, na, build, err := body(dir, nameA, refine)
	if err != nil {
		return r, err
	}
	b, nb, _, err := body(dir, nameB, refine)
	if err != nil {
		return r, err
	}
	r.Triangles, r.Build = na+nb, build/1e3
	list, err := trials(dir, nameA+"_"+nameB+"_"+strconv.Itoa(speed)+".bin")
	if err != nil {
		return r, err
	}
	list = list[:min(len(list), most)]
	o := rigid.DefaultOptions()
	switch method {
	case "default":
	case "d2m":
		o.Search, o.MaxIterations = d2m.Search{}, 0
	default:
		return r, fmt.Errorf("method %q: want default or d2m", method)
	}
	var s rigid.Solver
	took := make([][]float64, len(list))
	var totals []float64
	for round := range rounds {
		total := 0.0
		for i := range list {
			var im rigid.Impact
			start := now()
			err := s.Earliest(a, b, &list[i].a, &list[i].b, &o, &im)
			took[i] = append(took[i], now()-start)
			total += took[i][round]
			if err != nil {
				return r, err
			}
			if round == 0 {
				r.count(&im, list[i].toi, refine > 0)
			}
		}
		totals = append(totals, total/float64(len(list)))
	}
	r.Queries, r.Mean = len(list), median(totals)
	for i := range took {
		r.Worst = max(r.Worst, median(took[i]))
	}
	r.Steps /= float64(len(list))
	return r, nil
}

// count adds an answer to the row; a refined mesh has the surface of the mesh up to rounding.
func (r *row) count(im *rigid.Impact, toi float64, refined bool) {
	r.Steps += float64(im.Iterations)
	if im.Verdict == geom.Contact {
		r.Hits++
		r.Nearest, r.Farthest = min(r.Nearest, im.Distance), max(r.Farthest, im.Distance)
	}
	if (im.Verdict == geom.Contact) != (toi >= 0) && !refined {
		r.Missed++
	}
}

func median(x []float64) float64 {
	x = slices.Clone(x)
	slices.Sort(x)
	return x[len(x)/2]
}
