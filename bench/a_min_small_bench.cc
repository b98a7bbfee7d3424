// a-min on 2,000 requests of traces, all in turns in one run on one thread: the request engine,
// a_min_small at each level that this processor has, and the plain round loop's two variants.
// Prints medians of the turns: microseconds an instance, and how many times as fast as the request
// engine and as the better loop. Arguments: two traces, as request_bench.cc; the number of turns;
// which interval alone.

#include "host/bench/trace_cases.hh"
#include "kernels/cpu/single.hh"
#include "kernels/engines/a_min/a_min_small.hh"
#include "kernels/engines/lists/execute_list.hh"
#include "kernels/engines/requests/execute.cuh"
#include "kernels/policies/min_length.cuh"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <functional>
#include <string>

namespace {

using namespace crx;

constexpr std::uint32_t stream = stream_policy + static_cast<std::uint32_t>(MinLength::kind);

double thread_seconds()
{
    timespec now;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

struct Runner
{
    std::string name;
    std::function<std::int64_t(std::uint64_t)>
        run;                       ///< a_min_small_batch_size instances from this number
    std::vector<double> seconds{}; ///< of each turn, an instance
    std::int64_t events = 0;
};

double median(std::vector<double> values)
{
    auto const middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
    std::ranges::nth_element(values, middle);
    return *middle;
}
/// Median of the turns' ratios of times.
double times_as_fast(Runner const& runner, Runner const& than)
{
    std::vector<double> ratios;
    for (std::size_t k = 0; k < runner.seconds.size(); ++k)
        ratios.push_back(than.seconds[k] / runner.seconds[k]);
    return median(ratios);
}

void compare(TraceInterval const& interval, Workload workload, int turns)
{
    workload.interval = interval.rule;
    auto x = generate_single(workload, 0);
    auto const requests = requests_of(x);
    PolicySpec const spec{MinLength::kind, {}};
    std::vector<std::byte> block(
        std::max(engine_bytes(spec, requests.n), a_min_small_batch_bytes(requests.n)));
    auto const each = [](auto const& one) {
        return [&one](std::uint64_t first) {
            std::int64_t events = 0;
            for (auto k = first; k < first + a_min_small_batch_size; ++k) events += one(k);
            return events;
        };
    };
    auto const general = [&](std::uint64_t k) {
        return with_policy(spec, [&]<class P>(P const& policy) {
            Arena arena(block.data(), block.size());
            EngineOf<P> engine(policy, requests, arena);
            return engine.execute(BufferedWords(1, stream, k), {}).events;
        });
    };
    std::vector<Runner> runners{{"request engine", each(general)}};
    for (auto const level : {SimdLevel::avx512, SimdLevel::avx2}) {
        if (level > simd_level()) continue;
        auto const name = level == SimdLevel::avx512 ? "AVX-512" : "AVX2";
        runners.push_back(
            {name, [&, level](std::uint64_t first) {
                 std::vector<Requests> const all(a_min_small_batch_size, requests);
                 std::optional<Outcome> outcomes[a_min_small_batch_size];
                 Arena arena(block.data(), block.size());
                 execute_a_min_small(
                     {all.data(), a_min_small_batch_size, 1, stream, first, {}, arena, outcomes},
                     level);
                 std::int64_t events = 0;
                 for (auto const& outcome : outcomes) events += outcome->events;
                 return events;
             }});
    }
    auto const engines = runners.size();
    for (bool const branch_free : {false, true}) {
        auto const loop = trace_loop_contender("", workload, MinLength::kind, branch_free);
        runners.push_back(
            {branch_free ? "loop, branch-free" : "loop, early exit", [loop](std::uint64_t) {
                 loop.run(0, 1);
                 return std::int64_t{0};
             }});
    }
    for (int turn = 0; turn < turns; ++turn)
        for (std::size_t k = 0; k < runners.size(); ++k) {
            auto const start = thread_seconds();
            auto const first = static_cast<std::uint64_t>(turn) * a_min_small_batch_size;
            runners[k].events += runners[k].run(first);
            runners[k].seconds.push_back((thread_seconds() - start) /
                                         (k < engines ? a_min_small_batch_size : 1));
        }
    auto const& early = runners[engines];
    auto const& branch_free = runners[engines + 1];
    for (std::size_t k = 0; k < runners.size(); ++k) {
        auto const& runner = runners[k];
        std::printf("%-8s %-18s %8.1f us, least %8.1f; request engine %5.2f times, loops %5.2f "
                    "(early exit), %5.2f (branch-free)%s\n",
                    interval.name, runner.name.c_str(), median(runner.seconds) * 1e6,
                    *std::ranges::min_element(runner.seconds) * 1e6,
                    times_as_fast(runner, runners[0]), times_as_fast(runner, early),
                    times_as_fast(runner, branch_free),
                    k < engines && runner.events != runners[0].events ? "; OTHER EVENTS" : "");
    }
}

} // namespace

int main(int argc, char** argv)
{
    if (argc < 3) {
        std::fprintf(stderr, "give two traces\n");
        return 1;
    }
    std::setvbuf(stdout, nullptr, _IOLBF, 0);
    auto const workload = trace_workload(argv[1], argv[2]);
    for (auto const& interval : trace_intervals)
        if (argc < 5 || std::string(argv[4]) == interval.name)
            compare(interval, workload, argc > 3 ? std::atoi(argv[3]) : 31);
}
