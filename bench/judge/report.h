// report.h - judge answers one by one, count, and print a table.
#pragma once

#include <string>

#include "contact.h"
#include "proof.h"

namespace judge {

struct Tally {
    long queries = 0, contacts = 0, starts = 0, exact_times = 0, unproven = 0, wrong = 0, many = 0, coincident = 0;
    double library_seconds = 0, judge_seconds = 0, slowest = 0;
    Effort effort;
    ContactData worst;
    void operator+=(const Tally &other);
};

/// The norm of all queries of this run.
extern const Norm *norm;

/// Judge one answer; print what is wrong with all bits.
void judge(const Query &query, const ccd_impact &answer, const char *family, long index, Tally &tally);

/// Report a fault that is not of a single answer, e.g. two calls that differ.
void fault(const Query &query, const char *family, long index, const std::string &why, Tally &tally);

void print_header();
void print_row(const char *name, const Tally &tally);

/// Options of a query: the exact method, the norm of this run.
ccd_options options_of(const Query &query);
/// The answer of the call for one pair.
ccd_impact single(const Query &query, const ccd_options &options);
/// The answers of the call for many pairs of one kind; q holds their points.
void many(int kind, const double *q, std::size_t n, const ccd_options &options, ccd_impact *out);
/// All bits are equal but the indices'.
bool same(const ccd_impact &a, const ccd_impact &b);

double seconds();

} // namespace judge
