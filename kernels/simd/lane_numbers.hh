#pragma once

// Whole numbers of many instances in lanes: floats where they fit, else doubles. CPU only, as
// lane_floats.hh says.

#include "kernels/simd/lane_doubles.hh"
#include "kernels/simd/lane_floats.hh"
