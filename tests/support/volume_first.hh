#pragma once

#include "kernels/policies/traits.cuh"

namespace crx_test {

/// A policy of tests alone, with rank keys of up to 63 bits: the least volume first. The volume is
/// what a request holds over all its rounds.
struct VolumeFirst : crx::PolicyDefaults
{
    static constexpr crx::PolicyKind kind{255};
    static constexpr char const* id = "volume-first";
    static constexpr char const* summary = "least volume first, in tests";
    CRX_HD std::int64_t rank_key(crx::RequestView const& r) const
    {
        auto const o = std::int64_t{r.output};
        return r.prompt * o + o * (o + 1) / 2;
    }
    CRX_HD std::int32_t first_length(crx::RequestView const& r) const { return r.output; }
};
static_assert(crx::Policy<VolumeFirst>);

} // namespace crx_test
