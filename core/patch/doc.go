// Package patch decides queries between moving curved primitives: Bezier curves, triangles and
// tensor-product patches, polynomial or rational, and NURBS surfaces, which become rational
// patches.
//
// A Patch is a form (shape and degrees), control points at both ends of the step, and positive
// weights. A control point moves on the segment between its ends; weights stay. So the patch at a
// time t is the Bezier patch of the control points at t, and lies in their hull: all methods rest
// on this alone. A subpatch, made by halving, has the same nature, because a rational average moves
// linearly too (tree.go).
//
// Solver decides a pair by a search, best first, over pairs of subpatches. Each pair is checked by
// GJK as conservative advancement on the moving hulls. A Scene decides bodies of patches, and a
// body against itself. docs/numerics.md derives the bounds, docs/papers.md names the papers.
//
// What a patch is: form.go, patch.go; body.go (many patches on common control points). Conversions
// that bound their errors: nurbs.go, lagrange.go, hermite.go, average.go. Files of patches:
// read.go, teapot.go, obj.go, json.go, elements.go.
//
// Calls: scene.go (workers, pairs, all impacts), first.go (the earliest impact, and which searches
// wait for others), broad_phase.go and cull.go (candidate pairs), manifold.go and sampler.go
// (samples of a contact region), self.go (a body against itself), impact.go (answers and options),
// other_search.go (a search that the caller hands in).
//
// One query: solver.go, query.go (the pair in the coordinates of local_space.go), search.go,
// cell.go and over_area.go (the search), pair_order.go (the same answer for a pair in either
// order), report.go (the fields of an impact).
//
// Separation of two subpatches: tree.go (halving), checker.go (advancement), simplex.go and
// fine_simplex.go (directions, in doubles and in double-doubles), closest_features.go (where
// Newton's method begins), interval.go, vec.go.
//
// Separation over an area, by quadrics in place of planes: curved.go (when they are tried, and how
// long they separate), quadric.go (a quadric on a subpatch, with its bounds), quadric_fit.go,
// products.go (tables), bend.go and line_bend.go (where to halve), curved_search.go (their part of
// the search).
//
// Contacts: eval.go, domain.go and linear_system.go (derivatives, constraints, small systems),
// contact_finder.go (Newton's method), certifier.go (proofs that contacts exist), excluder.go
// (boxes without a contact before a time), which rests on exclusion_proof.go,
// second_derivatives.go, elimination.go and rational.go.
//
// Trimmed faces: faces.go (bodies with faces and joints), trimming.go (which cells and places
// count), clip.go (tighter hulls at loops), joints.go (what neighbors have in common).
//
// Patches that lie on each other: sheet_proof.go, overlay.go, sheet_parts.go. Patches that share
// points: shared_edge.go (what two patches have in common), adjacency.go and cone.go (proofs that
// they meet nowhere else), self_search.go, self_contact.go.
package patch
