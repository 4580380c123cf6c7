package main

import "github.com/mmcloughlin/avo/build"

// family is a package of kernels that share what they take.
type family struct {
	name  string
	types []string // those that assembly has pointers to: of the package, or of another family
	files []file
}

// file is a file of assembly, and the kernels in it.
type file struct {
	name    string // of the file, without _amd64.s
	write   func(c *build.Context)
	kernels []kernel
}

// kernel is a row of the table: a function that exists in assembly and in plain Go. dispatch.go writes the function of this name: it calls
// the assembly of the level in use, NAME512 or NAME256, or else plain Go. A name with a capital is exported; its comment is that of the
// plain Go function, which begins with the plain function's name.
//
// A row whose name has {kind} is two kernels, VF and EE, {degree} makes it two, 2 and 3, {shape} three, V, E and F. In the call of plain Go
// the words face, degree and width are then true or false, 2 or 3, and 1, 2 or 3.
type kernel struct {
	name  string
	plain string // the call of the plain Go function

	check  string // a statement that comes first at every level
	fits   string // a condition without which plain Go is called
	wide   string // a condition without which NAME256 is called in place of NAME512
	params string // the parameters, where they are not those of the assembly
	args   string // what the assembly is given then
}

var families = []family{
	{"box", []string{"CellGrid", "CellRange", "Cross", "SweepList", "SweepState", "VertexMap"}, []file{
		{"blocks", blocks, []kernel{
			{name: "joinBlocks{shape}", plain: "joinBlocksGeneric(rec, ids, width, blocks)"},
			{name: "MeetBlocks", plain: "meetBlocksGeneric(a, b, masks)"},
			{name: "crossVF", plain: "crossGeneric(a, b, 1, 3, len(b.Boxes)/BlockLen, idx, lanes)", wide: "crossInWords(a, b)"},
			{name: "crossEE", plain: "crossGeneric(a, b, 2, 2, len(b.Boxes)/BlockLen, idx, lanes)", wide: "crossInWords(a, b)"},
		}},
		{"cells", cells, []kernel{
			{name: "cellRanges{shape}", plain: "CellRangesOf(rec, verts, width, nil, g, out)",
				params: "rec []float32, verts []int32, g *CellGrid, out []CellRange", args: "rec, verts, g, &out[0], len(out)"},
		}},
		{"ends", ends, []kernel{
			{name: "joinEnds{shape}", plain: "joinEndsGeneric(rec, verts, width, ids, l)"},
			{name: "joinRest{shape}", plain: "joinEndsGeneric(rec, verts, width, ids, l)"},
		}},
		{"join", join, []kernel{
			{name: "joinRecords{shape}", plain: "joinRecordsGeneric(rec, verts, width, ids, out, l)"},
		}},
		{"kinetic", kinetic, []kernel{
			{name: "Kinetic", plain: "kineticGeneric(a, b, pairs, out)", check: "out = out[:len(pairs)]"},
		}},
		{"list", lists, []kernel{
			{name: "listSelf", plain: "listGeneric(q, t, passSelf, s, out, doubt)"},
			{name: "listBA", plain: "listGeneric(q, t, passBA, s, out, doubt)"},
			{name: "listAB", plain: "listGeneric(q, t, passAB, s, out, doubt)"},
		}},
		{"ranks", ranks, []kernel{
			{name: "rank", plain: "ranksGeneric(keys, ranks[:n])"},
		}},
		{"sweep", sweep, []kernel{
			{name: "sweepSelf", plain: "sweepGeneric(q, t, passSelf, s, out)"},
			{name: "sweepBA", plain: "sweepGeneric(q, t, passBA, s, out)"},
			{name: "sweepAB", plain: "sweepGeneric(q, t, passAB, s, out)"},
			{name: "sweepRestSelf", plain: "sweepGeneric(q, t, passSelf, s, out)"},
			{name: "sweepRestBA", plain: "sweepGeneric(q, t, passBA, s, out)"},
			{name: "sweepRestAB", plain: "sweepGeneric(q, t, passAB, s, out)"},
			{name: "sweepFE", plain: "sweepGeneric(q, t, passFE, s, out)"},
			{name: "sweepEF", plain: "sweepGeneric(q, t, passEF, s, out)"},
			{name: "blockSelf", plain: "sweepGeneric(q, t, passSelf, s, out)"},
			{name: "blockBA", plain: "sweepGeneric(q, t, passBA, s, out)"},
			{name: "blockAB", plain: "sweepGeneric(q, t, passAB, s, out)"},
			{name: "blockRestSelf", plain: "sweepGeneric(q, t, passSelf, s, out)"},
			{name: "blockRestBA", plain: "sweepGeneric(q, t, passBA, s, out)"},
			{name: "blockRestAB", plain: "sweepGeneric(q, t, passAB, s, out)"},
			{name: "blockFE", plain: "sweepGeneric(q, t, passFE, s, out)"},
			{name: "blockEF", plain: "sweepGeneric(q, t, passEF, s, out)"},
		}},
		{"swept", swept, []kernel{
			{name: "sweptVF", plain: "sweptGeneric(rec, SweptSet{a, 1}, SweptSet{b, 3}, grow, pairs, out)"},
			{name: "sweptEE", plain: "sweptGeneric(rec, SweptSet{a, 2}, SweptSet{b, 2}, grow, pairs, out)"},
			{name: "sweptPE", plain: "sweptGeneric(rec, SweptSet{a, 1}, SweptSet{b, 2}, grow, pairs, out)"},
			{name: "sweptPP", plain: "sweptGeneric(rec, SweptSet{a, 1}, SweptSet{b, 1}, grow, pairs, out)"},
		}},
		{"vertices", vertices, []kernel{
			{name: "vertexRecords", plain: "vertexRecordsGeneric(rec, m, out)"},
			{name: "vertexRecordsUntil", plain: "vertexRecordsGeneric(rec, m, out)"},
		}},
	}},
	{"linear", []string{"Places"}, []file{
		{"axiscull", axisCull, []kernel{
			{name: "AxisCullVF", plain: "axisCullVFGeneric(rec, idx, sep, out)", check: "out = out[:len(idx)]"},
			{name: "AxisCullEE", plain: "axisCullEEGeneric(rec, idx, sep, out)", check: "out = out[:len(idx)]"},
		}},
		{"corners", corners, []kernel{
			{name: "Corners", plain: "cornersGeneric(coef, t0, t1, u0, u1, u3, v0, v1, lim, out)"},
			{name: "Project", plain: "projectGeneric(f, x, y, z, lim, out)"},
		}},
		{"diagonal", diagonal, []kernel{
			{name: "diagonalVF", plain: "diagonalGeneric(rec, idx, 1, gap, out)"},
			{name: "diagonalEE", plain: "diagonalGeneric(rec, idx, 2, gap, out)"},
		}},
		{"filter", filter, []kernel{
			{name: "filterWhole{kind}", plain: "filterGeneric(rec, idx, list, bounds, out, face)"},
			{name: "filterPart{kind}", plain: "filterGeneric(rec, idx, list, bounds, out, face)"},
		}},
		{"filter32", filter32, []kernel{
			{name: "filter32Whole{kind}", plain: "filter32Generic(rec, idx, list, bounds, out, face)"},
			{name: "filter32Part{kind}", plain: "filter32Generic(rec, idx, list, bounds, out, face)"},
		}},
		{"inplane", inPlane, []kernel{
			{name: "inPlane{kind}", plain: "inPlaneGeneric(rec, idx, list, bounds, out, face)"},
		}},
		{"place", place, []kernel{
			{name: "place{kind}", plain: "placeGeneric(rec, idx, list, toi, out, placed, face)"},
		}},
		{"roots", roots, []kernel{
			{name: "roots{kind}", plain: "rootsGeneric(rec, idx, list, piece, ends, toi, state, face)"},
		}},
		{"signs", signs, []kernel{
			{name: "signs{kind}", plain: "signsGeneric(rec, idx, list, bounds, masks, face)"},
			{name: "signsApart{kind}", plain: "signsGeneric(rec, idx, list, bounds, masks, face)"},
		}},
		{"turns", turns, []kernel{
			{name: "turns{kind}", plain: "turnsGeneric(rec, idx, list, piece, ends, bounds, alive, face)"},
			{name: "turnsApart{kind}", plain: "turnsGeneric(rec, idx, list, piece, ends, bounds, alive, face)"},
		}},
	}},
	{"still", []string{"Enclosures"}, []file{
		{"crossing", crossing, []kernel{
			{name: "FilterEF", plain: "filterEFGeneric(rec, edges, faces, pairs, out)", check: "out = out[:len(pairs)]"},
		}},
		{"enclose", enclose, []kernel{
			{name: "enclose{kind}", plain: "encloseGeneric(rec, idx, list, out, face)"},
		}},
		{"near", near, []kernel{
			{name: "near{kind}", plain: "nearGeneric(rec, idx, square, out, face)"},
		}},
	}},
	{"curve", []string{"linear.Places"}, []file{
		{"filter", curved, []kernel{
			{name: "curvedAxes{degree}{kind}", plain: "curvedAxesGeneric(rec, degree, idx, sep, out, face)"},
			{name: "curved{degree}{kind}", plain: "curvedGeneric(rec, degree, idx, list, bounds, out, face)"},
			{name: "curvedPart{degree}{kind}", plain: "curvedGeneric(rec, degree, idx, list, bounds, out, face)"},
		}},
		{"filter32", curved32, []kernel{
			{name: "curved32Whole{degree}{kind}", plain: "curved32Generic(rec, degree, idx, list, bounds, true, out, face)"},
			{name: "curved32Part{degree}{kind}", plain: "curved32Generic(rec, degree, idx, list, bounds, false, out, face)"},
		}},
		{"roots", curvedRoots, []kernel{
			{name: "curvedRoots{degree}{kind}", plain: "curvedRootsGeneric(rec, degree, idx, list, from, to, toi, state, face)"},
			{name: "curvedTimes{degree}{kind}", plain: "curvedTimesGeneric(rec, degree, idx, list, at, toi, state, face)"},
		}},
		{"place", curvedPlace, []kernel{
			{name: "curvedPlace{degree}{kind}", plain: "curvedPlaceGeneric(rec, degree, idx, list, toi, out, placed, face)"},
		}},
	}},
	{"solid", []string{"Angles", "RelativeMotion", "SiblingBoxes", "Triangles", "Turn"}, []file{
		{"advance", advance, []kernel{
			{name: "advance", plain: "advanceGeneric(m, a, b, uint8(skip^15), out)"},
		}},
		{"angles", angles, []kernel{
			{name: "turnBodies", plain: "m.turnGeneric(a)"},
		}},
		{"triangles", triangles, []kernel{
			{name: "PlaceTriangles", plain: "placeTrianglesGeneric(m, a, b, out)"},
			{name: "KeepTriangles", plain: "keepTrianglesGeneric(t, d)"},
		}},
	}},
	{"patch", []string{"Gap", "Net", "Reach"}, []file{
		{"blend", blend, []kernel{
			{name: "Blend", plain: "blendGeneric(rows, weights, counts, out)", fits: "blendFits(rows, weights, counts, out)",
				params: "rows [][8]float64, weights []float64, counts []int, out [][8]float64",
				args:   "&rows[0][0], &weights[0], &counts[0], len(counts), &out[0][0]"},
		}},
		{"gap", gaps, []kernel{
			{name: "gapEight", plain: "g.close(a, padA, b, padB)",
				params: "g *Gap, a []float64, padA int, b []float64, padB int", args: "g, &a[0], padA, &b[0], padB"},
			{name: "gapSixteen", plain: "g.close(a, padA, b, padB)",
				params: "g *Gap, a []float64, padA int, b []float64, padB int", args: "g, &a[0], padA, &b[0], padB"},
		}},
		{"halve", halve, []kernel{
			{name: "halve", plain: "d.halveGeneric(src, a, b)", fits: "d.fits(src) && d.fits(a) && d.fits(b)",
				params: "d *Net, src, a, b []float64", args: "d, &src[0], &a[0], &b[0]"},
			{name: "longestRow", plain: "d.longestGeneric(src)", fits: "d.fits(src)", params: "d *Net, src []float64", args: "d, &src[0]"},
		}},
		{"reach", reach, []kernel{
			{name: "reachAlong", plain: "reachAlongGeneric(r, x, pad, n0, n1, n2, t0, t1)", fits: "reachFits(pad) && len(x) >= 6*pad",
				params: "r *Reach, x []float64, pad int, n0, n1, n2, t0, t1 float64", args: "&x[0], pad, n0, n1, n2, t0, t1, r"},
			{name: "reachAt", plain: "reachAtGeneric(r, pad, t)", fits: "reachFits(pad)"},
		}},
	}},
}
