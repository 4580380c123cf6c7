// scenes.h - queries from the frames of the data folder.
#pragma once

#include <string>

#include "report.h"

namespace judge {

/// Judge about `queries` candidate pairs of the scenes and of the hand-made queries, spread evenly. `only` names one scene, or is empty.
void run_scenes(const std::string &data, const std::string &only, long queries, Tally &total);

/// Compare whole steps with single pairs, and with all pairs of some primitives, found without the library's broad phase.
void run_steps(const std::string &data, const std::string &only, long queries, Tally &total);

} // namespace judge
