#pragma once

// What upper_lanes_of.hh is made of that other sources use too: to be included before a pragma says
// what the rest is compiled for, as the linker keeps one of each.

#include "kernels/engines/cohorts/lottery/counted_line.hh"
#include "kernels/laws/workload.cuh"
#include "kernels/model/outcome.cuh"
#include "kernels/policies/policy_kind.cuh"
#include "kernels/random/hypergeometric.cuh"
#include "kernels/random/hypergeometric_one.hh"

#include <algorithm>
#include <cstring>
#include <immintrin.h>
#include <type_traits>
#include <vector>
