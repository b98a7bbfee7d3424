// The best schedules found of JAILLET 5.1, model 1, as a file (docs/findings/baselines.md):
//   best_schedules write COUNT EVALUATIONS  the first COUNT instances of
//                                           experiments/jaillet/jaillet_section_5_1_model_1.toml, a
//                                           row each, by best-found with EVALUATIONS schedules a
//                                           request, to stdout
//   best_schedules check FILE               each row again: instance, schedule, both latencies
//   best_schedules bounds FILE STEPS FIRST COUNT
//                                           rows FIRST to FIRST + COUNT - 1 from below: peaks, and
//                                           pairs after so many steps, and what the plain loops
//                                           of certificates say of the same prices
#include "analysis/baseline/hindsight.hh"
#include "analysis/baseline/relaxation/dual_ascent.hh"
#include "analysis/baseline/relaxation/pair_bound.hh"
#include "analysis/baseline/relaxation/price_bound.hh"
#include "analysis/laws/jaillet_instances.hh"
#include "host/evidence/certificate/optimum_certificate.hh"
#include "host/input/table_reader.hh"
#include "kernels/policies/shortest_first.cuh"

#include <algorithm>
#include <cstdlib>
#include <ctime>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <sstream>
#include <tbb/parallel_for.h>

namespace {

using namespace crx;
using namespace crx::baseline;

constexpr std::uint64_t experiment_seed = 20261122;

OwnedInstance instance_of(std::int64_t number)
{
    return generate_single(JailletInstances(JailletInstances::Model::all_at_once), experiment_seed,
                           number);
}

std::string row_of(std::int64_t number, std::int64_t evaluations)
{
    auto const instance = instance_of(number);
    HindsightLimits limits;
    limits.seconds = 1e9;
    limits.evaluations_a_request = evaluations;
    limits.parts = {false, false};
    auto const result = hindsight(instance, limits);
    auto const& best = result.best();
    return fmt::format("{},{},{},{},{},{},{}\n", number, instance.memory,
                       result.schedule("h-sf").value(), best.total_latency,
                       fmt::join(instance.prompt, " "), fmt::join(instance.output, " "),
                       fmt::join(best.starts, " "));
}

int write(std::int64_t count, std::int64_t evaluations)
{
    std::vector<std::string> rows(static_cast<std::size_t>(count));
    tbb::parallel_for(std::int64_t{0}, count, [&](std::int64_t k) {
        rows[static_cast<std::size_t>(k)] = row_of(k, evaluations);
    });
    fmt::print("instance,memory,mc_sf,best_found,prompts,outputs,starts\n");
    for (auto const& row : rows) fmt::print("{}", row);
    return 0;
}

template <class T>
std::vector<T> numbers(std::string_view text)
{
    std::istringstream in{std::string(text)};
    std::vector<T> list;
    for (T value; in >> value;) list.push_back(value);
    return list;
}

/// Lower bounds on OPT of an instance whose schedule `starts` is known.
Hindsight bounds_of(OwnedInstance const& instance, Starts const& starts, std::int64_t steps)
{
    auto const groups = request_groups(instance);
    auto const upper = total_latency(instance, starts);
    AscentSettings ascent;
    ascent.starts = *std::ranges::max_element(starts) + 10;
    ascent.peak_families = 3;
    ascent.upper = upper;
    auto const root = price_bound(instance, groups, upper, ascend(instance, groups, ascent).prices,
                                  ascent.starts);
    PairSettings settings;
    settings.steps = steps;
    auto const pairs = pair_bound(instance, groups, root, upper, ascent.starts, settings);

    Hindsight result;
    result.schedules.push_back({"best-found", starts, upper});
    result.bounds.push_back({"peaks", root.lower_bound, ""});
    result.bounds.push_back({"pairs", pairs.lower_bound, ""});
    result.lower = std::max(root.lower_bound, pairs.lower_bound);
    result.upper = upper;
    result.prices = root.prices;
    auto& prices = result.pairs.emplace();
    prices.rows = pairs.prices;
    prices.requests.resize(instance.output.size());
    for (std::size_t g = 0; g < groups.size(); ++g)
        for (auto const i : groups[g].members) prices.requests[i] = pairs.group_prices[g];
    return result;
}

int print_bounds(char const* file, std::int64_t steps, std::int64_t first, std::int64_t count)
{
    TableReader csv(file);
    auto const number = csv.need_column("instance", {"instance"});
    auto const schedule = csv.need_column("starts", {"starts"});
    fmt::print("instance,peaks,pairs,checked,seconds\n");
    while (csv.next()) {
        auto const k = csv.integer(number, 0, INT64_MAX);
        if (k < first || k >= first + count) continue;
        auto const begin = std::clock();
        auto const instance = instance_of(k);
        auto const result = bounds_of(instance, numbers<Rounds>(csv.field(schedule)), steps);
        auto const seconds = static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC;
        auto const file = optimum_certificate(instance, result); // by the check's own plain loops
        fmt::print("{},{},{},{},{:.0f}\n", k, result.bound("peaks").value(),
                   result.bound("pairs").value(), file["lower_bound"].get<std::int64_t>(), seconds);
        std::fflush(stdout);
    }
    return 0;
}

int check(char const* file)
{
    TableReader csv(file);
    auto const column = [&csv](char const* name) { return csv.need_column(name, {name}); };
    auto const number = column("instance"), memory = column("memory"), mc_sf = column("mc_sf"),
               found = column("best_found"), prompts = column("prompts"),
               outputs = column("outputs"), starts = column("starts");
    std::int64_t rows = 0;
    double ratios = 0;
    for (; csv.next(); ++rows) {
        auto const instance = instance_of(csv.integer(number, 0, INT64_MAX));
        if (instance.memory != csv.integer(memory, 0, INT32_MAX) ||
            instance.prompt != numbers<std::int32_t>(csv.field(prompts)) ||
            instance.output != numbers<std::int32_t>(csv.field(outputs)))
            csv.fail("not that instance of the experiment");
        auto const schedule = numbers<Rounds>(csv.field(starts));
        if (auto const fault = schedule_fault(instance, schedule)) csv.fail(*fault);
        auto const best = csv.integer(found, 1, INT64_MAX), sf = csv.integer(mc_sf, 1, INT64_MAX);
        if (total_latency(instance, schedule) != best)
            csv.fail(fmt::format("TEL is {}", total_latency(instance, schedule)));
        auto const run = execute_single({ShortestFirst::kind, {}}, instance, 0, 0).outcome;
        if (run.total_latency != sf) csv.fail(fmt::format("TEL of mc-sf is {}", run.total_latency));
        ratios += static_cast<double>(sf) / static_cast<double>(best);
    }
    if (rows == 0) csv.fail("no rows");
    fmt::print("{} schedules hold; mean TEL(mc-sf) / best found {:.4f}\n", rows,
               ratios / static_cast<double>(rows));
    return 0;
}

} // namespace

int main(int argc, char** argv)
try {
    std::string const mode = argc > 1 ? argv[1] : "";
    if (mode == "write" && argc == 4) {
        auto const count = std::atoll(argv[2]), evaluations = std::atoll(argv[3]);
        if (count >= 1 && evaluations >= 1) return write(count, evaluations);
    }
    if (mode == "check" && argc == 3) return check(argv[2]);
    if (mode == "bounds" && argc == 6)
        return print_bounds(argv[2], std::atoll(argv[3]), std::atoll(argv[4]), std::atoll(argv[5]));
    fmt::print(stderr, "usage: best_schedules write COUNT EVALUATIONS | check FILE | "
                       "bounds FILE STEPS FIRST COUNT\n");
    return 2;
} catch (std::exception const& error) {
    fmt::print(stderr, "best_schedules: {}\n", error.what());
    return 2;
}
