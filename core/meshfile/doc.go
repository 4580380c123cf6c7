// Package meshfile reads meshes from files of many formats: surfaces (Read), elements (ReadCells)
// and single queries (ReadQueries). It also does for arrays what it does for files: Clean leaves
// out what mesh.New refuses, Weld joins vertices that are copies of others, and Cut cuts polygons
// into triangles.
//
//	read.go, load.go                  Read; the readers are obj.go, off.go, ply*.go, stl.go
//	cells.go                          ReadCells; the readers are medit.go, msh.go, vtk.go and
//	                                  vtu*.go
//	beside.go, foreign.go             what readers leave out, and data at points; formats not read
//	clean.go, cells_clean.go          Clean: what readers leave out, for arrays and for elements
//	polygon.go, orient.go             Cut: polygons become triangles, with exact signs
//	vtp.go                            polygonal data of VTK's XML
//	curved.go                         cells of order 2 and polyhedra: their flat faces
//	sides.go, outward.go              sides of solids, which go around outward by exact signs
//	nodal.go                          faces of any order by their nodes, for patches
//	mshdata.go, vtkdata.go            data at points of MSH and VTK; vtkcell.go has types of cells
//	weld.go                           Weld: vertices that are copies of others
//	queries.go                        ReadQueries: single queries
//	source.go, text.go, shown.go      packed numbers, lines, and words in error messages
//	load_nonblock.go, load_js.go      how a file is opened; in JavaScript
package meshfile
