// merge_local_overlaps.hpp - joins the lists of threads. Scalable CCD's type for them is TBB's: it is here where TBB is.
#ifndef LIBCCD_TOI_COMPAT_SCALABLE_CCD_MERGE_LOCAL_OVERLAPS_HPP
#define LIBCCD_TOI_COMPAT_SCALABLE_CCD_MERGE_LOCAL_OVERLAPS_HPP

#if __has_include(<tbb/enumerable_thread_specific.h>)
#include <tbb/enumerable_thread_specific.h>
#endif

#include <utility>
#include <vector>

namespace scalable_ccd {
inline namespace ccd_toi {

#if __has_include(<tbb/enumerable_thread_specific.h>)
typedef tbb::enumerable_thread_specific<std::vector<std::pair<int, int>>> ThreadSpecificOverlaps;
#endif

/// Makes overlaps the lists of storages, one after the other.
template <class Storages> void merge_local_overlaps(const Storages &storages, std::vector<std::pair<int, int>> &overlaps) {
    overlaps.clear();
    for (const auto &local : storages) {
        overlaps.insert(overlaps.end(), local.begin(), local.end());
    }
}

} // namespace ccd_toi
} // namespace scalable_ccd

#endif // LIBCCD_TOI_COMPAT_SCALABLE_CCD_MERGE_LOCAL_OVERLAPS_HPP
