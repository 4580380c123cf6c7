// proof.h - proofs about the first time at which the distance of a query is at most d.
#pragma once

#include <string>

#include "exact.h"

namespace judge {

enum class Proof {
    yes, ///< proven
    no,  ///< the opposite is proven
    open ///< neither
};

/// Work of a proof, for the report.
struct Effort {
    long nodes = 0, deepest = 0, lipschitz = 0, sturm = 0;
};

/// The distance exceeds d at all t with a < t < b. a and b themselves are not looked at.
Proof clear_between(const Motion &motion, double a, double b, Effort &effort);

/// The distance is at most d at some t with a < t < b.
Proof contact_between(const Motion &motion, double a, double b, Effort &effort);

/// The same in the max norm. contact_max_norm does not prove grazing contact between two doubles.
int compare_max_norm(const Polygon &p);
Proof clear_max_norm(const Motion &motion, double a, double b, Effort &effort);
Proof contact_max_norm(const Motion &motion, double a, double b, Effort &effort);

/// What is to be known of a norm.
struct Norm {
    int number; ///< ccd_norm
    int (*compare)(const Polygon &p);
    Proof (*clear)(const Motion &motion, double a, double b, Effort &effort);
    Proof (*contact)(const Motion &motion, double a, double b, Effort &effort);
};
inline const Norm euclidean{CCD_NORM_EUCLIDEAN, compare_distance, clear_between, contact_between};
inline const Norm max_norm{CCD_NORM_MAX, compare_max_norm, clear_max_norm, contact_max_norm};

/// The verdict and both ends of time of an answer are right. `why` receives what is wrong or not proven.
Proof times_are_right(const Norm &norm, const Motion &motion, const Query &query, const ccd_impact &answer, Effort &effort,
                      std::string &why);

} // namespace judge
