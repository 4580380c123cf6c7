// Threads measures what threads gain.
//
//	go run ./bench/threads    wall clock with one and two threads, in turn: on a quiet machine
//	go run -tags ccd_virtual ./bench/threads
//	                          how long a call would take on more processors, on any machine
//	... -phases               with the phases of each call
//
// -scenes, -calls and -threads choose what is measured, -rounds how often. The tables are Markdown.
package main

import (
	"flag"
	"fmt"
	"log"
	"os"
	"slices"
	"strconv"
	"strings"

	"ccd/core/broad"
	"ccd/core/proximity"
	"ccd/core/step"
)

// call is a call of a scene with a number of threads; its result is the same for any number.
type call struct {
	name string
	run  func(s *scene, threads int) (result string, err error)
}

// The calls. Earliest is that of size, too.
var calls = []call{
	{"candidates", func(s *scene, threads int) (string, error) {
		c, err := broad.Find(s.m, s.x0, s.x1, false, broad.Options{Threads: threads})
		if err != nil {
			return "", err
		}
		defer c.Release()
		return fmt.Sprint(c.Len()), nil
	}},
	{"earliest", func(s *scene, threads int) (string, error) {
		im, err := step.Earliest(s.m, s.x0, s.x1, stepOptions(threads))
		return fmt.Sprint(im), err
	}},
	{"collisions", func(s *scene, threads int) (string, error) {
		list, err := step.Collisions(s.m, s.x0, s.x1, stepOptions(threads))
		return fmt.Sprint(len(list)), err
	}},
	{"sizes", func(s *scene, threads int) (string, error) {
		report, err := step.Sizes(s.m, s.x0, s.x1, s.alpha, s.y, nil, stepOptions(threads))
		return fmt.Sprint(report), err
	}},
	{"near", func(s *scene, threads int) (string, error) {
		list, err := proximity.Near(s.m, s.x0, s.edge/20, frameOptions(threads))
		proximity.Reuse(list)
		return fmt.Sprint(len(list)), err
	}},
	{"intersections", func(s *scene, threads int) (string, error) {
		list, err := proximity.Intersections(s.m, s.x0, frameOptions(threads))
		return fmt.Sprint(len(list)), err
	}},
	{"distance", func(s *scene, threads int) (string, error) {
		d, err := proximity.Distance(s.m, s.x0, frameOptions(threads))
		return fmt.Sprint(d), err
	}},
}

func stepOptions(threads int) *step.Options {
	o := step.DefaultOptions()
	o.Threads = threads
	return &o
}

func frameOptions(threads int) *proximity.Options {
	o := new(proximity.Options)
	o.Threads = threads
	return o
}

func main() {
	data := os.Getenv("CCD_DATA")
	if data == "" {
		data = "../shared/data"
	}
	only, named := flag.String("scenes", "", "comma-separated parts of names; all by default"),
		flag.String("calls", "", "likewise")
	numbers := flag.String("threads", defaultThreads, "numbers of threads")
	rounds := flag.Int("rounds", 9, "calls of each")
	detail := flag.Bool("phases", false, "print the phases of each call")
	flag.Parse()
	var threads []int
	for _, text := range strings.Split(*numbers, ",") {
		n, err := strconv.Atoi(text)
		if err != nil || n < 1 {
			log.Fatalf("-threads: %q is no number of threads", text)
		}
		threads = append(threads, n)
	}
	all, err := scenes(data)
	if err != nil {
		log.Fatal(err)
	}
	heading(threads)
	for i := range all {
		for _, c := range calls {
			if wanted(*only, all[i].name) && wanted(*named, c.name) {
				if err := measure(&all[i], &c, threads, *rounds, *detail); err != nil {
					log.Fatalf("%s, %s: %v", all[i].name, c.name, err)
				}
			}
		}
	}
}

// wanted reports whether a list of parts of names has one of this name.
func wanted(list, name string) bool {
	return list == "" || slices.ContainsFunc(strings.Split(list, ","),
		func(part string) bool { return strings.Contains(name, part) })
}

// agree returns an error unless a call had the same result as before.
func agree(before *string, now string) error {
	if *before != "" && *before != now {
		return fmt.Errorf("the result is %s with one number of threads, %s with another", *before, now)
	}
	*before = now
	return nil
}

// heading prints the head of the table.
func heading(threads []int) {
	fmt.Printf("| scene | call |")
	for _, column := range columns(threads) {
		fmt.Printf(" %s |", column)
	}
	fmt.Printf("\n|---|---|%s\n", strings.Repeat("--:|", len(columns(threads))))
}
