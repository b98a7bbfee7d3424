#pragma once

#include <cstdint>
#include <cstdlib>
#include <string>

namespace crx_test {

/// Seed of the statistical and random tests: pinned, or CRX_TEST_SEED of the environment.
inline std::uint64_t test_seed()
{
    char const* const given = std::getenv("CRX_TEST_SEED");
    return given ? std::stoull(given) : 20240611u;
}

} // namespace crx_test
