#pragma once

// Whole numbers of many instances in lanes: floats where they fit, else doubles. CPU only, as
// lane_floats.hh says.

#include "kernels/base/lane_doubles.hh"
#include "kernels/base/lane_floats.hh"
