// macros.hpp - names that programs define as macros before they include our headers: one letter, as CTCD's tests do, names in capitals,
// some of windows.h (not near, min and max). What our headers include of others is included first, for it need not bear them. headers.sh includes it.
#include <algorithm>
#include <array>
#include <chrono>
#include <atomic>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <exception>
#include <functional>
#include <initializer_list>
#include <limits>
#include <memory>
#include <numeric>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>
#ifndef CCD_NO_EIGEN
#include <Eigen/Core>
#include <Eigen/Eigenvalues>
#include <Eigen/Geometry>
#include <Eigen/SparseCore>
#include <ipc/broad_phase/broad_phase.hpp>
#include <ipc/ccd/narrow_phase_ccd.hpp>
#if __has_include(<tbb/enumerable_thread_specific.h>)
#include <tbb/enumerable_thread_specific.h>
#endif
#endif

#define A @
#define B @
#define C @
#define D @
#define E @
#define F @
#define G @
#define H @
#define I @
#define J @
#define K @
#define L @
#define M @
#define N @
#define O @
#define P @
#define Q @
#define R @
#define S @
#define T @
#define U @
#define V @
#define W @
#define X @
#define Y @
#define Z @

#define IN @
#define OUT @
#define ERROR @
#define MIN @
#define MAX @
#define EPS @
#define DIM @
#define REAL @
#define PI @
#define TRUE @
#define FALSE @
#define small @
#define interface @
