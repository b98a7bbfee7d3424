#include "host/selftest/selftest.hh"

#include "host/selftest/selftest_cases.hh"
#include "host/single/policy_argument.hh"

#include <fmt/format.h>
#include <functional>

namespace crx {
namespace {

constexpr std::int64_t awkward_count = 597;     ///< no multiple of a warp, a block or a chunk
constexpr std::int64_t device_case_count = 203; ///< of larger instances

Cell cell_of(SelftestCase const& test)
{
    return {test.workload, selftest_policies(test), {true, true}};
}

using Run = std::function<Tally(Cell const&, InstanceRange)>;

/// Compares a way of running the first instances of a case with what launch_host says of them.
SelftestResult against(Tally const& expected, std::string const& how, SelftestCase const& test,
                       std::int64_t count, Run const& run)
{
    SelftestResult result;
    auto const cell = cell_of(test);
    auto const got = run(cell, {0, count});
    for (std::size_t k = 0; k < expected.size(); ++k)
        result.count(got[k] == expected[k],
                     fmt::format("{}: {}, {}: tallies differ", how, test.name,
                                 info_of(cell.policies[k].kind).id));
    return result;
}

/// The same of every case.
SelftestResult against_host(std::string const& how, Run const& run)
{
    SelftestResult result;
    for (auto const& test : selftest_cases())
        result.add(
            against(launch_host(cell_of(test), {0, awkward_count}), how, test, awkward_count, run));
    return result;
}

/// Every form of the card's kernels on every case: each alone, then all compared with each other
/// instance by instance.
SelftestResult every_form(std::vector<SelftestCase> const& cases, std::int64_t count)
{
    SelftestResult result;
    for (auto const& test : cases) {
        auto const expected = launch_host(cell_of(test), {0, count});
        for (auto const* const form : {"thread", "warp", "each"})
            result.add(against(expected, fmt::format("cuda, form '{}'", form), test, count,
                               [&](Cell cell, InstanceRange range) {
                                   cell.device_form = form;
                                   return launch_device(cell, range);
                               }));
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

SelftestResult selftest_cuda()
{
    auto result = against_host("cuda", launch_device);
    result.add(every_form(selftest_cases(), awkward_count));
    result.add(every_form(selftest_device_cases(), device_case_count));
    return result;
}

} // namespace crx
