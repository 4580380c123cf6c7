package main

// forCommon is the suite of common volumes and depths.
var forCommon = []string{"common-volume"}

// ofOverlap are mutants of volumes that solids have in common and of depths.
var ofOverlap = []mutant{
	{"equal planes count twice", "core/overlap",
		"six.minus(c.below(&c.low, second[T])).plus(", "six.plus(", forCommon},
	{"the part below the other plane put together with the rest, wherever signs change", "core/overlap",
		"p.weight += c.low.weight\n	}\n	return six", "p.weight += c.low.weight\n		" +
			"six = c.below(&c.low, first[T])\n		" +
			"p.cut(func(v *vertex[T]) T { return v.a.minus(v.b) }, math.Inf(1))\n		" +
			"six = six.plus(c.below(p, second[T]))\n	}\n	return six", forCommon},
	{"heights not cut at the top of the frame", "core/overlap",
		"above = above || under(&p.v[i]).sign() < 0", "above = above && under(&p.v[i]).sign() < 0", forCommon},
	{"heights not cut at the bottom of the frame", "core/overlap",
		"	p.cut(first[T], math.Inf(1))\n", "", forCommon},
	{"triangles seen from below count as others", "core/overlap",
		"sum.add(six, off, f.way*b.of[j].way)", "sum.add(six, off, f.way)", forCommon},
	{"a corner of a pose without its error", "core/overlap",
		"off[n] = math.Ldexp(p.Err, -f.exp[n])", "off[n] = 0", forCommon},
	{"columns of triangles seen from below left out of the excess", "core/overlap",
		"sum.add(six, off, 2)\n", "sum.add(six, off, 0)\n", forCommon},
	{"the excess is not looked at", "core/overlap",
		"if v := bracket(ar, &sum); v.Lo > 0 {", "if v := bracket(ar, &sum); v.Lo > 1e300 {",
		forCommon},
	{"the common box shrinks to the parts of one surface", "core/overlap",
		"first, second = next.join(first, &b), next.join(second, &b)",
		"first, second = next.join(first, &b), new(box).join(second, &b)", forCommon},
	{"a bracket of doubles without its error", "core/overlap",
		"off := a.off + float64(ar.unit*float64(a.terms+4)*a.size)", "off := 0 * a.off", forCommon},
	{"solids on the same side of a plane taken for separated", "core/overlap",
		"one == 0 || one != -other {", "one == 0 || other == mixed {", forCommon},
	{"the nearest triangle is the first that is found", "core/overlap",
		"min(least, n.hi)\n		return least", "min(least, n.hi)\n		return least / 2", forCommon},
	{"several nearest points taken for one", "core/overlap",
		"!(m <= 5e-6*list[0].hi)", "!(m <= 5e6*list[0].hi)", forCommon},
	{"the distance of an uncertain point without its error", "core/overlap",
		"d.Lo, d.Hi = max(num.SubDown(d.Lo, off), 0), num.AddUp(d.Hi, off)", "_ = off", forCommon},
	{"a quotient of pairs of doubles by the leading parts", "core/overlap",
		"return double{q, p}.plus(double{r.h / y.h, 0})", "return double{x.h / y.h, 0}", forCommon},
	{"a surface's corners numbered to the end after the call was cancelled", "core/contain",
		"		if i%lookEvery == 0 && !goOn() {", "		if i < 0 && !goOn() {", forCommon},
	{"a volume that a cancelled call left at 0 kept", "core/rigid",
		"	if v, ok = common.VolumeWhile(s, goOn); ok {", "	if v, ok = common.VolumeWhile(s, goOn); true {",
		[]string{"containment"}},
}
