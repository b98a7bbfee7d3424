// Random workloads through every engine of the CPU against the oracle, until so many runs of the
// oracle were compared or so many seconds passed. Prints what was covered; ends with 1 and the case
// where one differs. scripts/soak calls it; docs/guarantees.md.
#include "soak/oracle_comparison.hh"

#include <chrono>
#include <cstdio>
#include <cstring>
#include <iostream>
#include <malloc.h>

namespace {

struct Options
{
    std::uint64_t seed = 1;
    std::int64_t instances = 10'000;
    double seconds = 1e9;
};

Options read_options(int argc, char** argv)
{
    Options options;
    for (int k = 1; k + 1 < argc; k += 2) {
        std::string const name = argv[k], value = argv[k + 1];
        if (name == "--seed") options.seed = std::stoull(value);
        if (name == "--instances") options.instances = std::stoll(value);
        if (name == "--seconds") options.seconds = std::stod(value);
    }
    return options;
}

/// How large a case may be: most requests, and rounds that the oracle walks through times requests.
struct Size
{
    std::int64_t requests, work;
};

/// Mostly tiny ones: the oracle takes microseconds for them, and most differences show there.
Size random_size(std::mt19937_64& rng)
{
    auto const dice = rng() % 40;
    if (dice == 0) return {60, 300'000};
    if (dice < 10) return {rng() % 4 == 0 ? 60 : 12, 8'000};
    return {8, 1'000};
}

/// Rounds that the oracle may have to walk through, in requests.
std::int64_t work_of(crx_test::RandomCase const& c)
{
    auto const n = c.workload.requests;
    auto const longest = c.source != nullptr ? c.source->most_memory() / 2 : c.longest;
    return n * n * longest;
}

/// A random case with other numbers of requests: `make_random_case` draws few small ones.
void make_small_case(std::mt19937_64& rng, std::int64_t most_requests, crx_test::RandomCase& c)
{
    make_random_case(rng, c);
    auto& w = c.workload;
    w.requests = 1 + static_cast<std::int64_t>(rng() % static_cast<std::uint64_t>(most_requests));
    if (c.source != nullptr)
        c.source = std::make_unique<crx_test::VaryingSource>(w.requests, w.memory, rng() % 2 == 0);
    if (w.output_kind == crx::OutputKind::composition) {
        std::ranges::fill(w.output_count, 0);
        for (std::int64_t i = 0; i < w.requests; ++i)
            ++w.output_count[rng() % w.output_count.size()];
    }
}

/// Ascending levels up to a little more than the longest output.
crx::LadderLevels random_levels(std::mt19937_64& rng, std::int32_t longest)
{
    crx::LadderLevels levels;
    auto const most = 1 + static_cast<int>(rng() % 4);
    for (std::int32_t level = 0; levels.count < most && level < longest + 2;) {
        level += 1 + static_cast<std::int32_t>(rng() % static_cast<unsigned>(longest + 2 - level));
        levels.level[levels.count++] = level;
    }
    return levels;
}

/// The policies with parameters of their own.
std::vector<crx::PolicySpec> random_policies(std::mt19937_64& rng, std::int32_t longest)
{
    auto all = crx_test::every_policy(longest);
    for (auto& spec : all)
        spec = crx_test::with_parameters(crx::policy_info(spec.kind), rng(),
                                         random_levels(rng, longest));
    return all;
}

} // namespace

int main(int argc, char** argv)
{
    auto const options = read_options(argc, argv);
    // Engines are made anew for each workload: their memory stays with the program.
    ::mallopt(M_MMAP_THRESHOLD, 1 << 28);
    ::mallopt(M_TRIM_THRESHOLD, 1 << 30);
    auto const begin = std::chrono::steady_clock::now();
    auto const seconds = [&] {
        return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
    };
    crx_test::Compared compared;
    std::int64_t cases = 0, workloads = 0; // those of a size that is taken
    for (; compared.oracle_runs < options.instances && seconds() < options.seconds; ++cases) {
        // Each case from a seed of its own, so that one can be run alone.
        auto const seed = options.seed + static_cast<std::uint64_t>(cases);
        std::mt19937_64 rng(seed);
        crx_test::RandomCase c;
        auto const size = random_size(rng);
        make_small_case(rng, size.requests, c);
        auto const work = work_of(c);
        if (work > size.work) continue;
        ++workloads;
        auto const first = static_cast<std::int64_t>(rng() % 1000) +
                           (rng() % 8 == 0 ? (std::int64_t{1} << 32) - 500 : 0);
        auto const count = std::clamp<std::int64_t>(600'000 / (work + 1000), 1, 200);
        auto const policies = random_policies(rng, c.longest);
        auto const found = compare_all(c, policies, {first, count}, compared);
        if (found.empty()) continue;
        std::cout << found << "again: oracle_soak --seed " << seed << " --instances 1\n";
        return 1;
    }
    std::cout << compared.oracle_runs << " runs of the oracle in " << workloads << " workloads, "
              << static_cast<int>(seconds()) << " s, seeds from " << options.seed << ";";
    for (auto const& [name, runs] : compared.by_engine) std::cout << " " << name << " " << runs;
    std::cout << "\n  by policy:";
    for (auto const& [name, runs] : compared.by_policy) std::cout << " " << name << " " << runs;
    std::cout << std::endl;
}
