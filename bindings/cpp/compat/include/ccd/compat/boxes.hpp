// boxes.hpp - which boxes overlap, for interfaces that hand over boxes instead of a mesh.
#ifndef LIBCCD_TOI_COMPAT_BOXES_HPP
#define LIBCCD_TOI_COMPAT_BOXES_HPP

#include <ccd/ccd.hpp>

#include <algorithm>
#include <cstdint>
#include <vector>

namespace ccd::compat {

/// A set of boxes. A box is what a point sweeps on its way from the least to the greatest corner: so the broad phase of
/// vertices that move in this way compares exactly these boxes, on all cores. A box of two dimensions lies in the plane z = 0.
class Boxes {
public:
    void reserve(std::size_t n) {
        least_.reserve(3 * n);
        greatest_.reserve(3 * n);
    }

    /// Corners are anything with size() and [].
    template <class Corner> void add(const Corner &least, const Corner &greatest) {
        put(least_, least);
        put(greatest_, greatest);
    }

    std::size_t size() const noexcept { return least_.size() / 3; }

    /// All overlapping pairs, sorted; a < b. With a list number for each box, only pairs of different lists. Boxes that touch
    /// overlap. Throws ccd::Error when a corner is not finite or above 1e150 in magnitude.
    std::vector<Pair> overlaps(View<std::int32_t> list = {}) const {
        if (size() < 2) {
            return {};
        }
        Mesh mesh(size(), {}, {});
        mesh.set_groups(list);
        return broad::candidates(mesh, least_, greatest_).pairs(Kind::point_point);
    }

private:
    template <class Corner> static void put(std::vector<double> &to, const Corner &corner) {
        to.push_back(corner[0]);
        to.push_back(corner[1]);
        to.push_back(corner.size() > 2 ? corner[2] : 0);
    }

    std::vector<double> least_, greatest_;
};

/// Calls pair(i, j) for each box i of a and j of b that overlap; box(x) gives the corners of an element.
template <class List, class Call> void overlaps(const List &a, const List &b, Call pair) {
    Boxes boxes;
    boxes.reserve(a.size() + b.size());
    for (const auto *list : {&a, &b}) {
        for (const auto &box : *list) {
            boxes.add(box.min, box.max);
        }
    }
    std::vector<std::int32_t> list(boxes.size(), 0);
    std::fill(list.begin() + static_cast<std::ptrdiff_t>(a.size()), list.end(), 1);
    for (const Pair &p : boxes.overlaps(list)) {
        pair(static_cast<std::size_t>(p[0]), static_cast<std::size_t>(p[1]) - a.size());
    }
}

/// The same for i < j of one list.
template <class List, class Call> void overlaps(const List &a, Call pair) {
    Boxes boxes;
    boxes.reserve(a.size());
    for (const auto &box : a) {
        boxes.add(box.min, box.max);
    }
    for (const Pair &p : boxes.overlaps()) {
        pair(static_cast<std::size_t>(p[0]), static_cast<std::size_t>(p[1]));
    }
}

} // namespace ccd::compat

#endif // LIBCCD_TOI_COMPAT_BOXES_HPP
