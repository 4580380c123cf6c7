package main

import (
	"encoding/csv"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"sync"
	"time"
)

// testKey is a test of a package, with -short or without. A suite that runs no Go test is a key
// with its name as the package and no test.
type testKey struct {
	folder string
	short  bool
	test   string
}

// times holds how long tests take on the code without a defect, in seconds, and which of them fail
// in a build that holds mutants although none is active.
type times struct {
	mu      sync.Mutex
	path    string // The file there keeps them.
	code    string // digest of code and tests: times of others are estimates
	seconds map[testKey]float64
	current map[testKey]bool // those of this code
	unfit   map[testKey]bool
	least   time.Duration // what every test may take
}

// readTimes reads the file of an earlier run, if there is one.
func readTimes(path, code string) *times {
	t := &times{path: path, code: code, seconds: map[testKey]float64{}, current: map[testKey]bool{},
		unfit: map[testKey]bool{}, least: least}
	file, err := os.Open(path)
	if err != nil {
		return t
	}
	defer file.Close()
	records, err := csv.NewReader(file).ReadAll()
	if err != nil {
		return t // It was cut off: the tests are timed again.
	}
	for _, r := range records {
		seconds, err := strconv.ParseFloat(r[3], 64)
		if err != nil {
			continue
		}
		key := testKey{r[0], r[1] == "short", r[2]}
		t.seconds[key] = seconds
		if r[5] == code {
			t.current[key], t.unfit[key] = true, r[4] == "unfit"
		}
	}
	return t
}

// estimate returns the seconds of a test, and whether they are known.
func (t *times) estimate(key testKey) (float64, bool) {
	t.mu.Lock()
	defer t.mu.Unlock()
	s, ok := t.seconds[key]
	return s, ok
}

// known reports whether a test has run on this code, and unfits whether it failed.
func (t *times) known(key testKey) bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.current[key]
}

func (t *times) unfits(key testKey) bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.unfit[key]
}

// learn takes what tests took with a defect for an estimate, where nothing else is known.
func (t *times) learn(found map[testKey]float64) error {
	t.mu.Lock()
	defer t.mu.Unlock()
	learned := false
	for key, s := range found {
		if _, ok := t.seconds[key]; !ok {
			t.seconds[key], learned = s, true
		}
	}
	if !learned {
		return nil
	}
	return t.write()
}

// set enters tests and writes the file.
func (t *times) set(found map[testKey]float64, unfit map[testKey]bool) error {
	t.mu.Lock()
	defer t.mu.Unlock()
	for key, s := range found {
		t.seconds[key], t.current[key], t.unfit[key] = s, true, unfit[key]
	}
	return t.write()
}

// write writes the file, under the lock.
func (t *times) write() error {
	var records [][]string
	for key, s := range t.seconds {
		short, fit, code := "", "", ""
		if key.short {
			short = "short"
		}
		if t.unfit[key] {
			fit = "unfit"
		}
		if t.current[key] {
			code = t.code
		}
		records = append(records, []string{key.folder, short, key.test, fmt.Sprintf("%.3f", s), fit, code})
	}
	return writeRecords(t.path, records)
}

// writeRecords replaces a file at once, so that one that is stopped leaves the old or the new.
func writeRecords(path string, records [][]string) error {
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return err
	}
	file, err := os.CreateTemp(filepath.Dir(path), ".mutants")
	if err != nil {
		return err
	}
	defer os.Remove(file.Name())
	if err := csv.NewWriter(file).WriteAll(records); err != nil {
		file.Close()
		return err
	}
	if err := file.Chmod(0o644); err != nil {
		file.Close()
		return err
	}
	if err := file.Close(); err != nil {
		return err
	}
	return os.Rename(file.Name(), path)
}

// Limits: a test that takes s seconds on the whole code is given least + factor * s of processor
// time: a defect may make a search longer that still ends.
const (
	least  = 20 * time.Second
	factor = 10
	most   = 5 * time.Minute // It is the limit of tests whose time is not known.
)

// limit returns the processor time that tests are given.
func (t *times) limit(keys []testKey) time.Duration {
	sum := 0.0
	for _, key := range keys {
		s, ok := t.estimate(key)
		if !ok {
			return most
		}
		sum += s
	}
	return t.least + time.Duration(factor*sum*float64(time.Second))
}
