#include "kernels/cohort/learned_wide.hh"

#include "kernels/cohort/execute_cohort.cuh"
#include "kernels/random/buffered_words.hh"

// For processors with AVX-512, as few_active.cc.
#if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__)
#define CRX_LEARNED_WIDE 1
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wuninitialized"
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized" // what GCC's own intrinsics leave undefined
#pragma GCC push_options
#pragma GCC target("avx512f,avx512vl,avx512bw,avx512dq,avx2,fma,bmi,bmi2,lzcnt,popcnt")
#include "kernels/cohort/learned_wide_engine.hh"

namespace crx {
namespace {

template <Outlived outlived>
Outcome execute_wide(WorkloadView const& w, Composition const& composition, std::uint32_t stream,
                     std::uint64_t instance, Arena& arena, ScheduleLog const& log)
{
    return LearnedWideEngine<outlived>(w, composition, stream, instance, arena).execute(log);
}

} // namespace
} // namespace crx
#pragma GCC pop_options
#pragma GCC diagnostic pop
#endif

namespace crx {

bool has_learned_wide(WorkloadView const& w)
{
#ifdef CRX_LEARNED_WIDE
    static bool const answer = __builtin_cpu_supports("avx512f") &&
                               __builtin_cpu_supports("avx512vl") &&
                               __builtin_cpu_supports("avx512bw") &&
                               __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("bmi2");
    return answer && w.memory <= RoomWindow::most_memory && w.interval.upper <= 512 &&
           w.requests < std::int64_t{1} << 31;
#else
    (void)w;
    return false;
#endif
}

std::size_t learned_wide_bytes(WorkloadView const& w)
{
#ifdef CRX_LEARNED_WIDE
    Arena counter(nullptr, 0);
    auto const composition = take_composition(counter, w, nullptr);
    LearnedWideEngine<Outlived::counted>(w, composition, 0, 0, counter);
    return counter.bytes_used();
#else
    (void)w;
    return 0;
#endif
}

Outcome execute_learned_wide(PolicyKind kind, WorkloadView const& w, std::int64_t const* counts,
                             std::uint64_t instance, Arena& arena, ScheduleLog const& log)
{
#ifdef CRX_LEARNED_WIDE
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
#else
    (void)kind, (void)w, (void)counts, (void)instance, (void)arena, (void)log;
    contract_violated("a processor with AVX-512", __FILE__, __LINE__);
#endif
}

} // namespace crx
