#include "kernels/random/hypergeometric_ahead.hh"

#include "kernels/random/hypergeometric_ahead_cases.hh"

namespace crx {

std::int64_t CRX_SIMD_LEVEL::draw_ahead(std::int64_t population, std::int64_t marked,
                                        std::int64_t draws, WordsAhead& words)
{
    return hypergeometric_ahead(population, marked, draws, words);
}

} // namespace crx
