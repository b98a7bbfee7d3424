#include "kernels/random/hypergeometric_one.hh"

#include "kernels/random/hypergeometric.cuh"

namespace crx {

std::int64_t hypergeometric_one(std::int64_t population, std::int64_t marked, std::int64_t draws,
                                BufferedWords& words)
{
    return hypergeometric(population, marked, draws, words);
}

} // namespace crx
