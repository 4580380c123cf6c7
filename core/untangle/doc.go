// Package untangle lists which objects of a mesh cross at given positions, and how deep, and finds
// positions nearby at which nothing crosses.
//
// An object is a connected component. Crossings groups the intersections of package proximity,
// which are exact, by pairs of objects. Untangle is a helper, not a proof: it moves vertices so
// that crossings shrink, and says that it failed where some remain. What it calls clean was tested
// by the exact check of the start.
//
//   - crossings.go: the pairs by objects, and the depth of a crossing.
//   - untangle.go: the loop, its result, masses and what is fixed.
//   - local.go: moves of an edge and a face that cross, along the contour's gradient [Volino2006].
//   - objects.go: translations of whole objects, by package penetration.
package untangle
