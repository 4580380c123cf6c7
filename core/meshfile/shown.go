package meshfile

import (
	"fmt"
	"strconv"
	"strings"
)

// vocabulary is every word that the formats define, in lower case, including the headers of formats
// that are not read.
var vocabulary = func() map[string]bool {
	known := make(map[string]bool)
	for _, w := range strings.Fields(`
		ply format ascii binary_little_endian binary_big_endian element property list comment obj_info end_header vertex face edge
		tristrips x y z nx ny nz red green blue alpha vertex_indices vertex_index vertex1 vertex2
		char uchar short ushort int uint float double int8 uint8 int16 uint16 int32 uint32 int64 uint64 float32 float64
		solid facet normal outer loop endloop endfacet endsolid
		off coff noff cnoff stoff stcnoff 4off noff binary
		v f l call csh rat bezier bspline cardinal taylor bmatrix deg cstype u v curve triangle quad
		# vtk datafile dataset unstructured_grid structured_points structured_grid rectilinear_grid polydata field points cells
		cell_types metadata cell_data point_data offsets connectivity types long vtktypeint64 vtkidtype unsigned_char
		unsigned_int unsigned_long bit
		<?xml <vtkfile <vtkfile> vtkfile unstructuredgrid imagedata structuredgrid rectilineargrid vtkmultiblockdataset piece dataarray
		appendeddata littleendian bigendian raw base64 appended vtkzlibdatacompressor vtklz4datacompressor vtklzmadatacompressor
		$meshformat $nodes $elements $physicalnames $entities $partitionedentities $periodic $ghostelements $parametrizations
		$nodedata $elementdata $elementnodedata $interpolationscheme $comments
		meshversionformatted dimension vertices edges triangles quadrilaterals tetrahedra hexahedra hexaedra prisms pentahedra pyramids
		end corners ridges requirededges normals tangents
		gltf pk #vrml iso-10303-21; xof <collada <svg <html> <!doctype {
		nan +nan -nan inf +inf -inf infinity +infinity -infinity`) {
		known[w] = true
	}
	for _, w := range append(objIgnored, objFreeForm...) {
		known[w] = true
	}
	return known
}()

// Shown returns a word of a file for an error message: the word itself where a format defines it,
// else its length. The path may come from a user who may not read the file, so messages must not
// quote its content.
func Shown[T ~string | ~[]byte](w T) string {
	s := string(w)
	switch {
	case len(s) == 0 || vocabulary[strings.ToLower(s)]:
		return strconv.Quote(s)
	case len(s) == 1:
		return "a word of 1 byte"
	}
	return fmt.Sprintf("a word of %d bytes", len(s))
}

// shown is Shown for a file whose format is known: it quotes a number too, since the format expects
// numbers there.
func shown[T ~string | ~[]byte](w T) string {
	if s := string(w); len(s) <= 40 && strings.Trim(s, "+-.,/0123456789eE") == "" &&
		strings.ContainsAny(s, "0123456789") {
		return strconv.Quote(s)
	}
	return Shown(w)
}
