// remarks.hpp - what readers of files leave out, find beside the geometry, and remark. Part of ccd.hpp.
#ifndef LIBCCD_TOI_REMARKS_HPP
#define LIBCCD_TOI_REMARKS_HPP

#include <ccd/common.hpp>

namespace ccd {

/// How many things of a kind a reader left out.
struct LeftOut {
    std::string what;  ///< a plural, as "faces given twice"
    std::size_t count; ///< their number
};

/// Data at the points of a file, as a displacement.
struct Field {
    std::string name;           ///< name in the file
    std::size_t components;     ///< numbers of each vertex
    std::vector<double> values; ///< packed rows of these; some may be NaN or infinite
};

/// What a reader found or did beside vertices and elements.
struct Remarks {
    std::vector<LeftOut> left_out;  ///< what was left out
    std::vector<Field> fields;      ///< data at the points
    std::vector<std::string> notes; ///< other remarks, sentences
};

namespace detail {

/// The text that `call(text, cap, length)` copies.
template <class Call> std::string text_of(Call call) {
    std::string text(256, '\0');
    std::size_t length = 0;
    check(call(&text[0], text.size(), &length));
    if (length >= text.size()) {
        text.resize(length + 1);
        check(call(&text[0], text.size(), &length));
    }
    text.resize(length);
    return text;
}

/// The remarks behind a handle, by the C functions of its type.
template <class Handle, class Numbers, class Left, class Note, class Named, class Values>
Remarks remarks_of(Handle *handle, std::size_t vertices, Numbers numbers, Left left, Note note, Named named,
                   Values values) {
    Remarks out;
    std::size_t kinds = 0, fields = 0, notes = 0;
    check(numbers(handle, &kinds, &fields, &notes));
    for (std::size_t i = 0; i < kinds; i++) {
        std::size_t count = 0;
        std::string what = text_of(
            [&](char *text, std::size_t cap, std::size_t *length) { return left(handle, i, text, cap, length, &count); });
        out.left_out.push_back({what, count});
    }
    for (std::size_t i = 0; i < fields; i++) {
        std::size_t components = 0;
        std::string name = text_of([&](char *text, std::size_t cap, std::size_t *length) {
            return named(handle, i, text, cap, length, &components);
        });
        Field field{name, components, std::vector<double>(vertices * components)};
        check(values(handle, i, field.values.data()));
        out.fields.push_back(std::move(field));
    }
    for (std::size_t i = 0; i < notes; i++) {
        out.notes.push_back(
            text_of([&](char *text, std::size_t cap, std::size_t *length) { return note(handle, i, text, cap, length); }));
    }
    return out;
}

} // namespace detail

/// Find the vertices that are copies of an earlier one, as ccd_points_weld.
/// @param x       vertices
/// @param bits    no coordinate of a copy differs by more than 2^bits - 1 units in the last place of the largest; at most 48
/// @param places  receives the number of each vertex's place
/// @return        the number of places
/// @throws Error  CCD_E_ARGUMENT, CCD_E_NONFINITE
inline std::size_t weld(const Points &x, int bits, std::vector<std::int32_t> &places) {
    std::size_t count = 0;
    places.resize(x.rows("x"));
    detail::check(ccd_points_weld(x.data(), x.rows("x"), bits, places.data(), &count));
    return count;
}

/// Cut polygons into triangles, as ccd_polygons_cut.
/// @param x          vertices
/// @param corners    the vertices of one polygon after the other
/// @param sizes      the number of corners of each polygon
/// @param triangles  receives the vertices of one triangle after the other
/// @return           the number of polygons that cross themselves
/// @throws Error     CCD_E_ARGUMENT, CCD_E_NONFINITE, CCD_E_INDEX
inline std::size_t cut_polygons(const Points &x, const std::vector<std::int32_t> &corners,
                                const std::vector<std::int32_t> &sizes, std::vector<std::int32_t> &triangles) {
    std::size_t crossed = 0;
    triangles.resize(corners.size() > 2 * sizes.size() ? 3 * (corners.size() - 2 * sizes.size()) : 0);
    detail::check(ccd_polygons_cut(x.data(), x.rows("x"), corners.data(), corners.size(), sizes.data(), sizes.size(),
                                   triangles.data(), &crossed));
    return crossed;
}

} // namespace ccd

#endif // LIBCCD_TOI_REMARKS_HPP
