#include "host/evidence/search_report.hh"

#include "analysis/statistics/estimate.hh"
#include "host/evidence/witness_file.hh"

#include <cmath>
#include <fmt/format.h>

namespace crx {
namespace {

constexpr int groups = 100; ///< sets of fresh draws, each as large as the search's

} // namespace

std::string found_as_text(SearchOptions const& options, worst::Objective const& objective,
                          worst::Found const& found)
{
    auto const& [instance, value, settled] = found;
    auto text =
        fmt::format("{} over {}: {} = {:.6f}", objective.numerator.id, objective.denominator_name(),
                    fraction_text(settled.ratio), settled.ratio.value());
    if (objective.over == worst::Over::opt)
        text += settled.proven() ? ", the optimum proven"
                                 : fmt::format(", the optimum is between {} and {}", settled.lower,
                                               settled.denominator);
    if (objective.bound) text += fmt::format("\n{:.6f} times {}", value, options.against);
    return text + fmt::format("\n{} requests, M = {}\n", instance.requests(), instance.memory) +
           requests_as_text(instance);
}

std::string progress_text(SearchOptions const& options, worst::Objective const& objective,
                          worst::Found const& found, double seconds)
{
    auto const& ratio = found.settled.ratio;
    return fmt::format(
        "{:.1f} s: {} = {:.6f}{}, n = {}, M = {}", seconds, fraction_text(ratio), ratio.value(),
        objective.bound ? fmt::format(", {:.6f} times {}", found.value, options.against) : "",
        found.instance.requests(), found.instance.memory);
}

std::string confirmed_as_text(SearchOptions const& options, worst::Objective const& objective,
                              worst::Found const& found)
{
    auto const over_cost = objective.over == worst::Over::cost;
    if (objective.numerator.draws == 1 && (!over_cost || objective.denominator.draws == 1))
        return {};
    std::vector<double> above, below;
    for (int k = 0; k < groups; ++k) {
        auto const seed = SearchOptions::draw_seed + 1 + static_cast<std::uint64_t>(k);
        auto const mean = [&](char const* option, std::string const& id) -> std::optional<double> {
            auto const cost = cost_argument(option, id, options, seed);
            auto const sum = cost.sum(found.instance);
            if (!sum) return std::nullopt;
            return static_cast<double>(*sum) / static_cast<double>(cost.draws);
        };
        auto const one = mean("--policy", options.policy);
        auto const other = over_cost ? mean("--over", options.over)
                                     : static_cast<double>(found.settled.denominator);
        if (!one || !other) return "some other draws are not finished\n";
        above.push_back(*one);
        below.push_back(*other);
    }
    double sum = 0, below_sum = 0, squares = 0;
    for (int k = 0; k < groups; ++k) {
        sum += above[static_cast<std::size_t>(k)];
        below_sum += below[static_cast<std::size_t>(k)];
    }
    auto const ratio = sum / below_sum;
    for (std::size_t k = 0; k < groups; ++k) {
        auto const rest = above[k] - ratio * below[k];
        squares += rest * rest;
    }
    auto const half = two_sided_quantile(groups, 0.95) * std::sqrt(squares / (groups - 1.0)) /
                      std::sqrt(groups) / (below_sum / groups);
    return fmt::format("on {} other draws: {:.6f} ± {:.6f} (95 %)\n", groups * options.draw_count(),
                       ratio, half);
}

std::string families_as_text(std::vector<worst::FamilyReport> const& reports)
{
    std::string text =
        "scaled by 1, 2, 4, 8; last, from 4 to 8; * where the denominator may be more than the "
        "optimum\n";
    for (auto const& report : reports) {
        text += fmt::format("  {:<14}", worst::family_names[static_cast<int>(report.family)]);
        for (std::size_t k = 0; k < report.values.size(); ++k)
            text += fmt::format(" {:9.6f}{}", report.values[k], report.proven[k] ? ' ' : '*');
        if (report.values.size() == 4)
            text += fmt::format(" {}", worst::trend_names[static_cast<int>(report.trend)]);
        text += "\n";
    }
    return text;
}

} // namespace crx
