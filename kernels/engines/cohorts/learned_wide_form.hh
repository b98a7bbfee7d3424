#pragma once

#include "kernels/engines/cohorts/learned_wide_engine.hh"
#include "kernels/engines/cohorts/learned_wide_forms.hh"

// CPU only: included by learned_wide_avx512.cc and learned_wide_avx2.cc, which say by a pragma what
// it is compiled for, after they included all that other sources use too: functions of those must
// be compiled for any processor, as the linker keeps one of each.

namespace crx {
namespace {

template <Outlived outlived>
Outcome execute_wide(WorkloadView const& w, Composition const& composition, std::uint32_t stream,
                     std::uint64_t instance, Arena& arena, ScheduleLog const& log)
{
    return LearnedWideEngine<outlived>(w, composition, stream, instance, arena).execute(log);
}

Outcome execute_form(PolicyKind kind, WorkloadView const& w, std::int64_t const* counts,
                     std::uint64_t instance, Arena& arena, ScheduleLog const& log)
{
    auto const composition = take_composition(arena, w, counts);
    auto const stream = stream_policy + static_cast<std::uint32_t>(kind);
    auto outcome =
        kind == PolicyKind::a_min
            ? execute_wide<Outlived::counted>(w, composition, stream, instance, arena, log)
            : execute_wide<Outlived::weightless>(w, composition, stream, instance, arena, log);
    outcome.first_token_latency = outcome.total_latency; // o - 1 rounds before the completion
    for (std::size_t k = 0; k < w.output_value.size(); ++k)
        outcome.first_token_latency -= counts[k] * (w.output_value[k] - 1);
    return outcome;
}

std::size_t form_bytes(WorkloadView const& w)
{
    Arena counter(nullptr, 0);
    auto const composition = take_composition(counter, w, nullptr);
    LearnedWideEngine<Outlived::counted>(w, composition, 0, 0, counter);
    return counter.bytes_used();
}

static_assert(RoomWindow::most_memory == learned_wide_most_memory);

} // namespace
} // namespace crx
