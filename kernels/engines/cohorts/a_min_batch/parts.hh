#pragma once

#include "kernels/engines/cohorts/a_min_batch/a_min_batch.hh"
#include "kernels/engines/cohorts/execute_cohort.cuh"
#include "kernels/random/log_factorials.hh"
#include "kernels/random/words_ahead.hh"

#include <array>
#include <bit>
#include <cmath>
#include <cstring>
#include <immintrin.h>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

// What learned_lanes_avx512.cc and learned_lanes_avx2.cc share with other sources: included before
// they say what they are compiled for, as functions of these must run on any processor.
