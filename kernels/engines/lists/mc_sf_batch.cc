#include "kernels/engines/lists/mc_sf_batch.hh"

#include "kernels/engines/lists/short_schedule.cuh"
#include "kernels/random/buffered_words.hh"

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

namespace {

static_assert(lanes == word_lanes);

constexpr int batch = 16; ///< words of each instance that are made at a time

} // namespace

std::unique_ptr<McSfBatchPlan const> McSfBatchPlan::serving(WorkloadView const& workload,
                                                            SimdLevel level)
{
    auto const layout = layout_serving(workload);
    if (!layout || usable_level(level) == SimdLevel::none) return nullptr;
    return std::unique_ptr<McSfBatchPlan const>(new McSfBatchPlan(workload, *layout, level));
}

McSfBatchPlan::McSfBatchPlan(WorkloadView const& w, KeyLayout const& layout, SimdLevel level)
    : workload_(w), output_law_(TableLaw{w.output_value, w.output_threshold}),
      prompt_law_(TableLaw{w.prompt_value, w.prompt_threshold}),
      exchanges_(merge_exchange(static_cast<int>(w.requests))), layout_(layout),
      bounds_volume_(bounds_volume(w)), level_(level)
{
}

void McSfBatchPlan::draw_keys(std::uint64_t instance, Row* keys) const
{
    std::uint64_t words[batch * lanes];
    std::int32_t output[batch * lanes], prompt[batch * lanes];
    auto const n = static_cast<int>(workload_.requests);
    auto const varied = workload_.prompt_kind == PromptKind::table;
    if (!varied) std::fill_n(prompt, batch * lanes, workload_.prompt_constant);
    for (int i = 0; i < n; i += batch) {
        auto const count = std::min(batch, n - i);
        auto const draw = [&](Stream stream, GuidedLaw const& law, std::int32_t* out) {
            philox_lane_words(workload_.seed, stream, instance, static_cast<std::uint64_t>(i / 2),
                              (count + 1) / 2, words);
            law.draw(words, count * lanes, out);
        };
        draw(stream_lengths, output_law_, output);
        if (varied) draw(stream_prompts, prompt_law_, prompt);
        CRX_AT_LEVEL(level_, join_keys)(output, prompt, count, i, layout_, keys);
    }
}

McSfBatch::McSfBatch(McSfBatchPlan const& plan, bool with_volume)
    : plan_(plan), with_volume_(with_volume && plan.bounds_volume_),
      keys_(static_cast<std::size_t>(plan.workload_.requests)),
      scratch_(with_volume_ ? keys_.size() : 0)
{
}

void McSfBatch::execute(std::int64_t first)
{
    auto const memory = static_cast<std::int32_t>(plan_.workload_.memory);
    plan_.draw_keys(static_cast<std::uint64_t>(first), keys_.data());
    auto const level = plan_.level_;
    auto const& exchanges = plan_.exchanges_;
    auto const& layout = plan_.layout_;
    auto* const sort = CRX_AT_LEVEL(level, sort_rows);
    auto* const schedule = CRX_AT_LEVEL(level, schedule_rows);
    auto* const bound = CRX_AT_LEVEL(level, bound_rows);
    sort(exchanges, keys_.data());
    schedule(keys_, layout, memory, outcomes_);
    if (with_volume_) bound(keys_, layout, memory, exchanges, scratch_.data(), volume_);
}

Outcome McSfBatch::shortest_first(std::int64_t k) const
{
    Outcome outcome;
    if (outcomes_.lost.of[k] != 0) {
        outcome.finished = 0;
        return outcome;
    }
    outcome.total_latency = outcomes_.total_latency[k];
    outcome.makespan = outcomes_.makespan.of[k];
    outcome.peak_memory = outcomes_.peak_memory.of[k];
    outcome.events = outcomes_.events.of[k];
    outcome.first_token_latency = // o - 1 rounds before completion
        outcome.total_latency - outcomes_.output_sum.of[k] + plan_.workload_.requests;
    return outcome;
}

} // namespace crx::mc_sf_batch
