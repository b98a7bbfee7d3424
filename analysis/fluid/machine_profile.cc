#include "analysis/fluid/machine_profile.hh"

#include "kernels/base/host_device.cuh"
#include "kernels/base/integers.cuh"

namespace crx {

namespace {

/// amount / rate seconds in nanoseconds times `scale`, to the nearest.
std::int64_t nanoseconds(std::int64_t amount, std::int64_t rate, std::int64_t scale)
{
    auto const product =
        static_cast<Unsigned128>(amount) * 1'000'000'000 * static_cast<Unsigned128>(scale);
    auto const divisor = static_cast<Unsigned128>(rate);
    return static_cast<std::int64_t>((product + divisor / 2) / divisor);
}

} // namespace

MachineProfile derive_profile(std::string_view id, std::string_view meaning,
                              Transformer const& model, Accelerator const& gpu, int gpus)
{
    CRX_EXPECT(model.layers > 0 && model.heads > 0 && model.hidden % model.heads == 0);
    CRX_EXPECT(gpu.bytes_per_second > 0 && gpu.operations_per_second > 0 && gpus > 0);
    auto const bytes = gpus * gpu.bytes_per_second;
    auto const operations = gpus * gpu.operations_per_second;
    constexpr std::int64_t fixed_point = 1 << 16;
    return {id, meaning, nanoseconds(2 * model.parameters(), bytes, 1),
            nanoseconds(model.token_bytes(), bytes, fixed_point),
            nanoseconds(2 * model.layer_parameters(), operations, fixed_point)};
}

std::array<MachineProfile, 2> const& machine_profiles()
{
    static std::array<MachineProfile, 2> const profiles{
        derive_profile("llama2-70b-2xa100", "Llama 2 70B, 16 bits, on two A100 80GB", llama2_70b,
                       a100_80gb, 2),
        derive_profile("llama2-7b-a100", "Llama 2 7B, 16 bits, on one A100 80GB", llama2_7b,
                       a100_80gb, 1),
    };
    return profiles;
}

MachineProfile const* machine_profile_named(std::string_view id)
{
    for (auto const& profile : machine_profiles())
        if (profile.id == id) return &profile;
    return nullptr;
}

} // namespace crx
