// ccd.hpp - continuous collision detection for C++17: ccd.h with owners, views and exceptions. Header only.
//
//   ccd::Mesh mesh(vertices, edges, faces);                     // edges {} to derive them from the faces
//   ccd::Impact hit = ccd::step::earliest(mesh, x0, x1);
//   if (hit.verdict == CCD_CONTACT) ...                         // hit.toi_lo is a safe step whatever the verdict
//
// Names are those of C: ccd_step_earliest is ccd::step::earliest. What a call promises is said in ccd.h, law by law. A status
// that is not CCD_OK is thrown as ccd::Error. Arrays are borrowed for a call: any contiguous container does, and so do Eigen's
// matrices where Eigen is on the include path (CCD_NO_EIGEN turns that off); they are copied only where their layout asks for
// it. No exception crosses into the library: one that a progress function throws cancels the call and is thrown again behind it.
#ifndef LIBCCD_TOI_CCD_HPP
#define LIBCCD_TOI_CCD_HPP

#include <ccd/broad.hpp>
#include <ccd/file.hpp>
#include <ccd/mesh.hpp>
#include <ccd/pair.hpp>
#include <ccd/patch.hpp>
#include <ccd/proximity.hpp>
#include <ccd/rigid.hpp>
#include <ccd/step.hpp>
#include <ccd/volume.hpp>
#include <ccd/words.hpp>

#endif // LIBCCD_TOI_CCD_HPP
