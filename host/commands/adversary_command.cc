#include "analysis/adversary/theorem_4_1.hh"
#include "analysis/statistics/finite_size_fit.hh"
#include "host/commands/command_line.hh"
#include "host/commands/commands.hh"
#include "host/error.hh"
#include "host/experiment/policy_parameters.hh"
#include "host/output_file.hh"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

namespace crx {
namespace {

struct AdversaryOptions
{
    std::vector<std::string> policies;
    std::vector<std::int64_t> memories;
    std::string told = "exact";
    bool json = false;
};

using OrderedJson = nlohmann::ordered_json;

/// k of M = 4 k^2. Throws ConfigError for any other M.
std::int64_t side_of(std::int64_t memory)
{
    auto const k = std::llround(std::sqrt(static_cast<double>(memory)) / 2);
    if (k >= 1 && 4 * k * k == memory) return k;
    throw ConfigError("command line", "--memory", std::to_string(memory),
                      "4 k^2 for a whole k, as 400, 10000 or 100000000: else M - sqrt(M)/2 is no "
                      "round");
}

/// Throws ConfigError for a value that occurs twice: it would count twice in the slopes.
std::vector<std::int64_t> sides_of(std::vector<std::int64_t> const& memories)
{
    std::vector<std::int64_t> sides;
    for (auto const memory : memories) {
        sides.push_back(side_of(memory));
        if (std::count(sides.begin(), sides.end(), sides.back()) > 1)
            throw ConfigError("command line", "--memory", std::to_string(memory),
                              "given once: the slopes are over different M");
    }
    return sides;
}

PolicySpec deterministic_policy(std::string const& id)
{
    auto const accepted = grouped_policy_ids();
    if (std::ranges::find(accepted, id) != accepted.end()) return {find_policy(id)->kind};
    throw ConfigError("command line", "--policy", id,
                      fmt::format("one of {}: the theorem speaks of deterministic policies, the "
                                  "proof of those that never cancel",
                                  fmt::join(accepted, ", ")));
}

OrderedJson row_of(std::string const& policy, AdversaryResult const& game)
{
    return {{"policy", policy},
            {"memory", game.memory},
            {"requests", game.requests},
            {"long_start", game.long_start},
            {"release", game.release},
            {"total_latency", game.total_latency},
            {"opt_upper_bound", game.opt_upper_bound},
            {"ratio_at_least", game.ratio_lower_bound()},
            {"proven", game.proven_ratio()}};
}

/// Slope of the logarithm of the ratio against that of M, plain, with the ratio's known correction
/// M^-1/2, and between neighbours; null below four M.
OrderedJson slope_of(std::string const& policy, std::vector<AdversaryResult> games)
{
    std::ranges::sort(games, {}, &AdversaryResult::memory);
    std::vector<FitPoint> points;
    for (auto const& game : games)
        points.push_back({static_cast<double>(game.memory), game.ratio_lower_bound(), {}});
    auto const fit = regress_finite_size(points, 0.95);
    if (!fit) return {};
    auto const plain = regress_power(points, 0.95).value();
    OrderedJson local = OrderedJson::array();
    for (std::size_t i = 1; i < points.size(); ++i)
        local.push_back(std::log(points[i].y / points[i - 1].y) /
                        std::log(points[i].x / points[i - 1].x));
    return {{"policy", policy},
            {"slope", fit->slope},
            {"slope_low", fit->slope - fit->half_width},
            {"slope_high", fit->slope + fit->half_width},
            {"correction", fit->correction},
            {"plain_slope", plain.slope},
            {"plain_slope_low", plain.slope - plain.scatter.value()},
            {"plain_slope_high", plain.slope + plain.scatter.value()},
            {"local_slopes", local}};
}

std::string slope_text(OrderedJson const& slope)
{
    auto const number = [&](char const* key) { return slope[key].get<double>(); };
    std::string local;
    for (auto const& between : slope["local_slopes"])
        local += fmt::format(" {:.5f}", between.get<double>());
    return fmt::format(
        "{}: log-log slope {:.6f}, 95 % interval {:.6f} to {:.6f}, with the term M^-1/2 (factor "
        "{:.3f});\n  without that term {:.5f}, {:.5f} to {:.5f}; from M to M:{}\n",
        slope["policy"].get<std::string>(), number("slope"), number("slope_low"),
        number("slope_high"), number("correction"), number("plain_slope"),
        number("plain_slope_low"), number("plain_slope_high"), local);
}

void run(AdversaryOptions const& given)
{
    auto const told = given.told == "exact" ? ToldLengths::exact : ToldLengths::range;
    auto const sides = sides_of(given.memories);
    std::vector<PolicySpec> specs;
    for (auto const& id : given.policies) specs.push_back(deterministic_policy(id));

    OrderedJson rows = OrderedJson::array(), slopes = OrderedJson::array();
    for (std::size_t p = 0; p < specs.size(); ++p) {
        std::vector<AdversaryResult> games;
        for (auto const k : sides) {
            games.push_back(play_theorem_4_1(specs[p], k, told));
            rows.push_back(row_of(given.policies[p], games.back()));
        }
        if (auto slope = slope_of(given.policies[p], games); !slope.is_null())
            slopes.push_back(std::move(slope));
    }
    if (given.json) {
        write_stdout(OrderedJson{{"games", rows}, {"slopes", slopes}}.dump(1) + "\n");
        return;
    }
    std::string text =
        fmt::format("{:<14}{:>12}{:>12}{:>18}{:>16}{:>14}{:>14}\n", "policy", "M", "release",
                    "total latency", "OPT at most", "ratio over", "sqrt(M)/28");
    for (auto const& row : rows)
        text += fmt::format(
            "{:<14}{:>12}{:>12}{:>18}{:>16}{:>14.6g}{:>14.6g}\n", row["policy"].get<std::string>(),
            row["memory"].get<std::int64_t>(), row["release"].get<std::int64_t>(),
            row["total_latency"].get<std::int64_t>(), row["opt_upper_bound"].get<std::int64_t>(),
            row["ratio_at_least"].get<double>(), row["proven"].get<double>());
    for (auto const& slope : slopes) text += slope_text(slope);
    write_stdout(text);
}

} // namespace

void add_adversary_command(CLI::App& app)
{
    Command const command(
        app, "adversary",
        "Play JAILLET Theorem 4.1's adaptive adversary against deterministic policies");
    command->footer(
        "The ratio shown is to the better of the proof's schedule and the policy's own, so "
        "the ratio\nto OPT is at least that.\n"
        "Example: crx adversary --policy mc-sf --memory 10000,1000000,100000000");
    auto const given = std::make_shared<AdversaryOptions>();
    given->policies = {"mc-sf", "mc-sf-total", "mc-benchmark", "a-max"};
    for (std::int64_t const k : {50, 100, 250, 500, 1000, 2500, 5000})
        given->memories.push_back(4 * k * k);
    command->add_option("--policy", given->policies, "Policies, parted by commas")->delimiter(',');
    command->add_option("--memory", given->memories, "Values of M = 4 k^2, parted by commas")
        ->delimiter(',')
        ->check(whole_number<std::int64_t>(4, 1'600'000'000));
    command
        ->add_option("--lengths", given->told,
                     "What a-max is told: exact lengths, or the range 1 .. M - 1 for all")
        ->one_of({"exact", "range"})
        ->capture_default_str();
    command->add_flag("--json", given->json, "JSON");
    command->callback([given] { run(*given); });
}

} // namespace crx
