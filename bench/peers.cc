#include "bench/peers.hh"

#include "bench/round_loop_min.hh"

#include <algorithm>
#include <numeric>

// One body, compiled for each level of x86-64, everything it calls included.
#if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__)
#define ROUND_LOOP_CLONES                                                                          \
    __attribute__((target_clones("default", "arch=x86-64-v3", "arch=x86-64-v4"), flatten))
#else
#define ROUND_LOOP_CLONES
#endif

namespace round_loop {
namespace {

template <Check check>
inline std::int64_t run_rule(Rule rule, Instance const& in)
{
    Simulator<check> loop(in);
    if (rule == Rule::true_lengths) return loop.true_lengths();
    return rule == Rule::upper_lengths ? loop.upper_lengths() : loop.promote_lower();
}

template <Check check>
inline std::int64_t run_rule(Rule rule, Varied const& in)
{
    return rule == Rule::learn ? MinLength<check>(in, 1).run().total : shortest_first<check>(in);
}

ROUND_LOOP_CLONES std::int64_t early_exit(Rule rule, Instance const& in)
{
    return run_rule<Check::early_exit>(rule, in);
}
ROUND_LOOP_CLONES std::int64_t branch_free(Rule rule, Instance const& in)
{
    return run_rule<Check::branch_free>(rule, in);
}
ROUND_LOOP_CLONES std::int64_t early_exit_varied(Rule rule, Varied const& in)
{
    return run_rule<Check::early_exit>(rule, in);
}
ROUND_LOOP_CLONES std::int64_t branch_free_varied(Rule rule, Varied const& in)
{
    return run_rule<Check::branch_free>(rule, in);
}

/// All requests with the common interval's lower end.
Varied as_varied(Instance const& in)
{
    auto const n = in.output.size();
    return {std::vector<std::int32_t>(n, in.prompt), in.output,
            std::vector<std::int32_t>(n, in.lower), in.memory};
}

} // namespace

std::int64_t total_latency(Rule rule, Check check, Instance const& in)
{
    if (rule == Rule::learn) return total_latency(rule, check, as_varied(in));
    return check == Check::early_exit ? early_exit(rule, in) : branch_free(rule, in);
}

std::int64_t total_latency(Rule rule, Check check, Varied const& in)
{
    return check == Check::early_exit ? early_exit_varied(rule, in) : branch_free_varied(rule, in);
}

std::int64_t many_small(Check check, std::int64_t n, std::int32_t memory, std::int64_t count,
                        std::uint64_t seed)
{
    std::mt19937_64 rng(seed);
    std::uniform_int_distribution<std::int32_t> prompt(1, 5), output(1, memory - 5);
    auto const size = static_cast<std::size_t>(n);
    Varied in{std::vector<std::int32_t>(size), std::vector<std::int32_t>(size), {}, memory};
    std::vector<std::pair<std::int32_t, std::int32_t>> requests(size); // (output, prompt)
    std::int64_t total = 0;
    for (; count > 0; --count) {
        for (auto& r : requests) r = {output(rng), prompt(rng)};
        std::ranges::sort(requests);
        for (std::size_t i = 0; i < size; ++i) {
            in.output[i] = requests[i].first;
            in.prompt[i] = requests[i].second;
        }
        total += total_latency(Rule::true_lengths, check, in);
    }
    return total;
}

char const* instruction_set()
{
#if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__)
    __builtin_cpu_init();
    if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512vl") &&
        __builtin_cpu_supports("avx512bw"))
        return "x86-64-v4";
    if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("bmi2")) return "x86-64-v3";
#endif
    return "base";
}

} // namespace round_loop
