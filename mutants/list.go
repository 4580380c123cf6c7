package main

// mutant is one way to break the code: in a file, an exact text becomes another. The text must occur exactly once: when the
// code moves on, the mutant fails loudly instead of changing nothing.
type mutant struct {
	name, file, old, new string
	suites               []string // in this order, until one catches it
}

// suites are commands of go by name, the cheapest that can see a defect of their room first.
var suites = map[string][]string{
	"geom":           {"test", "-timeout", "300s", "./core/geom"},
	"num":            {"test", "-timeout", "300s", "./core/num"},
	"mesh":           {"test", "-timeout", "300s", "./core/mesh"},
	"bound":          {"test", "-timeout", "300s", "./core/bound"},
	"broad":          {"test", "-timeout", "300s", "./core/broad"},
	"simd":           {"test", "-timeout", "300s", "./simd"},
	"exact":          {"test", "-timeout", "300s", "-short", "./core/exact"},
	"exact-laws":     {"test", "-timeout", "300s", "-run", "Resolver|Resolve|Judge|Fuzz|Law", "./core/exact"},
	"exact-separate": {"test", "-timeout", "300s", "-run", "Separation|Law", "./core/exact"},
	"narrow":         {"test", "-timeout", "300s", "-short", "./core/narrow"},
	"narrow-laws":    {"test", "-timeout", "300s", "-run", "Law", "./core/narrow"},
	"inclusion":      {"test", "-timeout", "300s", "./core/inclusion"},
	"bvh":            {"test", "-timeout", "300s", "./core/bvh"},
	"rigid":          {"test", "-timeout", "300s", "-short", "./core/rigid"},
	"patch":          {"test", "-timeout", "300s", "-short", "./core/patch"},
	"step":           {"test", "-timeout", "300s", "./core/step"},
	"proximity":      {"test", "-timeout", "300s", "./core/proximity"},
	"volume":         {"test", "-timeout", "300s", "-short", "./core/volume"},
	"soak":           {"run", "./core/ccdtest/soak", "-duration", "20s", "-seed", "1"},
}

var (
	forExact      = []string{"exact", "exact-laws", "soak"}
	forSeparation = []string{"exact-separate", "soak"}
	forNarrow     = []string{"narrow", "narrow-laws", "soak"}
)

var mutants = []mutant{
	// Filters.
	{"float filter of the separation halved", "core/exact/separation_float.go",
		"crossError  = 20 * 0x1p-53", "crossError  = 10 * 0x1p-53", forSeparation},
	{"double-double filter of the separation halved", "core/exact/separation_double.go",
		"const doubleError = 0x1p-98", "const doubleError = 0x1p-99", forSeparation},
	{"filter of F = A + uB + vC dropped", "core/num/filter.go",
		"affineK    = 16 * 0x1p-53", "affineK    = 0 * 0x1p-53", []string{"num", "narrow", "soak"}},
	{"cubic filter of the exact method dropped", "core/exact/filter.go",
		"	e := float64(boundCubic*f.volume()) + underflow", "	e := 0 * float64(boundCubic*f.volume())", forExact},

	// Rounding.
	{"directed sum rounded to nearest", "core/num/round.go",
		"	s, e := TwoSum(a, b)\n	if e > 0 {\n		return Up(s)\n	}", "	s, _ := TwoSum(a, b)", []string{"num", "narrow"}},
	{"swept boxes inflated without outward rounding", "core/bound/box.go",
		"		a.Max[k] = num.AddUp(a.Max[k], r)", "		a.Max[k] += r", []string{"bound", "broad"}},
	{"cells cut without rounding outwards", "core/narrow/cut.go",
		"inward  = 1 - 0x1p-49 // 16u", "inward  = 1 + 0x1p-40", forNarrow},
	{"certificates followed without rounding down", "core/exact/separation_advance.go",
		"return max(a, math.Nextafter(a+float64(float64(s*(b-a))*(1-0x1p-50)), 0))", "return a + float64(s*(b-a))*(1+0x1p-46)",
		forSeparation},

	// Corners, edges, comparisons.
	{"one partner for both parameters at the triangle's missing corner", "core/narrow/cut.go",
		"			x3, x7 = g2, g6", "			x3, x7 = g1, g5", forNarrow},
	{"a corner left out of the axis comparison", "core/exact/axis.go",
		"a > b && a > c && a > d && e > f && e > g && e > h ||", "a > b && a > c && a > d && e > f && e > g ||", forExact},
	{"a corner duplicated in the separation's triangle", "core/exact/separation.go",
		"across:  [][2]int8{{0, 2}, {0, 1}, {1, 0}},", "across:  [][2]int8{{0, 0}, {0, 1}, {1, 0}},", forSeparation},
	{"half of the cube's width forgotten across an edge", "core/exact/separation_float.go",
		"r.d * (math.Abs(ai) + math.Abs(al)),", "r.d * math.Abs(ai),", forSeparation},
	{"cull against the separation flipped at one corner", "simd/axiscull_generic.go",
		"return v-f0 > sep && v-f1 > sep && v-f2 > sep }", "return v-f0 > sep && v-f1 > sep && v-f2 > -sep }", []string{"simd"}},
	{"impacts ordered by the wrong index", "core/geom/impact.go",
		"	return i.B < j.B", "	return i.B > j.B", []string{"geom", "step"}},

	// Rigid bodies.
	{"margins of rigid frames dropped", "core/rigid/frame.go",
		"posMargin  = 1024 * 0x1p-53", "posMargin  = 0 * 0x1p-53", []string{"rigid"}},
	{"roots rounded up", "core/rigid/frame.go", "shrink     = 1 - 0x1p-46", "shrink     = 1 + 0x1p-46", []string{"rigid"}},
	{"curvature of turning normals forgotten", "core/rigid/leaf.go",
		"ka := 0.5 * stretch * (", "ka := 0 * stretch * (", []string{"rigid"}},
	{"the spin of one box forgotten", "core/rigid/node.go",
		"rot: a.spun + b.spun + q.vMargin", "rot: a.spun + q.vMargin", []string{"rigid"}},
	{"extents of oriented boxes rounded to nearest", "core/bvh/oriented.go",
		"boxSlack    = 128 * 0x1p-53", "boxSlack    = 0 * 0x1p-53", []string{"bvh"}},
	{"a near point beyond its edge", "core/rigid/closest.go", "		t = clamp(t)\n", "", []string{"rigid"}},
	{"angles reduced by one double alone", "core/num/trig.go",
		"	r += lo - float64(k*halfPi2)", "	r += lo", []string{"num"}},

	// Candidates of contact and of collision.
	{"the fourth boundary edge left out of the coplanar case", "core/exact/wide.go",
		"		take(&x)\n		take(&y)\n	case", "		take(&x)\n	case", forExact},
	{"contact at t = 1 left out", "core/exact/fixed.go",
		"if signs[3] == 0 && tMax >= 1 {", "if signs[3] == 0 && tMax >= 2 {", forExact},
	{"t_max ignored by the exact method", "core/exact/cubic.go",
		"if floor > tMax || floor == tMax && !exact {", "if floor > 2 {", forExact},
	{"sweep stopped early", "core/broad/worker.go",
		"	for c := t.c0; c < t.c1; c++ {", "	for c := t.c0; c < t.c1-1; c++ {", []string{"broad", "step"}},
	{"a static vertex makes its face static", "core/mesh/setters.go",
		"func(a, b bool) bool { return a && b }", "func(a, b bool) bool { return a || b }", []string{"mesh", "broad", "step"}},
	{"edges that share a vertex collide", "core/mesh/filter.go",
		"e[0] != g[0] && e[0] != g[1] && e[1] != g[0] && e[1] != g[1]", "e[0] != g[0] && e[0] != g[1] && e[1] != g[0]",
		[]string{"mesh", "broad", "step"}},

	// Searches.
	{"toi_lo taken from the wrong cell when the budget is spent", "core/narrow/tight.go",
		"				c = s.cell(f, kept[0])", "				c = s.cell(f, kept[len(kept)-1])", forNarrow},
	{"cells retired beside an answer forgotten", "core/narrow/contract.go",
		"	r := found{verdict: geom.Contact, lo: s.earliest(min(c.t0, s.low)), hi: c.t1, u: u, v: v, width: width}",
		"	r := found{verdict: geom.Contact, lo: c.t1, hi: c.t1, u: u, v: v, width: width}", forNarrow},
	{"the search for the earliest ends one impact too soon", "core/step/earliest.go",
		"	for bits := math.Float64bits(num.Up(toi)); ; {", "	for bits := math.Float64bits(num.Down(toi)); ; {", []string{"step"}},
	{"a safe step that ends in contact", "core/step/size.go",
		"math.Max(0, num.Down(im.TOILo))", "math.Max(0, num.Up(im.TOILo))", []string{"step"}},

	// One frame.
	{"the filter of an edge and a face dropped", "core/proximity/orient.go",
		"bound = 10 * 0x1p-53", "bound = 0 * 0x1p-53", []string{"proximity", "soak"}},
	{"an edge beside a face on its plane is not asked about", "core/proximity/orient.go",
		"	if sp == 0 || sq == 0 {\n		return unknown", "	if sp == 0 || sq == 0 {\n		return no", []string{"proximity", "soak"}},
	{"the bound on a length from above dropped", "core/proximity/bound.go",
		"const u5, corner, tiny = 5 * 0x1p-53, 2 * 0x1p-53, 0x1p-400", "const u5, corner, tiny = 0 * 0x1p-53, 0 * 0x1p-53, 0x1p-400",
		[]string{"proximity", "soak"}},
	{"the bound on a length from below dropped", "core/proximity/bound.go",
		"const u6, tiny = 6 * 0x1p-53, 0x1p-1000", "const u6, tiny = 0 * 0x1p-53, 0x1p-1000", []string{"proximity", "soak"}},
	{"underflow of squares forgotten", "core/proximity/bound.go",
		"5 * 0x1p-53, 2 * 0x1p-53, 0x1p-400", "5 * 0x1p-53, 2 * 0x1p-53, 0", []string{"proximity", "soak"}},
	{"hinged pairs forgotten", "core/proximity/intersections.go",
		"if err := s.hinged(handle); err != nil || s.stop.Load() {", "if err := error(nil); err != nil || s.stop.Load() {",
		[]string{"proximity"}},
	{"a hinged edge with two apexes forgotten", "core/mesh/hinged.go",
		"	case a.n == 2:", "	case a.n == 1:", []string{"mesh", "proximity"}},
	{"edges and faces with a common second vertex kept", "core/broad/worker.go",
		"f.kind == geom.EdgeFace ||", "false ||", []string{"broad", "proximity"}},
	{"the search for the smallest distance gives up too soon", "core/proximity/distance.go",
		"return square > float64(float64(b*b)*(1+32*0x1p-53))+0x1p-1000", "return square > float64(float64(b*b)*(1-0x1p-3))+0x1p-1000",
		[]string{"proximity"}},

	// Rigid bodies.
	{"a parabola's root rounded up", "core/inclusion/parabola.go",
		"return num.DivDown(num.MulDown(2, g), below), false", "return num.DivUp(num.MulUp(2, g), below), false", []string{"inclusion"}},
	{"what follows a proven root forgotten, as in the paper", "core/inclusion/firstroot.go",
		"			if keep != nil && part.t != t && !keep(part.t) {\n				s.later(rest)", "			if keep != nil && part.t != t && !keep(part.t) {",
		[]string{"inclusion"}},
	{"third derivatives left out of the Taylor form", "core/rigid/d2m_track.go",
		"e := grown(sum(c.e2, c.c3*h))", "e := grown(c.e2)", []string{"rigid"}},
	{"a query's last instant not asked about", "core/rigid/earliest.go",
		"num.SubUp(num.Up(s.o.T1), t)", "num.SubUp(s.o.T1, t)", []string{"rigid"}},
	{"the paper's step back taken without proof", "core/rigid/d2m_answer.go",
		"if s.keeps(t) {", "if true {", []string{"rigid"}},
	// Volumes.
	{"hulls of blocks compared at the start alone", "simd/blocks_generic.go",
		"apart = apart || lo0 > q[6+k] && lo1 > q[9+k] ||", "apart = apart || lo0 > q[6+k] && lo1 > lo0-9 ||", []string{"simd"}},
	{"diagonals compared at the start alone", "simd/diagonal_generic.go",
		"above[k] = above[k] && r[k] > p[k] && r[6+k] > p[6+k]", "above[k] = above[k] && r[k] > p[k]", []string{"simd"}},
	{"diagonals used in spite of a separation", "core/volume/worker.go",
		"	if w.s.o.MinSeparation > 0 {", "	if w.s.o.MinSeparation > 1 {", []string{"volume", "soak"}},
	{"a patch not compared with itself", "core/volume/tree.go",
		"m &= 0xff << i //", "m &= 0xfe << i //", []string{"volume"}},
	{"edges of one patch met twice", "core/volume/worker.go",
		"if p.lanes[i][0] < p.lanes[i][1] {", "if p.lanes[i][0] != p.lanes[i][1] {", []string{"volume"}},
	{"edges left in the order of their patches", "core/volume/contact.go",
		"	if q[1] < q[3] {", "	if q[1] >= 0 {", []string{"volume", "soak"}},
	{"a search that ends at the contact it has", "core/volume/earliest.go",
		"math.Float64bits(num.Up(toi))", "math.Float64bits(num.Up(toi * 0.999))", []string{"volume", "soak"}},
	{"owners kept when their element goes", "core/mesh/volume_edit.go",
		"		} else if v.FaceOwner[f] == e {", "		} else if v.FaceOwner[f] == -2 {", []string{"mesh", "volume"}},
	{"diagonals of sides by number alone", "core/mesh/volume_build.go",
		"	if v.Origin[a] != v.Origin[b] {", "	if false {", []string{"mesh"}},
	{"split pairs left out after they have parted", "core/volume/contact.go",
		" && [3]float64(mo.Rec[8*int(a):]) == [3]float64(mo.Rec[8*int(b):])", "", []string{"volume"}},

	// Curved patches by boxes.
	{"a period's end taken without proof", "core/patch/period.go",
		"	if g, _ := gap(to); !(g > bound) {", "	if to *= 1.01; false {", []string{"patch"}},
	{"a period's cuts joined over a hole", "core/patch/period.go",
		"if x.from <= d.lo && x.to > d.lo {", "if x.to > d.lo {", []string{"patch"}},
	{"a hull of lines without one line", "core/patch/envelope.go",
		"	for k := range order {", "	for k := range order[min(1, len(order)-1):] {", []string{"patch"}},
	{"swept boxes of the window's end alone", "core/patch/period.go",
		"if min(l0, l1)-max(h0, h1)-reach > bound {", "if l1-h1-reach > bound {", []string{"patch"}},
	{"cells accepted by a hundredth of their spread", "core/patch/timedependent.go",
		"return max(far.x, far.y, far.z) <= s.check.separation+enough", "return max(far.x, far.y, far.z) <= s.check.separation+100*enough",
		[]string{"patch"}},
	{"the separation forgotten by periods", "core/patch/period.go",
		"		reach := c.reach(n)\n		if d.cut(", "		reach := 0.0\n		if d.cut(", []string{"patch"}},
	// Patches.
	{"bound of a gap between patches dropped", "core/patch/check.go",
		"float64(12*0x1p-53*(a.mag+b.mag+separation))", "0*(a.mag+b.mag+separation)", []string{"patch"}},
	{"hulls followed beyond the closing of their gap", "core/patch/check.go",
		"		if gap > bound {\n			return t, t == t1", "		if gap > -1e-2 {\n			return t, t == t1", []string{"patch"}},
	{"a separation of patches measured in the wrong norm", "core/patch/check.go",
		"	return c.separation * (math.Abs(n.x) + math.Abs(n.y) + math.Abs(n.z))", "	return c.separation * max(math.Abs(n.x), math.Abs(n.y), math.Abs(n.z))", []string{"patch"}},
	{"variables at edges need not rise in an exclusion", "core/patch/exclude.go",
		"if does == up && !(g.lo > 0) || does == down && !(g.hi < 0) {", "if does == absent {", []string{"patch"}},
	{"a polar form taken at the wrong end of its span", "core/patch/nurbs.go",
		"		if j > p-k {", "		if j >= p-k {", []string{"patch"}},
	{"the separation left out of the swept boxes of patches", "core/patch/scene.go",
		"s.sweep(a.boxes(o.MinSeparation), b.boxes(0))", "s.sweep(a.boxes(0), b.boxes(0))", []string{"patch"}},
}
