// Command mutants breaks the code on purpose, one way at a time, and reports which test catches
// each defect. A defect that no test catches is a hole in the tests: status 1. A mutant whose text
// is gone or occurs twice in its folder, or that does not compile, and suites that fail on the
// whole code, are errors: status 2.
//
// A mutant for which no test fails, but one does not end in time, counts as caught, and is listed
// apart: the defect may make a search endless, but the machine may also have had too much to do.
//
//	make mutants            all of them; a run that was stopped goes on
//	go run ./mutants -run separation
//	go run ./mutants -report
//
// One build holds most mutants: each is a copy of its function, and the environment variable
// CCD_MUTANT says which is active. The files:
//
//	list.go       what a mutant is, and the suites
//	place.go      finds the text of a mutant
//	plant.go      puts copies of functions into a file
//	switch.go     the build that holds many mutants
//	programs.go   test programs
//	runner.go     runs the suites on a mutant: likely tests first, then quick ones
//	ending.go     how a suite ended
//	times.go      how long each test takes, and how long it may
//	table.go      the verdicts, in a file
//	digests.go    the code on which a verdict rests
//	tree.go       copies of the code
//	hunt.go       runs all mutants
//	bodies.go, contacts.go, frames.go, hierarchy.go, kernels.go, packages.go, regions.go,
//	robots.go, steps.go    the mutants
package main

import (
	"context"
	"crypto/sha256"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
	"syscall"
)

func main() {
	run := flag.String("run", "", "only mutants whose name matches")
	list := flag.Bool("list", false, "list the mutants and stop")
	trust := flag.Bool("trust", false, "do not run the suites on the whole code first")
	resume := flag.Bool("resume", false, "leave out mutants whose verdict holds: the tests have the same code")
	report := flag.Bool("report", false, "print the score of each folder, by the table, and stop")
	path := flag.String("table", filepath.Join("build", "mutants.csv"), "the file of verdicts")
	workers := flag.Int("workers", min(4, runtime.NumCPU()), "how many mutants run at the same time")
	flag.Parse()
	if flag.NArg() > 0 {
		exitOn(fmt.Errorf("%s: not an option; choose mutants with -run", flag.Arg(0)))
	}
	pattern, err := regexp.Compile(*run)
	exitOn(err)
	var chosen []mutant
	for _, m := range mutants {
		if pattern.MatchString(m.name) {
			chosen = append(chosen, m)
		}
	}
	if *list {
		for _, m := range chosen {
			fmt.Printf("%-64s %s\n", m.name, m.folder)
		}
		return
	}
	known, err := readTable(filepath.Join("mutants", "results.csv"), *path)
	exitOn(err)
	if *report {
		fmt.Print(known.report(chosen))
		return
	}
	root, err := os.Getwd()
	exitOn(err)
	code, err := digest(root)
	exitOn(err)
	stop, release := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer release()
	h := &hunter{stop: stop, suites: suites, listed: mutants, table: known, trust: *trust, workers: *workers,
		code:  code,
		times: readTimes(filepath.Join("build", "mutants-times.csv"), code.all), commit: head(root),
		say: func(format string, args ...any) { fmt.Printf(format, args...) }}
	open := chosen
	if *resume {
		open = nil
		for _, m := range chosen {
			settled, err := known.settled(&m, code)
			exitOn(err)
			if !settled {
				open = append(open, m)
			}
		}
		fmt.Printf("%d of %d mutants were caught on this code before\n", len(chosen)-len(open), len(chosen))
	}
	dir, leave, err := workspace(root)
	exitOn(err)
	err = h.hunt(root, dir, open)
	leave()
	s, text, failed := known.summary(chosen, code)
	fmt.Print(text)
	exitOn(errors.Join(err, failed))
	if s.unbuilt > 0 {
		os.Exit(2)
	}
	if s.missed > 0 {
		os.Exit(1)
	}
}

// workspace returns a folder for the copies of a checkout, always the same one, so that go's cache
// knows what was built there, unless another run has it; and a function that removes it.
func workspace(root string) (dir string, leave func(), err error) {
	dir = filepath.Join(os.TempDir(), fmt.Sprintf("ccd-mutants-%.6x", sha256.Sum256([]byte(root))))
	lock, err := os.OpenFile(dir+".lock", os.O_CREATE|os.O_RDWR, 0o600)
	if err != nil {
		return "", nil, err
	}
	if syscall.Flock(int(lock.Fd()), syscall.LOCK_EX|syscall.LOCK_NB) != nil {
		lock.Close()
		dir, err = os.MkdirTemp("", "mutants")
		return dir, func() { os.RemoveAll(dir) }, err
	}
	if err := os.RemoveAll(dir); err != nil {
		return "", nil, err
	}
	return dir, func() {
		os.RemoveAll(dir)
		lock.Close()
	}, os.MkdirAll(dir, 0o755)
}

// head returns the commit of a checkout, with "+" if files differ from it, or "".
func head(root string) string {
	git := func(args ...string) string {
		c := exec.Command("git", args...)
		c.Dir = root
		out, _ := c.Output()
		return strings.TrimSpace(string(out))
	}
	commit := git("rev-parse", "--short=12", "HEAD")
	if git("status", "--porcelain", "--untracked-files=no") != "" {
		commit += "+"
	}
	return commit
}

func exitOn(err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, "mutants:", err)
		os.Exit(2)
	}
}
