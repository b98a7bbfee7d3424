#include "host/sweep/restricted_cell.hh"

#include "host/iteration/iteration_setting.hh"

#include <algorithm>

namespace crx {

namespace {

/// Policies that lack something. Where all of these count requests and others of the cell do not,
/// one of the others is added: with it requests are drawn one by one, as they were for the cell.
std::vector<std::size_t> policies_to_run(Cell const& cell, Holdings const& missing)
{
    std::vector<std::size_t> policies;
    for (std::size_t p = 0; p < missing.policies(); ++p)
        if (missing.any_of_policy(p)) policies.push_back(p);
    auto const by_request = [&](std::size_t p) { return law_of(cell, p) == RandomLaw::request; };
    if (!all_by_cohorts(cell) && std::ranges::none_of(policies, by_request))
        for (std::size_t p = 0; p < missing.policies(); ++p)
            if (by_request(p)) {
                policies.push_back(p);
                break;
            }
    return policies;
}

template <class Value>
std::vector<Value> chosen(std::vector<Value> const& all, std::vector<std::size_t> const& places)
{
    std::vector<Value> some;
    if (all.empty()) return some;
    for (auto const place : places) some.push_back(all[place]);
    return some;
}

} // namespace

RestrictedCell restricted_cell(Plan const& plan, std::shared_ptr<Cell const> const& cell,
                               std::shared_ptr<IterationSetting const> const& paths,
                               Holdings const& missing)
{
    RestrictedCell restricted;
    if (paths != nullptr) {
        for (std::size_t p = 0; p < missing.policies(); ++p)
            if (missing.sums(p)) restricted.policies.push_back(p);
        auto part = std::make_shared<IterationSetting>(*paths);
        part->policies = chosen(paths->policies, restricted.policies);
        restricted.paths = std::move(part);
        return restricted;
    }
    restricted.policies = policies_to_run(*cell, missing);
    auto part = std::make_shared<Cell>(*cell);
    part->policies = chosen(cell->policies, restricted.policies);
    part->laws = chosen(cell->laws, restricted.policies);
    part->orders = chosen(cell->orders, restricted.policies);
    std::vector<BaselineKind> of_host;
    for (std::size_t b = 0; b < plan.baselines.size(); ++b) {
        auto const kind = plan.baselines[b];
        bool const wanted = missing.any_over(b);
        part->baseline[static_cast<int>(kind)] = wanted;
        if (wanted && static_cast<int>(kind) >= engine_baselines) of_host.push_back(kind);
    }
    part->host_baselines = of_host.empty() ? nullptr : plan.host_baselines(of_host);
    restricted.cell = std::move(part);
    return restricted;
}

} // namespace crx
