package main

import (
	"encoding/csv"
	"fmt"
	"os"
	"sort"
	"strconv"
	"strings"
)

// verdict is what became of a mutant.
type verdict string

const (
	caught  verdict = "caught"
	late    verdict = "time-out" // no test failed, and one did not end
	missed  verdict = "missed"
	unbuilt verdict = "not built"
)

// row is what the table says of a mutant.
type row struct {
	name, folder string
	verdict      verdict
	way          string // switch, or own build
	suite, in    string // what caught it: the suite, the folder of the test, and the test
	test         string
	seconds      float64
	date, commit string
	key          string // digest of the mutant and the code on which the verdict rests
}

// table is the last verdict on each mutant, kept in a file of comma-separated values.
type table struct {
	path string
	rows map[string]row
}

var columns = []string{"mutant", "folder", "verdict", "way", "suite", "package", "test", "seconds", "date", "commit",
	"code"}

// readTable reads tables, of which a later one replaces what an earlier one says; one that is not
// there is empty. The last is written.
func readTable(paths ...string) (*table, error) {
	t := &table{path: paths[len(paths)-1], rows: map[string]row{}}
	for _, path := range paths {
		file, err := os.Open(path)
		if os.IsNotExist(err) {
			continue
		}
		if err != nil {
			return nil, err
		}
		records, err := csv.NewReader(file).ReadAll()
		file.Close()
		if err != nil {
			return nil, fmt.Errorf("%s: %w", path, err)
		}
		for i, r := range records {
			if len(r) != len(columns) {
				return nil, fmt.Errorf("%s: record %d has %d columns, not %d", path, i+1, len(r), len(columns))
			}
			seconds, err := strconv.ParseFloat(r[7], 64)
			if err != nil {
				continue // the heading
			}
			t.rows[r[0]] = row{r[0], r[1], verdict(r[2]), r[3], r[4], r[5], r[6], seconds, r[8], r[9], r[10]}
		}
	}
	return t, nil
}

// set enters a row and writes the table, without mutants that are no longer listed.
func (t *table) set(r row, listed []mutant) error {
	t.rows[r.name] = r
	records := [][]string{columns}
	for i := range listed {
		if r, ok := t.rows[listed[i].name]; ok {
			records = append(records, []string{r.name, r.folder, string(r.verdict), r.way, r.suite, r.in, r.test,
				fmt.Sprintf("%.1f", r.seconds), r.date, r.commit, r.key})
		}
	}
	return writeRecords(t.path, records)
}

// settled reports whether a mutant was caught on this code already.
func (t *table) settled(m *mutant, code *digests) (bool, error) {
	r, ok := t.rows[m.name]
	if !ok || r.verdict != caught && r.verdict != late {
		return false, nil
	}
	key, err := code.key(m, r.suite)
	return err == nil && r.key == key, err
}

// score counts verdicts.
type score struct{ caught, late, missed, unbuilt, open int }

func (s *score) add(v verdict) {
	switch v {
	case caught:
		s.caught++
	case late:
		s.late++
	case missed:
		s.missed++
	case unbuilt:
		s.unbuilt++
	default:
		s.open++
	}
}

func (s *score) String() string {
	text := fmt.Sprintf("%d caught, %d caught by time-out, %d missed, %d could not be built", s.caught, s.late,
		s.missed, s.unbuilt)
	if s.open > 0 {
		text += fmt.Sprintf(", %d not run", s.open)
	}
	return text
}

// summary says what became of the chosen mutants of some code: the score, and the names of those
// that no failing test caught.
func (t *table) summary(chosen []mutant, code *digests) (s score, text string, err error) {
	names := map[verdict][]string{}
	for i := range chosen {
		r, ok := t.rows[chosen[i].name]
		key, err := code.key(&chosen[i], r.suite)
		if err != nil {
			return s, "", err
		}
		if !ok || r.key != key {
			r.verdict = ""
		}
		s.add(r.verdict)
		names[r.verdict] = append(names[r.verdict], chosen[i].name)
	}
	var b strings.Builder
	fmt.Fprintf(&b, "%d mutants: %s\n", len(chosen), s.String())
	for _, v := range []verdict{missed, late, unbuilt} {
		if len(names[v]) > 0 {
			fmt.Fprintf(&b, "%s:\n  %s\n", v, strings.Join(names[v], "\n  "))
		}
	}
	return s, b.String(), nil
}

// report is a table in Markdown: the score of each folder, and the total.
func (t *table) report(listed []mutant) string {
	folders, total := map[string]*score{}, &score{}
	var names []string
	for i := range listed {
		m := &listed[i]
		if folders[m.folder] == nil {
			folders[m.folder] = &score{}
			names = append(names, m.folder)
		}
		v := t.rows[m.name].verdict
		folders[m.folder].add(v)
		total.add(v)
	}
	sort.Strings(names)
	var b strings.Builder
	b.WriteString("| folder | mutants | caught | by time-out | missed | not built | not run |\n")
	b.WriteString("|---|--:|--:|--:|--:|--:|--:|\n")
	line := func(name string, s *score) {
		fmt.Fprintf(&b, "| %s | %d | %d | %d | %d | %d | %d |\n", name, s.caught+s.late+s.missed+s.unbuilt+s.open,
			s.caught, s.late, s.missed, s.unbuilt, s.open)
	}
	for _, name := range names {
		line("`"+name+"`", folders[name])
	}
	line("all", total)
	return b.String()
}
