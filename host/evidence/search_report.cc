#include "host/evidence/search_report.hh"

#include "analysis/bounds/curve_catalogue.hh"
#include "analysis/statistics/estimate.hh"
#include "host/evidence/witness_file.hh"

#include <cmath>
#include <fmt/format.h>

namespace crx {
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
    if (objective.bound) {
        text += fmt::format("\n{:.6f} times {}", value, options.against);
        auto const* hypotheses = bounds::hypotheses_of(options.against);
        if (hypotheses != nullptr && hypotheses->limit)
            text += fmt::format(", which holds {}", bounds::limit_text);
    }
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

std::string confirmed_as_text(SearchOptions const& options, worst::Found const& found,
                              FreshCosts const& fresh)
{
    if (!fresh.any()) return {};
    auto const above = fresh.above(found.instance), below = fresh.below(found.instance);
    if (above.sums.empty() && below.sums.empty()) return "some other draws are not finished\n";
    constexpr auto sets = static_cast<std::size_t>(FreshCosts::sets);
    auto const draws = static_cast<double>(options.draw_count());
    // The mean of a set; of a side without draws its cost.
    auto const mean = [&](FreshCosts::Means const& means, std::size_t k, double otherwise) {
        return means.sums.empty() ? otherwise : static_cast<double>(means.sums[k]) / draws;
    };
    auto const cost_above = static_cast<double>(found.settled.numerator);
    auto const cost_below = static_cast<double>(found.settled.denominator);
    double sum = 0, below_sum = 0, squares = 0;
    for (std::size_t k = 0; k < sets; ++k) {
        sum += mean(above, k, cost_above);
        below_sum += mean(below, k, cost_below);
    }
    auto const ratio = sum / below_sum;
    for (std::size_t k = 0; k < sets; ++k) {
        auto const rest = mean(above, k, cost_above) - ratio * mean(below, k, cost_below);
        squares += rest * rest;
    }
    auto const half = two_sided_quantile(sets, 0.95) * std::sqrt(squares / (sets - 1.0)) /
                      std::sqrt(sets) / (below_sum / sets);
    return fmt::format("on {} other draws: {:.6f} ± {:.6f} (95 %)\n",
                       FreshCosts::sets * options.draw_count(), ratio, half);
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
