#pragma once

#include "kernels/backends/cpu/single.hh"

namespace crx {

/// execute_single of requests in arrays of the caller's, which are only read.
SingleRun execute_single(PolicySpec const& spec, Requests const& requests, std::uint64_t seed,
                         std::int64_t number);

} // namespace crx
