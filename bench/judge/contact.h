// contact.h - the contact data of an answer: laws 3 and 9 of ccd.h, with the bounds of docs/numerics.md.
#pragma once

#include <string>

#include "exact.h"

namespace judge {

/// How far the data are from ideal. Lengths in units of eps = 16 * 2^-53 * S; S, on the axis where it is largest, is the sum of the largest
/// |A|, |B| and |C| of F = A + u B + v C at both ends of the step.
struct ContactData {
    double excess = 0;       ///< (|p_a - p_b| - d) / eps at toi_hi; the bound is 2
    double farther = 0;      ///< (|p_a - p_b| - distance) / eps at toi_hi; the bound is 2
    double slant = 0;        ///< length of what p_a - p_b has across the normal, / eps; the bound is 8
    double point = 0;        ///< error of the point in units of 2^-53 of the largest coordinate of an axis; the bound is 20
    double off_middle = 0;   ///< nearest points are a segment: distance of u, v from its middle, / eps; the bound is 2
    bool many = false;       ///< nearest points are a segment
    bool coincident = false; ///< p_a - p_b is at most 5 eps on each axis: too short for a normal along it
};

/// Check the data of a contact. Returns false, and why, if something breaks a bound. In the max norm the
/// points need not be nearest ones.
bool contact_is_right(const Query &query, const ccd_impact &answer, int norm, ContactData &data, std::string &why);

} // namespace judge
