package patch

// Solver answers queries. It is one goroutine's scratch, which grows to what queries need and is
// kept.
//
// The field Work, of the query, is the cost of the last one. The parts of the search point to the
// query that they serve; begin sets these pointers, so a Solver may be copied between queries.
type Solver struct {
	selfSearch // its search alone, for the patches of two bodies
}

// Solve answers whether a and b, moving over the step, come within the separation, and when first.
//
// Laws 1, 2: Separate is a proof for all t <= TMax; whatever the verdict, the patches keep more
// than the separation for every t < TOILo. Law 3: at some time in [TOILo, TOIHi] the points at UVA
// and UVB are within the separation, the tolerance and what rounding leaves (docs/numerics.md). Law
// 4: Undecided only when the budget is spent.
//
// The search takes up pairs of subpatches in the order of the time up to which they are known to be
// apart ([Chen2024], algorithm 2, departs in all but that): the larger of the two is halved twice,
// each of the four pairs is checked by advance and goes back into the queue. So when a pair is
// taken up at t0, all others are apart before t0 too.
func (s *Solver) Solve(a, b *Patch, o *Options, im *Impact) error {
	if err := o.Check(); err != nil {
		return err
	}
	*im = s.begin(a, b, o).find()
	return nil
}

// begin begins the query of patches of two bodies and returns the search that answers it.
func (s *Solver) begin(a, b *Patch, o *Options) pairSearch {
	s.adjacency.unresolved = s.adjacency.unresolved[:0]
	s.search.begin(a, b, o, nothingShared{}, 0)
	if o.Search != nil {
		return handedIn{&s.search, *o}
	}
	return &s.search
}
