// calls_theirs.cpp - the same with the headers of the others.
#include <upstream.hpp>

#include "calls.hpp"

Answers calls_theirs() {
#include "calls.inc"
}
