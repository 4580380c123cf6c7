// ccd.hpp - continuous collision detection for C++17: ccd.h with owners, views and exceptions. Header only.
//
//   ccd::Mesh mesh(vertices, edges, faces);                     // edges {} to derive them from the faces
//   ccd::Impact hit = ccd::step::earliest(mesh, x0, x1);
//   if (hit.verdict == CCD_CONTACT) ...                         // every step shorter than hit.toi_lo is safe
//
// Names are those of C: ccd_step_earliest is ccd::step::earliest. ccd.h states what a call guarantees. A status other than
// CCD_OK is thrown as ccd::Error. Arrays are borrowed for a call: pass any contiguous container, or an Eigen
// matrix where Eigen is on the include path (CCD_NO_EIGEN turns that off). Arrays of another layout are copied. No exception
// crosses the library: one that a progress function throws cancels the call and is rethrown after it.
#ifndef LIBCCD_TOI_CCD_HPP
#define LIBCCD_TOI_CCD_HPP

#include <ccd/broad.hpp>
#include <ccd/closed.hpp>
#include <ccd/file.hpp>
#include <ccd/jacobian.hpp>
#include <ccd/mesh.hpp>
#include <ccd/motion.hpp>
#include <ccd/neighbors.hpp>
#include <ccd/overlap.hpp>
#include <ccd/pair.hpp>
#include <ccd/patch.hpp>
#include <ccd/proximity.hpp>
#include <ccd/remarks.hpp>
#include <ccd/rigid.hpp>
#include <ccd/robot.hpp>
#include <ccd/scene.hpp>
#include <ccd/spline.hpp>
#include <ccd/urdf.hpp>
#include <ccd/step.hpp>
#include <ccd/volume.hpp>
#include <ccd/common.hpp>

#endif // LIBCCD_TOI_CCD_HPP
