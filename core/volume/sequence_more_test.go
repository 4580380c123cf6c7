package volume

import (
	"fmt"
	"testing"

	"ccd/core/ccdtest"
	"ccd/core/narrow"
)

// The scenes of several bodies and of shells: the tree and brute force find the same contacts.
func TestMoreSequencesAreThoseOfBruteForce(t *testing.T) {
	for _, q := range ccdtest.MoreSequences(0.2) {
		s := sceneOf(t, q.Cells)
		var classes [AllClasses + 1]int
		err := q.Run(s.Edit, func(i int, x0, x1 []float64) error {
			if i%4 != 3 {
				return nil
			}
			got := collisions(t, s, x0, x1, func(o *Options) { o.Classes = AllClasses })
			for k := range got {
				classes[got[k].Class]++
			}
			name := fmt.Sprintf("%s, step %d", q.Name, i)
			sameContacts(t, name, got, collisions(t, s, x0, x1, func(o *Options) {
				o.Classes, o.Flags = AllClasses, narrow.BruteForce
			}))
			return nil
		})
		if err != nil {
			t.Fatalf("%s: %v", q.Name, err)
		}
		if classes[BetweenObjects] < 30 || classes[WithinObject] < 30 {
			t.Errorf("%s: %d contacts between objects, %d within one: too little in %d elements",
				q.Name, classes[BetweenObjects], classes[WithinObject], len(q.Cells.Kinds))
		}
	}
}
