#include "analysis/adversary/volume_of_groups.hh"
#include "analysis/adversary/wang_family.hh"
#include "analysis/sorted_f/two_groups.hh"
#include "analysis/statistics/regression.hh"
#include "host/commands/command_line.hh"
#include "host/commands/commands.hh"
#include "host/error.hh"
#include "host/experiment/policy_list.hh"
#include "host/experiment/policy_parameters.hh"
#include "host/input/accepted.hh"
#include "host/output_file.hh"
#include "host/simulate/run_report.hh"
#include "host/store/tables/integer_text.hh"

#include <cmath>
#include <fmt/format.h>
#include <fmt/ranges.h>

namespace crx {
namespace {

struct FamilyOptions
{
    std::vector<std::string> families, policies;
    std::vector<std::int64_t> memories;
    std::string instance;
    bool json = false;
};

using OrderedJson = nlohmann::ordered_json;

constexpr std::int64_t most_written_requests = 10'000'000;

WangFamily const& family_named(std::string const& id)
{
    if (auto const* family = find_wang_family(id)) return *family;
    std::vector<std::string> ids;
    for (auto const& family : wang_families()) ids.emplace_back(family.id);
    throw ConfigError("command line", "--family", id, "one of " + listed_with_nearest(id, ids));
}

/// sqrt M. Throws ConfigError for an M that the family does not have.
std::int64_t root_of(WangFamily const& family, std::int64_t memory)
{
    auto const root = std::llround(std::sqrt(static_cast<double>(memory)));
    auto const half = std::llround(std::sqrt(static_cast<double>(root)));
    auto const is_square = root * root == memory;
    auto const is_fourth = is_square && half * half == root;
    auto const fourth = family.root_is_power == 2;
    if (root >= family.least_root && (fourth ? is_fourth : is_square)) return root;
    auto const least = static_cast<double>(family.least_root);
    throw ConfigError("command line", "--memory", std::to_string(memory),
                      fmt::format("k^{} with k >= {} for family {}: its counts are whole then",
                                  fourth ? 4 : 2, fourth ? std::sqrt(least) : least, family.id));
}

GroupedRun run_policy(std::string const& id, std::vector<RequestGroup> const& groups, Tokens memory)
{
    if (id == sorted_f_id) return sorted_f::run_two_groups(groups, memory);
    return run_grouped(policy_argument(id, {}), groups, memory);
}

void check_policy(std::string const& id)
{
    if (id == sorted_f_id) return;
    auto const accepted = grouped_policy_ids();
    if (std::ranges::find(accepted, id) != accepted.end()) return;
    throw ConfigError("command line", "--policy", id,
                      fmt::format("{} or sorted-f (exact selector)", fmt::join(accepted, ", ")));
}

/// An integer as JSON has it, or as a text of its digits where that is 2^63 or more.
OrderedJson exact(Unsigned128 value)
{
    if (value >> 63 == 0) return static_cast<std::int64_t>(value);
    return to_text(value);
}

/// One instance under each policy; OPT is between `volume` and the least TEL seen, that of the two
/// groups one after the other in either order included.
void add_rows(FamilyOptions const& given, WangFamily const& family, std::int64_t memory,
              OrderedJson& rows)
{
    auto const groups = family.make(root_of(family, memory));
    std::vector<Unsigned128> totals;
    for (auto const& id : given.policies)
        totals.push_back(run_policy(id, groups, memory).total_latency);
    auto upper = *std::ranges::min_element(totals);
    for (std::size_t first : {0, 1}) {
        std::vector<sorted_f::Segment> const order{{first, groups[first].count},
                                                   {1 - first, groups[1 - first].count}};
        upper = std::min(upper, sorted_f::run_segments(groups, memory, order).total_latency);
    }
    auto const lower = volume_of_groups(groups, memory);
    for (std::size_t k = 0; k < totals.size(); ++k) {
        auto const total = static_cast<double>(totals[k]);
        auto const named = given.policies[k] == family.hurts;
        rows.push_back({{"family", family.id},
                        {"policy", given.policies[k]},
                        {"memory", memory},
                        {"requests", groups[0].count + groups[1].count},
                        {"total_latency", exact(totals[k])},
                        {"opt_lower_bound", exact(lower)},
                        {"opt_upper_bound", exact(upper)},
                        {"ratio_at_least", total / static_cast<double>(upper)},
                        {"ratio_at_most", total / static_cast<double>(lower)},
                        {"theorem_bound", nullptr},
                        {"leading_term", nullptr}});
        if (named)
            rows.back()[family.of_theorem ? "theorem_bound" : "leading_term"] =
                family.coefficient * std::pow(static_cast<double>(memory), family.exponent);
    }
}

/// Slopes of the logarithm of the ratio against that of M for one family and policy: from each M to
/// the next, and of all by least squares. The values are exact, so there is nothing random that an
/// interval could speak of.
OrderedJson slope_of(OrderedJson const& rows, std::string_view family, std::string const& policy)
{
    std::vector<FitPoint> points;
    for (auto const& row : rows)
        if (row["family"] == family && row["policy"] == policy)
            points.push_back(
                {row["memory"].get<double>(), row["ratio_at_least"].get<double>(), {}});
    auto const fit = regress_power(points, 0.95);
    if (!fit) return {};
    auto local = OrderedJson::array();
    for (std::size_t k = 1; k < points.size(); ++k)
        local.push_back(std::log(points[k].y / points[k - 1].y) /
                        std::log(points[k].x / points[k - 1].x));
    return {{"family", family}, {"policy", policy}, {"slope", fit->slope}, {"local_slopes", local}};
}

/// A slope; one that rounds to 0 has no sign.
std::string five_places(double slope)
{
    return fmt::format("{:.5f}", std::abs(slope) < 5e-6 ? 0.0 : slope);
}

std::string or_dash(OrderedJson const& number)
{
    return number.is_null() ? "-" : fmt::format("{:.6g}", number.get<double>());
}

std::string as_text(OrderedJson const& rows, OrderedJson const& slopes)
{
    auto text =
        fmt::format("{:<19}{:<13}{:>10}{:>15}{:>23}{:>12}{:>12}{:>12}{:>12}\n", "family", "policy",
                    "M", "requests", "total latency", "ratio >=", "ratio <=", "theorem", "leading");
    for (auto const& row : rows)
        text +=
            fmt::format("{:<19}{:<13}{:>10}{:>15}{:>23}{:>12.6g}{:>12.6g}{:>12}{:>12}\n",
                        row["family"].get<std::string>(), row["policy"].get<std::string>(),
                        row["memory"].get<std::int64_t>(), row["requests"].get<std::int64_t>(),
                        row["total_latency"].is_string() ? row["total_latency"].get<std::string>()
                                                         : row["total_latency"].dump(),
                        row["ratio_at_least"].get<double>(), row["ratio_at_most"].get<double>(),
                        or_dash(row["theorem_bound"]), or_dash(row["leading_term"]));
    for (auto const& slope : slopes) {
        text += fmt::format("{}, {}: log-log slope {}; from M to M",
                            slope["family"].get<std::string>(), slope["policy"].get<std::string>(),
                            five_places(slope["slope"].get<double>()));
        for (auto const& local : slope["local_slopes"])
            text += fmt::format(" {}", five_places(local.get<double>()));
        text += "\n";
    }
    return text;
}

/// The one instance asked for as an instance file.
void write_instance(FamilyOptions const& given)
{
    if (given.families.size() != 1 || given.memories.size() != 1)
        throw ConfigError("command line", "--write-instance", given.instance,
                          "given with one --family and one --memory");
    auto const& family = family_named(given.families.front());
    auto const groups = family.make(root_of(family, given.memories.front()));
    if (groups[0].count + groups[1].count > most_written_requests)
        throw ConfigError("command line", "--memory", std::to_string(given.memories.front()),
                          fmt::format("smaller: a file of at most {} requests is written",
                                      most_written_requests));
    OwnedInstance instance;
    for (auto const& g : groups) {
        auto const n = instance.output.size() + static_cast<std::size_t>(g.count);
        instance.arrival.resize(n, 0);
        instance.prompt.resize(n, g.prompt);
        instance.output.resize(n, g.output);
    }
    instance.lower = instance.upper = instance.output;
    write_file(given.instance, instance_as_csv(instance));
}

void run(FamilyOptions const& given)
{
    for (auto const& id : given.families)
        for (auto const memory : given.memories) root_of(family_named(id), memory);
    for (auto const& id : given.policies) check_policy(id);
    check_outputs({{"--write-instance", given.instance}}, {});
    if (!given.instance.empty()) write_instance(given);
    OrderedJson rows = OrderedJson::array(), slopes = OrderedJson::array();
    for (auto const& id : given.families) {
        for (auto const memory : given.memories) add_rows(given, family_named(id), memory, rows);
        for (auto const& policy : given.policies)
            if (auto slope = slope_of(rows, id, policy); !slope.is_null())
                slopes.push_back(std::move(slope));
    }
    write_stdout(given.json ? OrderedJson{{"runs", rows}, {"slopes", slopes}}.dump(1) + "\n"
                            : as_text(rows, slopes));
}

} // namespace

void add_family_command(CLI::App& app)
{
    Command const command(
        app, "family", "Run families of instances on which WANG's policies do badly, to M = 10^8");
    std::string footer = "Families, as (prompt, output):\n";
    for (auto const& family : wang_families())
        footer += fmt::format("  {:<19} {}; against {}\n", family.id, family.groups, family.hurts);
    command->footer(footer +
                    "ratio >= is over the least total latency of the policies named and of the two "
                    "groups one\nafter the other; ratio <= over the volume bound. theorem: the "
                    "lower bound that the "
                    "theorem\nclaims for this family; leading: the term of the ratio that grows, "
                    "derived for it. Slopes are\nof ratio >=.\n"
                    "Example: crx family --family theorem-1-full --memory 10000,1000000,100000000");
    auto const given = std::make_shared<FamilyOptions>();
    for (auto const& family : wang_families()) given->families.emplace_back(family.id);
    given->policies = {"mc-sf", "mc-sf-total", sorted_f_id};
    given->memories = {10'000, 160'000, 6'250'000, 100'000'000};
    command->add_option("--family", given->families, "Families, parted by commas; else all")
        ->delimiter(',');
    command->add_option("--policy", given->policies, "Policies, parted by commas")->delimiter(',');
    command->add_option("--memory", given->memories, "Values of M, squares or fourth powers")
        ->delimiter(',')
        ->check(whole_number<std::int64_t>(4, most_family_root * most_family_root));
    command->add_option("--write-instance", given->instance,
                        "Write the instance as a CSV that simulate reads");
    command->add_flag("--json", given->json, "JSON; integers of 2^63 or more as texts of digits");
    command->callback([given] { run(*given); });
}

} // namespace crx
