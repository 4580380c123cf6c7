// sort_and_sweep.hpp - Scalable CCD's broad phase on the CPU ([Belgrod2023]), computed by libccd.
//
// Names, argument order and meaning are the original's: overlaps holds the ids of the elements whose boxes overlap and that share
// no vertex, of two lists (id in boxesA, id in boxesB), of one list the smaller id first. What differs: overlaps is sorted by the
// places of the boxes in their lists, the same for any number of threads; a box whose corners are not finite is thrown as
// ccd::Error. sort_axis is never read. It is set to the axis along which the centers of the boxes vary most, as there.
#ifndef LIBCCD_TOI_COMPAT_SCALABLE_CCD_SORT_AND_SWEEP_HPP
#define LIBCCD_TOI_COMPAT_SCALABLE_CCD_SORT_AND_SWEEP_HPP

#include <ccd/compat/boxes.hpp>
#include <scalable_ccd/broad_phase/aabb.hpp>

#include <algorithm>
#include <utility>
#include <vector>

namespace scalable_ccd {
inline namespace ccd_toi { // scalar.hpp says why

/// Sort the boxes by their least corner along the axis.
inline void sort_along_axis(const int axis, std::vector<AABB> &boxes) {
    std::sort(boxes.begin(), boxes.end(), [axis](const AABB &a, const AABB &b) { return a.min[axis] < b.min[axis]; });
}

namespace detail {

inline bool share_a_vertex(const AABB &a, const AABB &b) {
    return std::any_of(a.vertex_ids.begin(), a.vertex_ids.end(), [&b](long id) {
        return std::find(b.vertex_ids.begin(), b.vertex_ids.end(), id) != b.vertex_ids.end();
    });
}

/// The axis along which the centers vary most, the first of several.
inline int widest_axis(std::initializer_list<const std::vector<AABB> *> lists) {
    ArrayMax3 sum, squares;
    double n = 0;
    for (const std::vector<AABB> *boxes : lists) {
        for (const AABB &box : *boxes) {
            const ArrayMax3 center = (box.min + box.max) / 2;
            if (n == 0) {
                sum = squares = ArrayMax3::Zero(center.size());
            }
            sum += center;
            squares += center.square();
            n++;
        }
    }
    int axis = 0;
    (squares - sum.square() / n).maxCoeff(&axis);
    return axis;
}

} // namespace detail

/// The overlapping pairs of one list.
inline void sort_and_sweep(std::vector<AABB> boxes, int &sort_axis, std::vector<std::pair<int, int>> &overlaps) {
    overlaps.clear();
    if (boxes.empty()) {
        return;
    }
    ccd::compat::overlaps(boxes, [&](std::size_t i, std::size_t j) {
        const AABB &a = boxes[i], &b = boxes[j];
        if (!detail::share_a_vertex(a, b)) {
            overlaps.emplace_back(std::min(a.element_id, b.element_id), std::max(a.element_id, b.element_id));
        }
    });
    sort_axis = detail::widest_axis({&boxes});
}

/// The overlapping pairs of two lists.
inline void sort_and_sweep(std::vector<AABB> boxesA, std::vector<AABB> boxesB, int &sort_axis,
                           std::vector<std::pair<int, int>> &overlaps) {
    overlaps.clear();
    if (boxesA.empty() || boxesB.empty()) {
        return;
    }
    ccd::compat::overlaps(boxesA, boxesB, [&](std::size_t i, std::size_t j) {
        const AABB &a = boxesA[i], &b = boxesB[j];
        if (!detail::share_a_vertex(a, b)) {
            overlaps.emplace_back(a.element_id, b.element_id);
        }
    });
    sort_axis = detail::widest_axis({&boxesA, &boxesB});
}

/// The overlapping pairs of boxes that need not be sorted here. Of two lists in one, the boxes of the first have the ids -id - 1, as
/// there, and only pairs of both lists count.
template <bool is_two_lists>
void sweep(const std::vector<AABB> &boxes, int &sort_axis, std::vector<std::pair<int, int>> &overlaps) {
    if constexpr (!is_two_lists) {
        sort_and_sweep(boxes, sort_axis, overlaps);
    } else {
        std::vector<AABB> first, second;
        for (const AABB &box : boxes) {
            (box.element_id < 0 ? first : second).push_back(box);
        }
        for (AABB &box : first) {
            box.element_id = -box.element_id - 1;
        }
        sort_and_sweep(std::move(first), std::move(second), sort_axis, overlaps);
    }
}

} // namespace ccd_toi
} // namespace scalable_ccd

#endif // LIBCCD_TOI_COMPAT_SCALABLE_CCD_SORT_AND_SWEEP_HPP
