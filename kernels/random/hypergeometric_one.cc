#include "kernels/random/hypergeometric_one.hh"

#include "kernels/random/hypergeometric.cuh"

namespace crx {

std::int64_t hypergeometric_one(std::int64_t population, std::int64_t marked, std::int64_t draws,
                                BufferedWords& words)
{
    return hypergeometric(population, marked, draws, words);
}

bool hypergeometric_exceeds(std::int64_t population, std::int64_t marked, std::int64_t draws,
                            std::int64_t k, UniformHeight const& height, BufferedWords& words)
{
    return hypergeometric_ratio(population, marked, draws).exceeds(k, height, words);
}

} // namespace crx
