#include "host/selftest/selftest.hh"

#include "host/selftest/selftest_cases.hh"
#include "host/single/policy_argument.hh"
#include "kernels/cohort/cohort.hh"

#include <fmt/format.h>
#include <functional>

namespace crx {
namespace {

constexpr std::int64_t awkward_count = 597; ///< no multiple of a warp, a block or a chunk

/// Whether instances may be run side by side under the policy.
bool in_lanes(PolicyKind kind)
{
    using enum PolicyKind;
    return kind == mc_sf || kind == mc_sf_total || kind == a_max || kind == a_ell;
}

/// The case by cohorts under all policies that can be, or those of them that run side by side.
void add_by_cohorts(SelftestCase const& test, bool only_in_lanes,
                    std::vector<std::pair<std::string, Cell>>& all)
{
    Cell cell{test.workload, {}, {true, true}};
    for (auto const& spec : selftest_policies(test))
        if ((in_lanes(spec.kind) || !only_in_lanes) &&
            cohort_refusal(spec, view_of(cell.workload)).empty())
            cell.policies.push_back(spec);
    cell.engines.assign(cell.policies.size(), EngineKind::cohort);
    if (!cell.policies.empty()) all.push_back({test.name + ", by cohorts", cell});
}

/// What is compared: cells with a name.
std::vector<std::pair<std::string, Cell>> cells()
{
    std::vector<std::pair<std::string, Cell>> all;
    for (auto const& test : selftest_cases()) {
        all.push_back({test.name, {test.workload, selftest_policies(test), {true, true}}});
        add_by_cohorts(test, false, all);
    }
    for (auto const& test : selftest_cohort_cases()) add_by_cohorts(test, true, all);
    return all;
}

/// Compares a way of running instances with one launch_host over all of them.
SelftestResult against_host(std::string const& how,
                            std::function<Tally(Cell const&, InstanceRange)> const& run)
{
    SelftestResult result;
    for (auto const& [name, cell] : cells()) {
        auto const expected = launch_host(cell, {0, awkward_count});
        auto const got = run(cell, {0, awkward_count});
        for (std::size_t k = 0; k < expected.size(); ++k)
            result.count(got[k] == expected[k], fmt::format("{}: {}, {}: tallies differ", how, name,
                                                            info_of(cell.policies[k].kind).id));
    }
    return result;
}

} // namespace

void SelftestResult::count(bool ok, std::string const& what)
{
    ++(ok ? passed : failed);
    if (!ok && failures.size() < 20) failures.push_back(what);
}

void SelftestResult::add(SelftestResult const& other)
{
    passed += other.passed;
    failed += other.failed;
    for (auto const& failure : other.failures)
        if (failures.size() < 20) failures.push_back(failure);
}

SelftestResult selftest_recorded()
{
    SelftestResult result;
    auto const& answers = recorded_answers();
    std::size_t at = 0;
    for (auto const& test : selftest_cases())
        for (auto const& spec : selftest_policies(test))
            for (std::int64_t number = 0; number < recorded_instances; ++number, ++at) {
                auto const run = execute_single(spec, selftest_instance(test, number),
                                                test.workload.seed, number);
                result.count(at < answers.size() && answer_hash(run) == answers[at],
                             fmt::format("oracle: {}, {}, instance {}: not the recorded answer",
                                         test.name, info_of(spec.kind).id, number));
            }
    result.count(at == answers.size(), "oracle: as many answers as cases");
    return result;
}

SelftestResult selftest_cpu()
{
    return against_host("cpu", [](Cell const& cell, InstanceRange range) {
        Tally total(cell.policies.size());
        auto const sizes = {1, 7, 64};
        auto size = sizes.begin();
        for (std::int64_t done = 0; done < range.count;) {
            auto const count = std::min<std::int64_t>(*size, range.count - done);
            auto const part = launch_host(cell, {range.first + done, count});
            for (std::size_t k = 0; k < total.size(); ++k) total[k].add(part[k]);
            done += count;
            if (++size == sizes.end()) size = sizes.begin();
        }
        return total;
    });
}

SelftestResult selftest_cuda() { return against_host("cuda", launch_device); }

} // namespace crx
