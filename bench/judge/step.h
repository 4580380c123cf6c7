// step.h - a step of a scene of the data folder.
#pragma once

#include <string>
#include <vector>

#include "report.h"

namespace judge {

struct Scene {
    const char *name, *first, *second;
};
extern const Scene scenes[3];

/// End the program with the library's message unless the call succeeded.
void need(ccd_status status);

/// A step of a scene. The motion may be larger than that of the frames.
class Step {
public:
    std::vector<double> x0, x1;
    std::vector<std::int32_t> faces, edges;
    ccd_mesh *mesh = nullptr;
    double size = 0; ///< size of the box of all vertices at t = 0

    Step(const std::string &folder, const Scene &scene, double motion);
    ~Step() { ccd_mesh_destroy(mesh); }
    Step(const Step &) = delete;
    Step &operator=(const Step &) = delete;

    std::size_t n() const { return x0.size() / 3; }
    /// The vertices of primitive a or b of a pair; returns their number.
    int vertices(int kind, bool b, std::int64_t i, std::int32_t out[3]) const;
    Query query(int kind, std::int64_t a, std::int64_t b, double d) const;
    /// The library's candidates of a kind, as pairs.
    std::vector<std::int64_t> candidates(int kind, const ccd_options &options) const;

private:
    std::vector<double> read(const std::string &path);
};

/// "scene VF d = 0.001 size"
std::string label(const Scene &scene, int kind, double share, double motion);

} // namespace judge
