// The request engine beside plain round loops, in one run on one thread: 2,000 requests of traces,
// many small instances, and how its cost grows. Prints ratios; times of one machine mean little
// elsewhere. The loops are compiled for each kind of processor (bench/peers.cc). Arguments: the
// conversation trace and the summarisation trace as CSV (columns num_prefill_tokens,
// num_decode_tokens); without them that part is left out.

#include "bench/peers.hh"
#include "bench/round_loop_min.hh"

#include "analysis/laws/discrete_laws.hh"
#include "host/bench/measure.hh"
#include "host/input/trace.hh"
#include "kernels/cpu/single.hh"
#include "kernels/engines/a_min/a_min_small.hh"
#include "kernels/engines/cell.hh"
#include "kernels/engines/lists/execute_list.hh"
#include "kernels/policies/ladder.cuh"
#include "kernels/policies/min_length.cuh"
#include "kernels/policies/policy_info.hh"
#include "kernels/policies/shortest_first.cuh"

#include <cstdio>
#include <ctime>
#include <memory>
#include <tbb/global_control.h>

namespace {

using namespace crx;
using round_loop::Check;

/// Processor time of this thread, not time on the wall: others on a shared machine then count less.
double thread_seconds()
{
    timespec now;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

/// Median of `runs` times.
double median_seconds(int runs, auto const& work)
{
    std::vector<double> times;
    for (int k = 0; k < runs; ++k) {
        auto const start = thread_seconds();
        work();
        times.push_back(thread_seconds() - start);
    }
    std::ranges::nth_element(times, times.begin() + runs / 2);
    return times[static_cast<std::size_t>(runs / 2)];
}

/// The engine with its memory, as a sweep keeps it.
class Engine
{
  public:
    Engine(PolicySpec const& spec, OwnedInstance& x)
        : spec_(spec), bytes_(host_engine_bytes(spec, x.requests())),
          block_(std::make_unique_for_overwrite<std::byte[]>(bytes_)),
          requests_{x.requests(),    x.memory,       x.arrival.data(), x.prompt.data(),
                    x.output.data(), x.lower.data(), x.upper.data(),   {}}
    {
    }
    Outcome run(std::int64_t instance)
    {
        return with_policy(spec_, [&](auto const& policy) {
            return execute_on_host(policy, requests_, 1, static_cast<std::uint64_t>(instance),
                                   block_.get(), bytes_);
        });
    }

  private:
    PolicySpec spec_;
    std::size_t bytes_;
    std::unique_ptr<std::byte[]> block_;
    Requests requests_;
};

// --- traces -------------------------------------------------------------------------------------

struct Lengths
{
    std::int32_t prompt, output;
};

/// Rows of a trace that fit under every interval used here, in random order.
std::vector<Lengths> rows(char const* file, std::size_t wanted, Tokens memory)
{
    std::vector<Lengths> found;
    auto const trace = read_trace(file);
    for (std::size_t i = 0; i < trace.output.size(); ++i)
        if (trace.prompt[i] + 2 * trace.output[i] <= memory)
            found.push_back({trace.prompt[i], trace.output[i]});
    std::mt19937_64 rng(7);
    std::ranges::shuffle(found, rng);
    if (found.size() > wanted) found.resize(wanted);
    return found;
}

OwnedInstance instance_of(std::vector<Lengths> const& lengths, Tokens memory,
                          IntervalRule const& rule)
{
    OwnedInstance x;
    x.memory = memory;
    x.resize(lengths.size());
    for (std::size_t i = 0; i < lengths.size(); ++i) {
        x.prompt[i] = lengths[i].prompt;
        x.output[i] = lengths[i].output;
        interval_of(rule, x.output[i], x.lower[i], x.upper[i]);
    }
    return x;
}

void compare_shortest_first(std::vector<Lengths> lengths, Tokens memory)
{
    auto x = instance_of(lengths, memory, {});
    Engine engine({ShortestFirst::kind, {}}, x);
    Outcome ours;
    auto const seconds = median_seconds(101, [&] { ours = engine.run(0); });
    std::ranges::stable_sort(lengths, {}, &Lengths::output); // not timed, in the loop's favour
    round_loop::Varied in;
    in.memory = static_cast<std::int32_t>(memory);
    for (auto const& [s, o] : lengths) {
        in.prompt.push_back(s);
        in.output.push_back(o);
    }
    std::int64_t early_total = 0, vector_total = 0;
    auto const loop = [&](Check check) {
        return round_loop::total_latency(round_loop::Rule::true_lengths, check, in);
    };
    auto const early = median_seconds(15, [&] { early_total = loop(Check::early_exit); });
    auto const vector = median_seconds(15, [&] { vector_total = loop(Check::branch_free); });
    std::printf("mc-sf            %8.1f us; round loop, early exit %8.1f us: %5.1f times; "
                "branch-free %8.1f us: %5.1f times\n",
                seconds * 1e6, early * 1e6, early / seconds, vector * 1e6, vector / seconds);
    std::printf("  total latency %lld, of the loops %lld, %lld (must be equal)\n",
                static_cast<long long>(ours.total_latency), static_cast<long long>(early_total),
                static_cast<long long>(vector_total));
}

void compare_min_length(char const* name, std::vector<Lengths> const& lengths, Tokens memory,
                        IntervalRule const& rule)
{
    auto x = instance_of(lengths, memory, rule);
    round_loop::Varied in{x.prompt, x.output, x.lower, static_cast<std::int32_t>(memory)};
    Engine engine({MinLength::kind, {}}, x);
    constexpr int runs = 31;
    Outcome sum;
    std::int64_t number = 0;
    auto const alone = median_seconds(runs, [&] {
        auto const ours = engine.run(number++);
        sum.total_latency += ours.total_latency / runs;
        sum.events += ours.events;
        sum.cancellations += ours.cancellations;
    });
    Requests group[a_min_small_batch_size]; // as a sweep runs them
    std::ranges::fill(group, requests_of(x));
    std::optional<Outcome> outcomes[a_min_small_batch_size];
    std::vector<std::byte> room(a_min_small_batch_bytes(x.requests()));
    auto const seconds =
        simd_level() != SimdLevel::none
            ? median_seconds(runs,
                             [&] {
                                 Arena arena(room.data(), room.size());
                                 execute_a_min_small(
                                     {group,
                                      a_min_small_batch_size,
                                      1,
                                      stream_policy + static_cast<std::uint32_t>(MinLength::kind),
                                      static_cast<std::uint64_t>(number),
                                      {},
                                      arena,
                                      outcomes});
                                 number += a_min_small_batch_size;
                             }) /
                  a_min_small_batch_size
            : alone;
    std::int64_t loop_total = 0, loop_cancellations = 0;
    for (int k = 1; k <= runs; ++k) { // not timed: what it comes to
        auto const result =
            round_loop::MinLength<Check::early_exit>(in, static_cast<std::uint64_t>(k)).run();
        loop_total += result.total / runs;
        loop_cancellations += result.cancellations;
    }
    std::int64_t seen = 0; // so that the work is not left out
    auto const loop = [&](Check check) {
        seen += round_loop::total_latency(round_loop::Rule::learn, check, in);
    };
    auto const early = median_seconds(runs, [&] { loop(Check::early_exit); });
    auto const vector = median_seconds(runs, [&] { loop(Check::branch_free); });
    if (seen == 0) std::printf("the loop did nothing\n");
    std::printf("a-min, %-9s %8.1f us, one by one %8.1f us; round loop, early exit %8.1f us: %5.1f "
                "times; branch-free %8.1f us: %5.1f times\n",
                name, seconds * 1e6, alone * 1e6, early * 1e6, early / seconds, vector * 1e6,
                vector / seconds);
    std::printf("  %lld events, %lld cancellations (loop %lld), mean total latency %lld (loop "
                "%lld; equal in law)\n",
                static_cast<long long>(sum.events / runs),
                static_cast<long long>(sum.cancellations / runs),
                static_cast<long long>(loop_cancellations / runs),
                static_cast<long long>(sum.total_latency), static_cast<long long>(loop_total));
}

void traces(char const* conversation, char const* summaries)
{
    constexpr Tokens memory = 16492;
    auto lengths = rows(conversation, 1600, memory);
    for (auto const& row : rows(summaries, 400, memory)) lengths.push_back(row);
    std::mt19937_64 rng(3);
    std::ranges::shuffle(lengths, rng);
    std::printf("1,600 conversations and 400 summaries, M = 16492, all at 0\n");
    compare_shortest_first(lengths, memory);
    compare_min_length("x = 0.5", lengths, memory, {IntervalKind::relative, 1, 1, 100, 1, 2});
    compare_min_length("x = 0.2", lengths, memory, {IntervalKind::relative, 1, 1, 100, 1, 5});
    compare_min_length("buckets", lengths, memory, {IntervalKind::buckets, 1, 1, 100, 0, 1});
    compare_min_length("l = 1", lengths, memory, {IntervalKind::common, 1, 1 << 20, 100, 0, 1});
}

// --- many small instances -----------------------------------------------------------------------

void uniform(std::int32_t low, std::int32_t high, std::vector<std::int32_t>& value,
             std::vector<std::uint64_t>& threshold)
{
    auto const table = uniform_law(low, high);
    value.insert(value.end(), table.value.begin(), table.value.end());
    threshold.insert(threshold.end(), table.threshold.begin(), table.threshold.end());
}

/// n requests, prompts 1..5, outputs 1..M-5, all at 0: JAILLET 5.1, model 1, with n and M fixed.
Cell small_cell(std::int64_t n, Tokens memory)
{
    Cell cell;
    auto& w = cell.workload;
    w.seed = 5;
    w.requests = n;
    w.memory = memory;
    uniform(1, static_cast<std::int32_t>(memory) - 5, w.output_value, w.output_threshold);
    w.prompt_kind = PromptKind::table;
    uniform(1, 5, w.prompt_value, w.prompt_threshold);
    cell.policies = {{ShortestFirst::kind, {}}};
    cell.baseline[1] = false;
    return cell;
}

/// The peer makes, sorts and runs its instances; returns seconds an instance.
double peer_seconds(Check check, std::int64_t n, std::int32_t memory, int instances,
                    std::int64_t& total)
{
    std::uint64_t seed = 1;
    return median_seconds(
               9, [&] { total += round_loop::many_small(check, n, memory, instances, seed++); }) /
           instances;
}

void small_instances()
{
    constexpr int instances = 20000;
    for (auto const& [n, memory] : {std::pair{40, 30}, {50, 40}, {60, 50}}) {
        auto const cell = small_cell(n, memory);
        Tally tally;
        auto const ours = median_seconds(15,
                                         [&] {
                                             tally = launch_host(cell, {0, instances});
                                         }) /
                          instances;
        auto with_bound = cell;
        with_bound.baseline[1] = true;
        auto const bound = median_seconds(15,
                                          [&] {
                                              launch_host(with_bound, {0, instances});
                                          }) /
                           instances;
        std::int64_t total = 0, other = 0;
        auto const early = peer_seconds(Check::early_exit, n, memory, instances, total);
        auto const vector = peer_seconds(Check::branch_free, n, memory, instances, other);
        std::printf("n = %d, M = %d: mc-sf %.2f us, %.0f instances/s (with the volume bound %.0f); "
                    "round loop, early exit %.1f us: %.1f times; branch-free %.1f us: %.1f times\n",
                    n, memory, ours * 1e6, 1 / ours, 1 / bound, early * 1e6, early / ours,
                    vector * 1e6, vector / ours);
        std::printf("  mean total latency %.1f (loop %.1f; equal in law)\n",
                    static_cast<double>(tally[0].sums.latency) / instances,
                    static_cast<double>(total) / (9.0 * instances));
    }
}

// --- growth -------------------------------------------------------------------------------------

/// Uniform outputs l..u, s = 0: as many different lengths as there are.
double uniform_seconds(PolicyKind kind, std::int64_t n, Tokens memory, std::int32_t u)
{
    Workload w;
    w.seed = 3;
    w.requests = n;
    w.memory = memory;
    auto const l = u / 10;
    uniform(l, u, w.output_value, w.output_threshold);
    w.interval = {IntervalKind::common, l, u, 100, 0, 1};
    auto x = generate_single(w, 0);
    PolicySpec spec{kind, {}};
    if (kind == Ladder::kind) spec.levels = {3, {u / 4, u / 2, u}};
    Engine engine(spec, x);
    engine.run(0);
    return median_seconds(n > 100000 ? 1 : 5, [&] { engine.run(0); });
}

/// Times against sizes.
struct Curve
{
    std::vector<double> size, seconds;
    void add(std::int64_t n, double time)
    {
        size.push_back(static_cast<double>(n));
        seconds.push_back(time);
    }
    double exponent() const { return growth_exponent(size, seconds); }
};

void growth()
{
    std::printf("growth, uniform outputs u/10..u, no prompts; exponent of time\n");
    for (auto const& info : policy_table()) {
        Curve by_n, by_memory, by_u;
        for (std::int64_t n = 100; n <= 1000000; n *= 10)
            by_n.add(n, uniform_seconds(info.kind, n, 1000, 100));
        for (Tokens memory = 1000; memory <= 1000000; memory *= 10)
            by_memory.add(memory, uniform_seconds(info.kind, 20000, memory, 100));
        for (std::int32_t u = 10; u <= 10000; u *= 10)
            by_u.add(u, uniform_seconds(info.kind, 20000, 100000, u));
        std::printf("%-12s n 10^2..10^6 (M 10^3, u 100): %5.2f, the last %7.3f s; M 10^3..10^6 "
                    "(n 20000, u 100): %5.2f; u 10..10^4 (n 20000, M 10^5): %5.2f\n",
                    info.id, by_n.exponent(), by_n.seconds.back(), by_memory.exponent(),
                    by_u.exponent());
    }
}

} // namespace

int main(int argc, char** argv)
{
    std::setvbuf(stdout, nullptr, _IOLBF, 0);
    {
        tbb::global_control const one(tbb::global_control::max_allowed_parallelism, 1);
        if (argc > 2) traces(argv[1], argv[2]);
        small_instances();
    }
    growth();
}
