#include "host/bench/card_report.hh"

#include <fmt/core.h>
#include <nlohmann/json.hpp>
#include <tbb/task_arena.h>

namespace crx {
namespace {

double rate(std::int64_t instances, double seconds)
{
    return seconds > 0 ? static_cast<double>(instances) / seconds : 0;
}

double lost_share(GpuTimes const& times)
{
    return times.run > 0 ? static_cast<double>(times.lost) / static_cast<double>(times.run) : 0;
}

double times_cores(CardComparison const& c, CardVariant const& variant)
{
    return rate(variant.instances, variant.seconds) / rate(c.cores_instances, c.cores_seconds);
}

std::string variant_text(CardComparison const& c, CardVariant const& variant)
{
    if (!variant.failure.empty())
        return fmt::format("  {:<20} FAILED: {}\n", variant.engine, variant.failure);
    return fmt::format("  {:<20} {:>11.4g} {:>9.3g}  {:<6} {}\n", variant.engine,
                       rate(variant.instances, variant.seconds), times_cores(c, variant),
                       variant.equal ? "equal" : "DIFFER", card_times_text(variant.times));
}

} // namespace

std::string card_times_text(GpuTimes const& times)
{
    auto const all = times.all();
    std::string text;
    for (int k = 0; k < gpu_tasks; ++k)
        if (times.seconds[k] > 0)
            text += fmt::format("{}{} {:.1f} %", text.empty() ? "" : ", ",
                                name_of(static_cast<GpuTask>(k)), 100 * times.seconds[k] / all);
    if (times.run > 0) text += fmt::format("; mc-sf-batch lost {:.3g} %", 100 * lost_share(times));
    return text;
}

std::string card_bench_text(std::vector<CardComparison> const& comparisons)
{
    auto text = fmt::format(
        "the GPU beside {} cores; shares of time are of a launch that waits between tasks\n",
        tbb::this_task_arena::max_concurrency());
    for (auto const& c : comparisons) {
        text += fmt::format("\n{}, {}, {} law\n", c.workload, c.policy,
                            c.law == RandomLaw::cohort ? "cohort" : "request");
        text += "  engine               instances/s  x cores  sums   time\n";
        text += fmt::format("  {:<20} {:>11.4g}\n", "all cores",
                            rate(c.cores_instances, c.cores_seconds));
        for (auto const& variant : c.variants) text += variant_text(c, variant);
    }
    return text;
}

nlohmann::ordered_json card_bench_json(std::vector<CardComparison> const& comparisons)
{
    nlohmann::ordered_json all{{"cores", tbb::this_task_arena::max_concurrency()}};
    for (auto const& c : comparisons) {
        nlohmann::ordered_json object{
            {"workload", c.workload},
            {"policy", c.policy},
            {"law", c.law == RandomLaw::cohort ? "cohort" : "request"},
            {"cores_instances_per_second", rate(c.cores_instances, c.cores_seconds)}};
        for (auto const& variant : c.variants) {
            nlohmann::ordered_json row{{"engine", variant.engine}};
            if (!variant.failure.empty()) {
                row["failure"] = variant.failure;
            } else {
                row["instances"] = variant.instances;
                row["instances_per_second"] = rate(variant.instances, variant.seconds);
                row["times_cores"] = times_cores(c, variant);
                row["equal"] = variant.equal;
                for (int k = 0; k < gpu_tasks; ++k)
                    row["seconds"][name_of(static_cast<GpuTask>(k))] = variant.times.seconds[k];
                if (variant.times.run > 0) row["lost_share"] = lost_share(variant.times);
            }
            object["variants"].push_back(row);
        }
        all["cases"].push_back(object);
    }
    return all;
}

int card_bench_failures(std::vector<CardComparison> const& comparisons)
{
    int failures = 0;
    for (auto const& c : comparisons)
        for (auto const& variant : c.variants)
            failures += !variant.failure.empty() || !variant.equal;
    return failures;
}

} // namespace crx
