package ccdtest_test

import (
	"testing"

	"ccd/core/ccdtest"
	"ccd/core/geom"
	"ccd/core/reference/oracle"
)

func TestSeparationOracleKnowsTheHandcraftedQueries(t *testing.T) {
	list := ccdtest.RecordedQueries(t)
	step := 7 // a sample: the oracle of d = 0 reads them all
	if testing.Short() {
		step = 61
	}
	for i := 0; i < len(list); i += step {
		q := &list[i]
		if got := oracle.Separation(q.Kind, q.Q[:], 0, 1).Contact; got != (q.Truth == 1) {
			t.Errorf("%s:%d: contact is %v, the truth %d", q.File, q.Row, got, q.Truth)
		}
	}
	t.Logf("%d queries", (len(list)+step-1)/step)
}

func TestScenesAreRead(t *testing.T) {
	for _, s := range ccdtest.Scenes(t) {
		for _, k := range []geom.Kind{geom.VertexFace, geom.EdgeEdge} {
			t.Log(s.Name, k, len(s.Pairs[k]))
		}
	}
}
