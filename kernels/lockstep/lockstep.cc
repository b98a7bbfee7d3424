#include "kernels/lockstep/lockstep.hh"

#include "kernels/base/vector_clones.hh"
#include "kernels/lockstep/lane_volume.hh"
#include "kernels/random/lane_words.hh"

#include <bit>

namespace crx::lockstep {
namespace {

static_assert(lanes == word_lanes);

constexpr std::int64_t most_requests = 256;
constexpr int key_bits = 15;
constexpr int batch = 16; ///< words of each instance that are made at a time

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

KeyLayout layout_of(WorkloadView const& w)
{
    KeyLayout layout;
    layout.least_output = w.output_value.front();
    layout.least_prompt = least_prompt(w);
    if (auto const range = most_prompt(w) - least_prompt(w); range > 0) {
        layout.number_shift = bits_for(range);
        layout.output_shift = layout.number_shift + bits_for(w.requests - 1);
    }
    return layout;
}

bool fits(WorkloadView const& w)
{
    if (w.output_kind != OutputKind::table || w.prompt_kind == PromptKind::trace ||
        w.arrival_kind != ArrivalKind::at_zero || w.clock.affine() || w.requests < 1 ||
        w.requests > most_requests || w.memory < 1 || w.memory > most_rounds)
        return false;
    std::int64_t const output = w.output_value.back(), prompt = most_prompt(w);
    return w.requests * output <= most_rounds && prompt + output <= w.memory &&
           layout_of(w).output_shift + bits_for(output - w.output_value.front()) <= key_bits;
}

CRX_VECTOR_CLONES void join(std::int32_t const* output, std::int32_t const* prompt, int count,
                            int first, KeyLayout const& layout, Row* keys)
{
    auto const numbered = layout.output_shift > 0;
    auto* to = reinterpret_cast<std::int16_t*>(keys + first);
    for (int k = 0; k < count; ++k, to += lanes, output += lanes, prompt += lanes) {
        auto const number = numbered ? (first + k) << layout.number_shift : 0;
        for (int lane = 0; lane < lanes; ++lane)
            to[lane] = static_cast<std::int16_t>((output[lane] - layout.least_output)
                                                     << layout.output_shift |
                                                 number | (prompt[lane] - layout.least_prompt));
    }
}

} // namespace

std::unique_ptr<Lockstep const> Lockstep::serving(WorkloadView const& workload)
{
    if (!fits(workload)) return nullptr;
    return std::unique_ptr<Lockstep const>(new Lockstep(workload));
}

Lockstep::Lockstep(WorkloadView const& w)
    : workload_(w), output_law_(TableLaw{w.output_value, w.output_threshold}),
      prompt_law_(TableLaw{w.prompt_value, w.prompt_threshold}),
      network_(static_cast<int>(w.requests)), layout_(layout_of(w))
{
    std::int64_t const o = w.output_value.back();
    auto const volume = most_prompt(w) * o + o * (o + 1) / 2;
    bounds_volume_ = volume <= most_volume && w.requests * volume <= most_volume_sum;
}

void Lockstep::draw_keys(std::uint64_t instance, Row* keys) const
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
        join(output, prompt, count, i, layout_, keys);
    }
}

LockstepGroup::LockstepGroup(Lockstep const& lockstep, bool with_volume)
    : lockstep_(lockstep), with_volume_(with_volume && lockstep.bounds_volume_),
      keys_(static_cast<std::size_t>(lockstep.workload_.requests)),
      scratch_(with_volume_ ? keys_.size() : 0)
{
}

void LockstepGroup::execute(std::int64_t first)
{
    auto const n = static_cast<int>(keys_.size());
    auto const memory = static_cast<std::int32_t>(lockstep_.workload_.memory);
    first_ = first;
    lockstep_.draw_keys(static_cast<std::uint64_t>(first), keys_.data());
    lockstep_.network_.sort(keys_.data());
    schedule_lanes(keys_.data(), n, lockstep_.layout_, memory, outcomes_);
    if (with_volume_)
        bound_lanes(keys_.data(), n, lockstep_.layout_, memory, lockstep_.network_, scratch_.data(),
                    volume_);
}

Outcome LockstepGroup::shortest_first(std::int64_t instance) const
{
    auto const lane = instance - first_;
    Outcome outcome;
    if (outcomes_.lost[lane] != 0) {
        outcome.finished = 0;
        return outcome;
    }
    outcome.total_latency = outcomes_.total_latency[lane];
    outcome.makespan = outcomes_.makespan[lane];
    outcome.peak_memory = outcomes_.peak_memory[lane];
    outcome.events = outcomes_.events[lane];
    outcome.first_token_latency = // o - 1 rounds before completion
        outcome.total_latency - outcomes_.output_sum[lane] + lockstep_.workload_.requests;
    return outcome;
}

} // namespace crx::lockstep
