#pragma once

#include "kernels/cpu/single.hh"

namespace crx {

/// n equal requests (s, o), all at 0: JAILLET Theorem 4.3.
inline OwnedInstance identical(Rounds n, std::int32_t s, std::int32_t o, Tokens memory)
{
    OwnedInstance instance;
    auto const count = static_cast<std::size_t>(n);
    instance.memory = memory;
    instance.arrival.assign(count, 0);
    instance.prompt.assign(count, s);
    instance.output.assign(count, o);
    instance.lower = instance.upper = instance.output;
    return instance;
}

} // namespace crx
