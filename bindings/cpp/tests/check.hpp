// check.hpp - what the C++ tests share.
#ifndef CHECK_HPP
#define CHECK_HPP

#include <ccd/ccd.hpp>

#include <cstdio>
#include <cstring>
#include <string>

inline int failures = 0;

#define CHECK(condition)                                                                                                   \
    do {                                                                                                                   \
        if (!(condition)) {                                                                                                \
            failures++;                                                                                                    \
            std::fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, #condition);                                           \
        }                                                                                                                  \
    } while (0)

/// The expression throws ccd::Error with the status, and the words are in its text.
#define THROWS(expression, wanted, words)                                                                                  \
    do {                                                                                                                   \
        try {                                                                                                              \
            (void)(expression);                                                                                            \
            failures++;                                                                                                    \
            std::fprintf(stderr, "%s:%d: %s does not throw\n", __FILE__, __LINE__, #expression);                           \
        } catch (const ccd::Error &e) {                                                                                    \
            if (e.status() != (wanted) || std::string(e.what()).find(words) == std::string::npos) {                        \
                failures++;                                                                                                \
                std::fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, e.what());                                         \
            }                                                                                                              \
        }                                                                                                                  \
    } while (0)

template <class T> bool same_bits(const T &a, const T &b) { return std::memcmp(&a, &b, sizeof a) == 0; }

/// A file in the working folder that no other build of the same test uses: they may run at once.
inline std::string scratch_file(const std::string &name) {
    return std::to_string(__cplusplus) + "_" + std::to_string(CCD_HAS_EIGEN) + "_" + name;
}

#endif // CHECK_HPP
