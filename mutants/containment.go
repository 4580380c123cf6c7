package main

// forContain and forPoses are the suites of containment, forWithin that of the commands that say
// it.
var (
	forContain = []string{"contain"}
	forPoses   = []string{"containment"}
	forWithin  = []string{"cli-inside"}
)

// ofContainment are mutants of what surfaces enclose.
var ofContainment = []mutant{
	{"a side below or above a point passed on the left by both of its triangles", "core/contain",
		"turned[c] = moved(a, b, r.i, r.j)", "turned[c] = 1", forContain},
	{"a ray moved along the first axis alone", "core/contain",
		"cmp.Or(cmp.Compare(a[j], b[j]), cmp.Compare(b[i], a[i]))", "cmp.Compare(a[j], b[j])", forContain},
	{"the error of a point forgotten where a ray passes a side", "core/contain",
		"	if e != 0 {\n		bound +=", "	if e < 0 {\n		bound +=", forContain},
	{"the errors of placed triangles forgotten", "core/contain",
		"2*a.err, 2*a.err, a.err+e)", "0, 0, 0)", forContain},
	{"a point on a side of a triangle is on it only if the ray meets the triangle", "core/contain",
		"if at[0] == 0 || at[1] == 0 || at[2] == 0 {", "if at[0] == unsure {", forContain},
	{"a cavity around a part of the other body forgotten", "core/contain",
		"case insideA == a.Components() && insideB == 0:", "case insideA == a.Components():", forContain},
	{"ends of edges in the plane of a triangle forgotten", "core/contain",
		"case hp.Sign() == 0 && within(p, t[0], t[1], t[2], k) || hq.Sign() == 0 && within(q, t[0], t[1], t[2], k):",
		"case p[0] == nil:", forContain},
	{"the errors of two equal products compared the other way", "core/contain",
		"cmp.Compare(restL, restR)", "cmp.Compare(restR, restL)", forContain},
	{"an edge that is passed twice in one direction taken for closed", "core/contain",
		"			} else {\n				sum--",
		"			} else if sum++; sum > 1 {\n				sum = 0", forContain},
	{"components that are open contain others", "core/contain",
		"|| touched[part] || !s.closed[part] {", "|| touched[part] {", forContain},
	{"the box of a placed solid without its error", "core/contain",
		"float64(math.Abs(row[0])*h[0]) + float64(math.Abs(row[1])*h[1])",
		"float64(math.Abs(row[0])*h[0])", forContain},
	{"bodies that have turned taken for rational", "core/rigid",
		"if (t == 0 || m.AngularVelocity == r3.Vec{}) && (t == 0 || from.AngularVelocity == r3.Vec{}) {",
		"if t < 3 {", forPoses},
	{"the pivot of a rational pose on the wrong side", "core/rigid",
		"way[k].Sub(way[k], new(big.Rat).Mul(ra[k][l], pivotA[l]))",
		"way[k].Add(way[k], new(big.Rat).Mul(ra[k][l], pivotA[l]))", forPoses},
	{"groups of a scene forgotten where bodies are inside others", "bindings/python/ccd/cli",
		"if not grouped and (a, b) not in skipped:", "if (a, b) not in skipped:", forWithin},
}
