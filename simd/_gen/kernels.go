package main

import "github.com/mmcloughlin/avo/build"

// family is a package of kernels that share their types.
type family struct {
	name  string
	types []string // the types that assembly has pointers to, of this package or of another family
	files []file
}

// file is a file of assembly, and the kernels in it.
type file struct {
	name    string // the name of the file, without _amd64.s
	write   func(c *build.Context)
	kernels []kernel
}

// kernel is a row of the table: a function that exists in assembly and in plain Go. dispatch.go
// writes the function of this name: it calls the assembly of the level in use, NAME512 or NAME256,
// or else plain Go. A name with a capital is exported; its comment is that of the plain Go
// function, which begins with the plain function's name. A row whose name has {kind} is two
// kernels, VF and EE; in their calls of plain Go the word face is true and false.
type kernel struct {
	name  string
	plain string // the call of the plain Go function

	cases  []variant // cases with assembly, named where the name has {case}; the first that holds is called
	with   string    // parameters that only cases and plain Go read; they come first
	check  string    // a statement that comes first at every level
	fits   string    // a condition without which plain Go is called
	wide   string    // a condition without which NAME256 is called in place of NAME512
	params string    // the parameters, if they differ from those of the assembly
	args   string    // the arguments of the assembly, if params is set
}

// variant is a case of a kernel: its name, and the condition under which it holds.
type variant struct{ name, when string }

var (
	byWidth  = []variant{{"V", "width == 1"}, {"E", "width == 2"}, {"F", ""}}
	byDegree = []variant{{"2", "degree == 2"}, {"3", ""}}
	bySweep  = []variant{
		{"BlocksRest", "s.blocks && t.AtRest"}, {"Blocks", "s.blocks"}, {"Rest", "t.AtRest"}, {"", ""},
	}
	byBlocks     = []variant{{"Blocks", "s.blocks"}, {"", ""}}
	bySeparation = []variant{{"", "bounds[0] == 0"}, {"Apart", ""}}
	byWhole      = []variant{
		{"2", "degree == 2 && tmax == 1 && sep == 0"}, {"Part2", "degree == 2"},
		{"3", "tmax == 1 && sep == 0"}, {"Part3", ""},
	}
	byWhole32 = []variant{
		{"Whole2", "degree == 2 && whole"}, {"Part2", "degree == 2"}, {"Whole3", "whole"}, {"Part3", ""},
	}
)

// filterParams are the parameters of filters: the kernel takes bounds made from the time and the
// separation.
const filterParams = "rec []float64, idx [][4]int32, list []int32, tmax, sep float64, out []int32"

var families = []family{
	{"box", []string{
		"CellGrid", "CellRange", "Cross", "Node", "Queue", "Record", "RowMap", "Sieve", "SieveBlock",
		"SweepList", "SweepState", "VertexMap",
	}, []file{
		{"blocks", blocks, []kernel{
			{name: "joinBlocks{case}", cases: byWidth, with: "width int",
				plain: "joinBlocksGeneric(rec, ids, width, blocks)"},
			{name: "MeetBlocks", plain: "meetBlocksGeneric(a, b, masks)"},
			{name: "crossVF",
				plain: "crossGeneric(a, b, 1, 3, len(b.Boxes)/BlockLen, idx, lanes)", wide: "crossInWords(a, b)"},
			{name: "crossEE",
				plain: "crossGeneric(a, b, 2, 2, len(b.Boxes)/BlockLen, idx, lanes)", wide: "crossInWords(a, b)"},
		}},
		{"cells", cells, []kernel{
			{name: "cellRanges{case}", cases: byWidth, with: "width int",
				plain:  "CellRangesOf(rec, verts, width, nil, g, out)",
				params: "rec []float32, verts []int32, g *CellGrid, out []CellRange",
				args:   "rec, verts, g, &out[0], len(out)"},
		}},
		{"ends", ends, []kernel{
			{name: "joinEnds{case}", cases: byWidth, with: "width int",
				plain: "joinEndsGeneric(rec, verts, width, ids, l)"},
			{name: "joinRest{case}", cases: byWidth, with: "width int",
				plain: "joinEndsGeneric(rec, verts, width, ids, l)"},
		}},
		{"expand", expands, []kernel{
			{name: "expand{case}", cases: []variant{{"Sorted", "sort"}, {"", ""}}, with: "sort bool",
				plain: "expandGeneric(records, a, b, sort, out)"},
		}},
		{"inorder", inOrder, []kernel{
			{name: "below", plain: "belowGeneric(records, ids, out)"},
			{name: "writeRow", plain: "writeRowGeneric(rows, row, second, first, out)"},
			{name: "writeRowWide", plain: "writeRowGeneric(rows, row, second, first, out)"},
		}},
		{"join", join, []kernel{
			{name: "joinRecords{case}", cases: byWidth, with: "width int",
				plain: "joinRecordsGeneric(rec, verts, width, ids, out, l)"},
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
		{"rows", rows, []kernel{
			{name: "stepRows{case}", cases: []variant{{"Grow", "m.Grow != 0"}, {"", ""}},
				plain: "stepRowsGeneric(rec, m, rows)"},
			{name: "endRows{case}", cases: []variant{{"Grow", "m.Grow != 0"}, {"", ""}},
				plain: "endRowsGeneric(rec, m, rows)"},
		}},
		{"sieve", sieves, []kernel{
			{name: "sieve{kind}", plain: "sieveGeneric(records, a, b, s, out, face)"},
			{name: "sieveBlocks{case}", cases: byWidth, with: "width int",
				plain: "sieveBlocksGeneric(blocks, rec, corners, width, scale)"},
		}},
		{"sweep", sweep, []kernel{
			{name: "sweep{case}Self", cases: bySweep, plain: "sweepGeneric(q, t, passSelf, s, out)"},
			{name: "sweep{case}BA", cases: bySweep, plain: "sweepGeneric(q, t, passBA, s, out)"},
			{name: "sweep{case}AB", cases: bySweep, plain: "sweepGeneric(q, t, passAB, s, out)"},
			{name: "sweep{case}FE", cases: byBlocks, plain: "sweepGeneric(q, t, passFE, s, out)"},
			{name: "sweep{case}EF", cases: byBlocks, plain: "sweepGeneric(q, t, passEF, s, out)"},
		}},
		{"swept", swept, []kernel{
			{name: "swept{case}", plain: "sweptGeneric(rec, a, b, grow, pairs, out)",
				cases:  []variant{{"EE", "a.Width == 2"}, {"VF", "b.Width == 3"}, {"PE", "b.Width == 2"}, {"PP", ""}},
				params: "rec []float64, a, b SweptSet, grow [][2]float64, pairs, out [][2]int32",
				args:   "rec, a.Verts, b.Verts, grow, pairs, out"},
		}},
		{"tree", tree, []kernel{
			{name: "leaves{case}", cases: byWidth, with: "width int",
				plain: "leavesGeneric(nodes, hulls, rows, corners, width)"},
			{name: "parents", plain: "parentsGeneric(nodes, hulls, below)"},
			{name: "Meet", plain: "meetGeneric(a, b)"},
			{name: "meetLeaves", plain: "meetLeavesGeneric(a, b, of, m, sure, touching)"},
			{name: "MeetMoving", plain: "meetMovingGeneric(a0, a1, b0, b1)"},
			{name: "meetEnds", plain: "meetEndsGeneric(a0, a1, b0, b1, of0, of1, m, touching)"},
		}},
		{"vertices", vertices, []kernel{
			{name: "vertexRecords{case}", cases: []variant{{"Until", "m.T < 1"}, {"", ""}},
				plain: "vertexRecordsGeneric(rec, m, out)"},
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
			{name: "filter{case}{kind}", plain: "filterGeneric(rec, idx, list, &bounds, out[:len(list)], face)",
				cases:  []variant{{"Whole", "tmax == 1 && sep == 0"}, {"Part", ""}},
				check:  "bounds := FilterBounds(tmax, sep)",
				params: filterParams, args: "rec, idx, list, &bounds, out[:len(list)]"},
		}},
		{"filter32", filter32, []kernel{
			{name: "filter32{case}{kind}",
				plain:  "filter32Generic(rec, idx, list, &bounds, out[:len(list)], face)",
				cases:  []variant{{"Whole", "bounds[1] == 1 && bounds[2] == 0"}, {"Part", ""}},
				check:  "bounds, _ := FilterBounds32(tmax, sep)",
				params: filterParams, args: "rec, idx, list, &bounds, out[:len(list)]"},
		}},
		{"inplane", inPlane, []kernel{
			{name: "inPlane{kind}", plain: "inPlaneGeneric(rec, idx, list, &bounds, out[:len(list)], face)",
				check:  "bounds := FilterBounds(tmax, sep)",
				params: filterParams, args: "rec, idx, list, &bounds, out[:len(list)]"},
		}},
		{"place", place, []kernel{
			{name: "place{kind}", plain: "placeGeneric(rec, idx, list, toi, out, placed, face)"},
		}},
		{"roots", roots, []kernel{
			{name: "roots{kind}", plain: "rootsGeneric(rec, idx, list, piece, &ends, toi, state, face)",
				check: "ends := TimePieceEnds(tmax)\n" +
					"piece, toi, state = piece[:len(list)], toi[:len(list)], state[:len(list)]",
				params: "rec []float64, idx [][4]int32, list []int32, piece []uint8, " +
					"tmax float64, toi []float64, state []uint8",
				args: "rec, idx, list, piece, &ends, toi, state"},
		}},
		{"signs", signs, []kernel{
			{name: "signs{case}{kind}", cases: bySeparation,
				plain: "signsGeneric(rec, idx, list, bounds, masks, face)"},
		}},
		{"turns", turns, []kernel{
			{name: "turns{case}{kind}", cases: bySeparation,
				plain: "turnsGeneric(rec, idx, list, piece, ends, bounds, alive, face)"},
		}},
	}},
	{"still", []string{"Enclosures"}, []file{
		{"crossing", crossing, []kernel{
			{name: "FilterEF",
				plain: "filterEFGeneric(rec, edges, faces, pairs, out)", check: "out = out[:len(pairs)]"},
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
			{name: "curvedAxes{case}{kind}", cases: byDegree, with: "degree int",
				plain: "curvedAxesGeneric(rec, degree, idx, sep, out, face)"},
			{name: "curved{case}{kind}",
				plain: "curvedGeneric(rec, degree, idx, list, &bounds, out[:len(list)], face)",
				cases: byWhole, check: "bounds := linear.FilterBounds(tmax, sep)",
				params: "rec []float64, degree int, idx [][4]int32, list []int32, tmax, sep float64, out []int32",
				args:   "rec, idx, list, &bounds, out[:len(list)]"},
		}},
		{"filter32", curved32, []kernel{
			{name: "curved32{case}{kind}",
				plain: "curved32Generic(rec, degree, idx, list, &bounds, whole, out[:len(list)], face)",
				cases: byWhole32, check: "bounds, whole := curvedBounds32(tmax, sep, off)",
				params: "rec []float64, degree int, idx [][4]int32, list []int32, " +
					"tmax, sep, off float64, out []int32",
				args: "rec, idx, list, &bounds, out[:len(list)]"},
		}},
		{"roots", curvedRoots, []kernel{
			{name: "curvedRoots{case}{kind}", cases: byDegree, with: "degree int",
				plain: "curvedRootsGeneric(rec, degree, idx, list, from, to, toi, state, face)"},
			{name: "curvedTimes{case}{kind}", cases: byDegree, with: "degree int",
				plain: "curvedTimesGeneric(rec, degree, idx, list, at, toi, state, face)"},
		}},
		{"place", curvedPlace, []kernel{
			{name: "curvedPlace{case}{kind}", cases: byDegree, with: "degree int",
				plain: "curvedPlaceGeneric(rec, degree, idx, list, toi, out, placed, face)"},
		}},
	}},
	{"solid", []string{"Angles", "FourPairs", "RelativeMotion", "SiblingBoxes", "Triangles", "Turn"}, []file{
		{"advance", advance, []kernel{
			{name: "advance", plain: "advanceGeneric(m, a, b, uint8(skip^15), false, out)"},
		}},
		{"advance_turning", advanceTurning, []kernel{
			{name: "advanceTurning", plain: "advanceGeneric(m, a, b, uint8(skip^15), true, out)"},
		}},
		{"advance_four", advanceFour, []kernel{
			{name: "advanceFour", plain: "f.advanceGeneric(uint8(skip^15), out)"},
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
			{name: "Blend",
				plain: "blendGeneric(rows, weights, counts, out)", fits: "blendFits(rows, weights, counts, out)",
				params: "rows [][8]float64, weights []float64, counts []int, out [][8]float64",
				args:   "&rows[0][0], &weights[0], &counts[0], len(counts), &out[0][0]"},
		}},
		{"gap", gaps, []kernel{
			{name: "gap{case}",
				plain: "g.close(a, padA, b, padB)", fits: "gapFits(a, padA) && gapFits(b, padB)",
				cases:  []variant{{"Eight", "padA == 8 && padB == 8"}, {"Sixteen", ""}},
				params: "g *Gap, a []float64, padA int, b []float64, padB int", args: "g, &a[0], padA, &b[0], padB"},
		}},
		{"halve", halve, []kernel{
			{name: "halve", plain: "d.halveGeneric(src, a, b)", fits: "d.fits(src) && d.fits(a) && d.fits(b)",
				params: "d *Net, src, a, b []float64", args: "d, &src[0], &a[0], &b[0]"},
			{name: "longestRow",
				plain: "d.longestGeneric(src)", fits: "d.fits(src)",
				params: "d *Net, src []float64", args: "d, &src[0]"},
		}},
		{"reach", reach, []kernel{
			{name: "reachAlong",
				plain: "reachAlongGeneric(r, x, pad, n0, n1, n2, t0, t1)", fits: "reachFits(pad) && len(x) >= 6*pad",
				params: "r *Reach, x []float64, pad int, n0, n1, n2, t0, t1 float64",
				args:   "&x[0], pad, n0, n1, n2, t0, t1, r"},
			{name: "reachAt", plain: "reachAtGeneric(r, pad, t)", fits: "reachFits(pad)"},
		}},
	}},
}
