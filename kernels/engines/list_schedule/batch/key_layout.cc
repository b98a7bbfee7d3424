#include "kernels/engines/list_schedule/batch/key_layout.cuh"

#include <bit>

namespace crx::mc_sf_batch {
namespace {

constexpr std::int64_t most_requests = 256;
constexpr int key_bits = 15;

std::int32_t least_prompt(WorkloadView const& w)
{
    return w.prompt_kind == PromptKind::constant ? w.prompt_constant : w.prompt_value.front();
}
std::int32_t most_prompt(WorkloadView const& w)
{
    return w.prompt_kind == PromptKind::constant ? w.prompt_constant : w.prompt_value.back();
}

int bits_for(std::int64_t most)
{
    return static_cast<int>(std::bit_width(static_cast<std::uint64_t>(most)));
}

} // namespace

std::optional<KeyLayout> layout_serving(WorkloadView const& w)
{
    if (w.output_kind != OutputKind::table || w.prompt_kind == PromptKind::trace ||
        w.arrival_kind != ArrivalKind::at_zero || w.clock.affine() || w.requests < 1 ||
        w.requests > most_requests || w.memory < 1 || w.memory > most_rounds)
        return std::nullopt;
    std::int64_t const output = w.output_value.back(), prompt = most_prompt(w);
    if (w.requests * output > most_rounds || prompt + output > w.memory) return std::nullopt;
    KeyLayout layout{w.output_value.front(), least_prompt(w)};
    if (auto const range = prompt - layout.least_prompt; range > 0) {
        layout.number_shift = bits_for(range);
        layout.output_shift = layout.number_shift + bits_for(w.requests - 1);
    }
    if (layout.output_shift + bits_for(output - layout.least_output) > key_bits)
        return std::nullopt;
    return layout;
}

bool bounds_volume(WorkloadView const& w)
{
    std::int64_t const o = w.output_value.back();
    auto const volume = most_prompt(w) * o + o * (o + 1) / 2;
    return volume <= most_volume && w.requests * volume <= most_volume_sum;
}

} // namespace crx::mc_sf_batch
