package main

// ofTrims are mutants of packages core/trim and core/patch: trimmed faces.
var ofTrims = []mutant{
	{"trims: boxes without the tolerance", "core/trim",
		"num.SubDown(lo[k], r.tolerance[k]), num.AddUp(hi[k], r.tolerance[k])",
		"num.SubDown(lo[k], 0*r.tolerance[k]), num.AddUp(hi[k], 0*r.tolerance[k])", forTrims},
	{"trims: segments beyond one corner passed over", "core/trim",
		"left, right = left && s > 0, right && s < 0", "left, right = left || s > 0, right && s < 0", forTrims},
	{"trims: sides without their bound", "core/trim",
		"bound := float64(sideError*(math.Abs(l)+math.Abs(r))) + sideUnderflow",
		"bound := 0*float64(sideError*(math.Abs(l)+math.Abs(r))) + 0*sideUnderflow", forTrims},
	{"trims: corners on a ray counted twice", "core/trim",
		"if (a[1] > p[1]) == up {", "if a[1] > p[1] && up || a[1] < p[1] && !up {", forTrims},
	{"trims: falling segments counted on the wrong side", "core/trim",
		"if up == (s > 0) {", "if s > 0 {", forTrims},
	{"trims: the closing segment of a loop left out", "core/trim",
		"r.corners = append(append(r.corners, loop...), loop[0])",
		"r.corners = append(append(r.corners, loop...), loop[len(loop)-1])", forTrims},
	{"trims: windows rounded inwards", "core/patch",
		"float64(0x1p-50 * (math.Abs(w[0]) + math.Abs(w[1])))",
		"-float64(0x1p-20 * (math.Abs(w[0]) + math.Abs(w[1])))",
		forTrimmedPatches},
	{"trims: cells that cross a loop left out", "core/patch",
		"return cutOf(q, 0, c.a) == trim.Outside || cutOf(q, 1, c.b) == trim.Outside",
		"return cutOf(q, 0, c.a) != trim.Inside || cutOf(q, 1, c.b) != trim.Inside", forTrimmedPatches},
	{"trims: contacts that Newton's method finds beyond the loops", "core/patch",
		"if cf.shared.Trivial(p.x) || !holds(cf.query, &p.x) {", "if cf.shared.Trivial(p.x) {", forTrimmedPatches},
	{"trims: contacts near a cell beyond the loops", "core/patch",
		"if !holds(&s.query, &p.x) {\n\t\tfar =", "if false {\n\t\tfar =", forTrimmedPatches},
	{"trims: halves take over that a part crosses", "core/patch",
		"if nd.cut == trim.Inside {", "if nd.cut != 0 {", forTrimmedPatches},
	{"trims: neighbors that fold pass for proven", "core/patch",
		"case !wide[0] && !wide[1] && joined && s.adjacency.joints.asOne:", "case !wide[0] && !wide[1] && joined:",
		forTrimmedPatches},
	{"trims: clips without the corners of the box", "core/patch",
		"if c.region.Surrounds(p) {", "if false {", forTrimmedPatches},
	{"trims: clips of rational patches as of polynomial ones", "core/patch",
		"if !t.rational {\n\t\tfor i := 0; i <= u; i++ {",
		"if true {\n\t\tfor i := 0; i <= u; i++ {", forTrimmedPatches},
	{"trims: joints of faces in the order of the file", "core/patch",
		"if out[k] = p; turned {", "if out[k] = p; false {", forTrimmedPatches},
}

var (
	forTrims          = []string{"trim"}
	forTrimmedPatches = []string{"trimmed"}
)
