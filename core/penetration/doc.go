// Package penetration computes how deep bodies at poses overlap: the least translation that
// separates them.
//
// Of convex bodies A and B the translations of A after which the two share a point are the set C of
// all differences of a point of B and one of A. The least translation that separates them leads
// from the origin to the nearest point of the border of C. A polytope inside of C, of which all
// corners are differences of corners, is expanded [vandenBergen2001] until its face nearest to the
// origin is one of C. All signs are exact, by integers where floats do not tell: so the polytope is
// convex, it grows with each step, and the search ends.
//
//   - penetration.go: the calls, the result, bodies that are rounded or flat.
//   - minkowski.go: the differences of corners, in floats with a bound and in integers.
//   - polytope.go: the polytope, its first four corners and the steps.
//   - facet.go: the planes of its faces, their distances and the support beyond them.
//   - way.go: translations that are proven to separate.
//   - draft.go: a search in floats, which comes first and mostly is enough.
//   - draft_simplex.go: the point of C that is nearest to the origin.
//   - draft_polytope.go: the polytope of a draft.
//   - draft_proof.go: what proves a draft, in balls of double-doubles.
//   - surfaces.go: bodies that are not convex, moved along several directions.
//   - walks.go: shorter ways out, along the surfaces and from places between.
//   - manifold.go: where the bodies touch at the end of the way out.
//   - slopes.go: the derivatives by the poses.
package penetration
