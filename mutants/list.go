package main

import "slices"

// mutant is one way to break the code: in the files of a package's folder, an exact text becomes
// another. The text must occur exactly once in the folder, in whichever file: code may move from
// file to file, and when it changes, the mutant fails loudly instead of changing nothing.
type mutant struct {
	name, folder, old, new string
	suites                 []string // The suites run in this order, until one catches the defect.
}

// suites are commands of go, or a script for sh, by name, the cheapest that can detect a defect of
// their package first.
var suites = map[string][]string{
	"geom":           {"test", "-timeout", "300s", "./core/geom"},
	"num":            {"test", "-timeout", "300s", "./core/num"},
	"mesh":           {"test", "-timeout", "300s", "./core/mesh"},
	"meshfile":       {"test", "-timeout", "300s", "-short", "./core/meshfile"},
	"mesh-clean":     {"test", "-timeout", "300s", "-run", "Clean|Ignored", "./core/mesh", "./core/meshfile"},
	"mesh-polygons":  {"test", "-timeout", "300s", "-run", "Polygon|Orientation", "./core/meshfile"},
	"mesh-weld":      {"test", "-timeout", "300s", "-run", "Weld", "./core/meshfile"},
	"mesh-files":     {"test", "-timeout", "300s", "-run", "VTU|VTK|Ghost|MEDIT|MSH", "./core/meshfile"},
	"broad-ignored":  {"test", "-timeout", "300s", "-run", "Ignored", "./core/broad"},
	"kernel":         {"test", "-timeout", "300s", "./core/kernel"},
	"bound":          {"test", "-timeout", "300s", "./core/bound"},
	"broad":          {"test", "-timeout", "300s", "./core/broad"},
	"simd":           {"test", "-timeout", "300s", "./simd/..."},
	"simd-text":      {"test", "-timeout", "300s", "-short", "-run", "Text|Device", "./simd/linear"},
	"device":         {"test", "-timeout", "300s", "-short", "-run", "Device", "./core/ccdtest"},
	"exact":          {"test", "-timeout", "300s", "-short", "./core/exact/..."},
	"exact-laws":     {"test", "-timeout", "300s", "-run", "Resolver|Resolve|Oracle|Fuzz|Law", "./core/exact"},
	"exact-before":   {"test", "-timeout", "300s", "-run", "Before|SideAt", "./core/exact"},
	"swept":          {"test", "-timeout", "300s", "-run", "Swept", "./simd/box"},
	"tree":           {"test", "-timeout", "300s", "-run", "Tree|Meet|Expand|Rows", "./simd/box"},
	"hierarchy-step": {"test", "-timeout", "300s", "-short", "-run", "Hierarch", "./core/broad", "./core/step"},
	"sieve-start":    {"test", "-timeout", "300s", "-run", "Sieve", "./simd/box"},
	"exact-resting":  {"test", "-timeout", "300s", "-run", "Resting|Follower|FarFeatures", "./core/exact/..."},
	"exact-cube":     {"test", "-timeout", "300s", "-short", "-run", "Cube|Slopes|MotionDistance", "./core/exact/..."},
	"exact-level":    {"test", "-timeout", "300s", "-run", "Level", "./core/exact"},
	"exact-wanted":   {"test", "-timeout", "300s", "-run", "NotWanted", "./core/exact"},
	"in-plane":       {"test", "-timeout", "300s", "-run", "InPlane", "./simd/linear", "./core/exact"},
	"near-needles":   {"test", "-timeout", "300s", "-short", "-run", "Needles", "./core/proximity"},
	"ordered": {"test", "-timeout", "300s", "-short", "-run", "Order", "./core/mesh", "./core/broad",
		"./core/proximity", "./core/step"},
	"divide":      {"test", "-timeout", "300s", "-short", "-run", "Divide|PieceError", "./core/broad"},
	"step-pieces": {"test", "-timeout", "300s", "-short", "-run", "Pieces", "./core/step"},
	"cli-frames":  {"py", "bindings/python/tests/test_cli_frames.py"},
	"view-near": {"py", "bindings/python/tests/test_view_near.py", "-k",
		"neighbors or flaps or counting or sampled"},
	"engine-progress":  {"test", "-timeout", "300s", "-run", "Progress", "./core/engine"},
	"distributed":      {"py", "bindings/python/tests/test_distributed_errors.py"},
	"distributed-bits": {"py", "bindings/python/tests/test_distributed.py", "-k", "one_by_one"},
	"orient":           {"test", "-timeout", "300s", "-short", "-run", "Orient", "./core/broad", "./core/step"},
	"step-limit":       {"test", "-timeout", "300s", "-short", "-run", "MemoryLimitIsKept", "./core/step"},
	"step-first":       {"test", "-timeout", "300s", "-run", "FirstBound", "./core/step"},
	"hierarchy":        {"test", "-short", "-run", "Hierarch|Order|Incidence|Rows|Ignored", "./core/broad/..."},
	"broad-few":        {"test", "-timeout", "300s", "-short", "-run", "Few", "./core/broad"},
	"broad-sorted":     {"test", "-timeout", "300s", "-run", "Sorted", "./core/broad"},
	"broad-homes":      {"test", "-timeout", "300s", "-run", "GridHomes", "./core/broad"},
	"near-border":      {"test", "-timeout", "300s", "-run", "NearBorder", "./core/proximity"},
	"engine-team":      {"test", "-timeout", "60s", "-run", "Phases|Helpers", "./core/engine"},
	"broad-axis":       {"test", "-timeout", "300s", "-run", "SweepAxis|CellWidths", "./core/broad"},
	"broad-excerpt":    {"test", "-timeout", "300s", "-run", "Excerpt", "./core/broad"},
	"step-ties":        {"test", "-timeout", "300s", "-run", "Ties", "./core/step"},
	"exact-separate":   {"test", "-timeout", "300s", "-run", "Separation|Law", "./core/exact/..."},
	"exact-motion":     {"test", "-timeout", "300s", "-short", "-run", "Motion", "./core/exact/..."},
	"motion":           {"test", "-timeout", "300s", "-short", "./core/motion"},
	"curved":           {"test", "-timeout", "300s", "-short", "-run", "Curved", "./simd/curve"},
	"step-motion":      {"test", "-timeout", "300s", "-short", "-run", "Motion|Midlines|Parts", "./core/step"},
	"narrow-motion":    {"test", "-timeout", "300s", "-short", "-run", "Motion", "./core/narrow"},
	"exact-euclid":     {"test", "-timeout", "300s", "-short", "-run", "Euclidean|Parabola", "./core/exact/..."},
	"narrow":           {"test", "-timeout", "300s", "-short", "./core/narrow"},
	"narrow-laws":      {"test", "-timeout", "300s", "-run", "Law", "./core/narrow"},
	"contact":          {"test", "-timeout", "300s", "-run", "Law9|Placed|Part|Middle", "./core/narrow"},
	"contact-exact":    {"test", "-timeout", "300s", "-run", "Law9", "./core/exact"},
	"contact-step":     {"test", "-timeout", "300s", "-run", "Law9|ActiveSet", "./core/step"},
	"inclusion":        {"test", "-timeout", "300s", "./core/inclusion"},
	"bvh":              {"test", "-timeout", "300s", "./core/bvh"},
	"rigid":            {"test", "-timeout", "300s", "-short", "./core/rigid"},
	"d2m":              {"test", "-timeout", "300s", "-short", "./core/reference/d2m"},
	"patch":            {"test", "-timeout", "300s", "-short", "./core/patch"},
	"boxed":            {"test", "-timeout", "300s", "-short", "./core/reference/boxed"},
	"patch-fine":       {"test", "-timeout", "300s", "-run", "Fine", "./core/patch"},
	"patch-law8":       {"test", "-timeout", "300s", "-run", "PatchLaw8", "./core/ccdtest"},
	"rigid-overlap":    {"test", "-timeout", "300s", "-run", "Overlap", "./core/rigid"},
	"patch-contact":    {"test", "-timeout", "300s", "-run", "PatchLaw9", "./core/ccdtest"},
	"gradient":         {"test", "-timeout", "300s", "-short", "./core/gradient"},
	"step-gradient":    {"test", "-timeout", "300s", "-run", "Gradient", "./core/step"},
	"broad-region":     {"test", "-timeout", "300s", "-short", "-run", "Region|FewIs", "./core/broad"},
	"step-region":      {"test", "-timeout", "300s", "-short", "-run", "Region", "./core/step"},
	"near-region":      {"test", "-timeout", "300s", "-run", "Region", "./core/proximity"},
	"step-gather":      {"test", "-timeout", "300s", "-run", "TestGather", "./core/step"},
	"step":             {"test", "-timeout", "300s", "./core/step"},
	"step-rows":        {"test", "-timeout", "300s", "-short", "-run", "ContactRows|Colors", "./core/step"},
	"constraint":       {"test", "-timeout", "300s", "./core/constraint"},
	"exact-cross":      {"test", "-timeout", "300s", "-run", "Crossing", "./core/exact"},
	"step-start":       {"test", "-timeout", "300s", "-short", "-run", "Law1[01]|StartCheck", "./core/step"},
	"proximity":        {"test", "-timeout", "300s", "./core/proximity"},
	"near-memory":      {"test", "-timeout", "300s", "-run", "ResultsReuse|NearPairs", "./core/proximity", "./capi"},
	"volccd":           {"test", "-timeout", "300s", "-short", "./core/reference/volccd"},
	"volume":           {"test", "-timeout", "300s", "-short", "./core/volume"},
	"gpu":              {"test", "-timeout", "300s", "-short", "./gpu"},
	"gpu-driver":       {"test", "-timeout", "300s", "-short", "-run", "Law4EveryOpenCL", "./gpu"},
	"scene":            {"test", "-timeout", "300s", "./core/scene"},
	"neighbors":        {"test", "-timeout", "300s", "./core/neighbors"},
	"step-device":      {"test", "-timeout", "300s", "-short", "-run", "Device", "./core/step"},
	"intervals": {"test", "-timeout", "300s", "-short", "-run", "Interval|LeastDistance", "./core/exact/...",
		"./core/narrow", "./core/step"},
	"least-distance": {"test", "-timeout", "300s", "-run", "LeastDistance|BoxesOver", "./core/proximity",
		"./core/step"},
	"go-package":    {"test", "-timeout", "300s", "."},
	"js":            {"sh", "packaging/wasm.sh", "interface"},
	"reading":       {"py", "bindings/python/tests/test_reading.py", "-k", "not mutated"},
	"motion-files":  {"py", "bindings/python/tests/test_motion_files.py"},
	"robot-bounds":  {"py", "bindings/python/tests/test_robot_kinematics.py"},
	"robot-certify": {"py", "bindings/python/tests/test_robot_check.py", "-k", "certain or touch"},
	"robot-inside":  {"py", "bindings/python/tests/test_robot_inside.py"},
	"robot-overlap": {"py", "bindings/python/tests/test_robot_overlap.py"},
	"rings":         {"test", "-run", "Rings|AddExcluded", "./core/mesh"},
	"reasons":       {"py", "bindings/python/tests/test_reasons.py"},
	"fields":        {"py", "bindings/python/tests/test_fields.py"},
	"patch-reasons": {"test", "-run", "NamesItsReason", "./core/patch"},
	"engine-stats":  {"test", "-run", "AddTakes", "./core/engine"},
	"robot-turns":   {"py", "bindings/python/tests/test_robot_turns.py"},
	"robot-limits":  {"py", "bindings/python/tests/test_robot_limits.py", "-k", "limits"},
	"robot": {
		"py", "bindings/python/tests/test_robot_check.py", "bindings/python/tests/test_robot_input.py",
		"bindings/python/tests/test_robot_limits.py",
		"bindings/python/tests/test_robot_command.py", "-k",
		"not (bad_robots or bad_files or bad_paths or rounding or limits or certain)",
	},
	"soak": {"run", "./core/ccdtest/soak", "-duration", "20s", "-seed", "1"},
}

var (
	forExact       = []string{"exact", "exact-laws", "soak"}
	forSeparation  = []string{"exact-separate", "soak"}
	forEuclidean   = []string{"exact-euclid"}
	forMotionSteps = []string{"step-motion"}
	forMotions     = []string{"motion", "exact-motion", "narrow-motion"}
	forConstraints = []string{"constraint", "step-rows"}
	forNarrow      = []string{"narrow", "narrow-laws", "soak"}
)

var mutants = slices.Concat(
	ofContacts, ofSteps, ofFrames, ofBodies, ofKernels, ofPackages, ofRobots, ofRegions, ofHierarchy,
)
