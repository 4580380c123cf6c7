// calls.hpp - the same calls, compiled once with our headers and once with those of the others. Each file has a function of its own.
#ifndef CALLS_HPP
#define CALLS_HPP

/// What a program gets from the functions whose headers it includes.
struct Answers {
    double edge_edge, vertex_face, error, old_edge_edge, vertex_vertex, timer;
    bool wrapper;
    unsigned long boxes;
    int overlap;
};

Answers calls_ours();
Answers calls_theirs();

#endif // CALLS_HPP
