// calls_ours.cpp - the calls with our headers.
#include <CTCD.h>
#include <ccd.hpp>
#include <scalable_ccd/broad_phase/sort_and_sweep.hpp>
#include <tight_inclusion/ccd.hpp>
#include <tight_inclusion/inclusion_ccd.hpp>
#include <tight_inclusion/timer.hpp>

#include "calls.hpp"

Answers calls_ours() {
#include "calls.inc"
}
