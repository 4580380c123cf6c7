package patch

// Solver decides queries. It holds the scratch of one goroutine, which grows with the queries and
// is kept.
//
// The field Work of the query counts the operations of the last one. The parts of the search point
// to their query; begin sets these pointers, so a Solver may be copied between queries.
type Solver struct {
	selfSearch // Patches of two bodies use the embedded search alone.
}

// Solve decides whether a and b come within the separation during the step, and when first.
//
// Laws 1, 2: Separate is a proof for all t <= TMax; whatever the verdict, the patches keep more
// than the separation for every t < TOILo. Law 3: at some time in [TOILo, TOIHi] the points at UVA
// and UVB are within the separation, the tolerance and what rounding leaves (docs/numerics.md). Law
// 4: Undecided only when the budget is spent.
//
// The search takes up pairs of subpatches in the order of the time up to which they are known to be
// apart (this is all that it shares with [Chen2024], algorithm 2). The larger subpatch of a pair is
// halved twice, and advance checks each of the four new pairs, which go back into the queue. So
// when a pair is taken up at t0, all others are apart before t0 too.
func (s *Solver) Solve(a, b *Patch, o *Options, im *Impact) error {
	if err := o.CheckAll(); err != nil {
		return err
	}
	*im = s.begin(a, b, o).find()
	return nil
}

// begin begins the query of patches of two bodies and returns the search that decides it.
func (s *Solver) begin(a, b *Patch, o *Options) pairSearch {
	s.adjacency.unresolved = s.adjacency.unresolved[:0]
	s.search.beginSearch(a, b, o, nothingShared{}, 0)
	if o.Search != nil {
		return handedIn{&s.search, *o}
	}
	return apart{&s.search}
}
