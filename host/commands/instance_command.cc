#include "analysis/adversary/theorem_4_1.hh"
#include "analysis/adversary/grouped_run.hh"
#include "analysis/adversary/wang_family.hh"
#include "analysis/adversary/reductions.hh"
#include "analysis/sorted_f/two_groups.hh"
#include "analysis/statistics/regression.hh"
#include "host/commands/command_line.hh"
#include "host/commands/commands.hh"
#include "host/error.hh"
#include "host/experiment/policy_list.hh"
#include "host/input/accepted.hh"
#include "host/output_file.hh"
#include "host/simulate/run_report.hh"
#include "host/simulate/simulate.hh"
#include "host/store/sums_text.hh"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <fmt/ranges.h>

namespace crx {
namespace {

using OrderedJson = nlohmann::ordered_json;

constexpr char const* adaptive = "adaptive";
constexpr char const* reductions[] = {"3-partition", "partition"};
constexpr std::int64_t most_written_requests = 10'000'000;

struct InstanceOptions
{
    std::vector<std::string> names, policies;
    std::vector<std::int64_t> memories, numbers;
    std::string told = "exact", output;
    bool json = false;
};

/// A published construction, for the list: requests are (prompt, output).
struct Construction
{
    std::string name, source, text;
};

std::vector<Construction> constructions()
{
    std::vector<Construction> all{{adaptive, "JAILLET Theorem 4.1",
                                   "1 of (1, M - 1), then M/2 of (1, 1) that come when little "
                                   "memory is left; against policies that never cancel"}};
    for (auto const& family : wang_families())
        all.push_back({std::string(family.id), "WANG",
                       fmt::format("{}; against {}", family.groups, family.hurts)});
    all.push_back({reductions[0], "WANG Theorem 2", "3-Partition of --numbers, as total latency"});
    all.push_back({reductions[1], "WANG Theorem EC.2", "Partition of --numbers, as makespan"});
    return all;
}

std::string list_of_constructions()
{
    std::string text;
    for (auto const& c : constructions())
        text += fmt::format("  {:<19} {:<20} {}\n", c.name, c.source, c.text);
    return text;
}

bool is_reduction(std::string const& name)
{
    return std::ranges::find(reductions, name) != std::end(reductions);
}

void check_name(std::string const& name)
{
    std::vector<std::string> names;
    for (auto const& c : constructions()) names.push_back(c.name);
    if (std::ranges::find(names, name) == names.end())
        throw ConfigError("command line", "NAME", name,
                          "one of " + listed_with_nearest(name, names));
}

// --- the instance of a memory
// ---------------------------------------------------------------------

/// k of M = 4 k^2. Throws ConfigError for any other M.
std::int64_t side_of(std::int64_t memory)
{
    auto const k = std::llround(std::sqrt(static_cast<double>(memory)) / 2);
    if (k >= 1 && 4 * k * k == memory) return k;
    throw ConfigError("command line", "--memory", std::to_string(memory),
                      "4 k^2 for a whole k, as 400, 10000 or 100000000: else M - sqrt(M)/2 is no "
                      "round");
}

/// sqrt M. Throws ConfigError for an M that the family does not have.
std::int64_t root_of(WangFamily const& family, std::int64_t memory)
{
    auto const root = std::llround(std::sqrt(static_cast<double>(memory)));
    auto const half = std::llround(std::sqrt(static_cast<double>(root)));
    auto const is_square = root * root == memory;
    auto const is_fourth = is_square && half * half == root;
    auto const fourth = family.root_is_power == 2;
    if (root >= family.least_root && root <= most_family_root && (fourth ? is_fourth : is_square))
        return root;
    auto const least = static_cast<double>(family.least_root);
    throw ConfigError(
        "command line", "--memory", std::to_string(memory),
        fmt::format("k^{} with k >= {} for {}, at most 10^8: its counts are whole then",
                    fourth ? 4 : 2, fourth ? std::sqrt(least) : least, family.id));
}

PolicySpec grouped_policy(std::string const& id, char const* also)
{
    auto const accepted = grouped_policy_ids();
    if (std::ranges::find(accepted, id) != accepted.end()) return {find_policy(id)->kind};
    throw ConfigError(
        "command line", "--policy", id,
        fmt::format("one of {}{}: policies that never cancel", fmt::join(accepted, ", "), also));
}

AdversaryResult play(InstanceOptions const& given, std::string const& policy, std::int64_t memory)
{
    return play_theorem_4_1(grouped_policy(policy, ""), side_of(memory),
                            given.told == "exact" ? ToldLengths::exact : ToldLengths::range);
}

// --- rows
// -------------------------------------------------------------------------------------------

/// An integer as JSON has it, or as a text of its digits where that is 2^63 or more.
OrderedJson exact(Unsigned128 value)
{
    if (value >> 63 == 0) return static_cast<std::int64_t>(value);
    return to_text(value);
}

void add_adaptive_rows(InstanceOptions const& given, std::string const& policy, OrderedJson& rows)
{
    for (auto const memory : given.memories) {
        auto const game = play(given, policy, memory);
        rows.push_back({{"instance", adaptive},
                        {"policy", policy},
                        {"memory", game.memory},
                        {"requests", game.requests},
                        {"long_start", game.long_start},
                        {"release", game.release},
                        {"total_latency", game.total_latency},
                        {"opt_lower_bound", nullptr},
                        {"opt_upper_bound", game.opt_upper_bound},
                        {"ratio_at_least", game.ratio_lower_bound()},
                        {"ratio_at_most", nullptr},
                        {"theorem_bound", game.proven_ratio()},
                        {"leading_term", nullptr}});
    }
}

Unsigned128 total_of(std::string const& policy, std::vector<RequestGroup> const& groups,
                     Tokens memory)
{
    if (policy == sorted_f_id) return sorted_f::run_two_groups(groups, memory).total_latency;
    return run_grouped(grouped_policy(policy, " or sorted-f (exact selector)"), groups, memory)
        .total_latency;
}

/// One instance under each policy; OPT is between `volume` and the least TEL seen, that of the two
/// groups one after the other in either order included.
void add_family_rows(InstanceOptions const& given, WangFamily const& family, std::int64_t memory,
                     OrderedJson& rows)
{
    auto const groups = family.make(root_of(family, memory));
    std::vector<Unsigned128> totals;
    for (auto const& id : given.policies) totals.push_back(total_of(id, groups, memory));
    auto upper = *std::ranges::min_element(totals);
    for (std::size_t first : {0, 1}) {
        std::vector<sorted_f::Segment> const order{{first, groups[first].count},
                                                   {1 - first, groups[1 - first].count}};
        upper = std::min(upper, sorted_f::run_segments(groups, memory, order).total_latency);
    }
    auto const lower = volume_of_groups(groups, memory);
    for (std::size_t k = 0; k < totals.size(); ++k) {
        auto const total = static_cast<double>(totals[k]);
        rows.push_back({{"instance", family.id},
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
        if (given.policies[k] == family.hurts)
            rows.back()[family.of_theorem ? "theorem_bound" : "leading_term"] =
                family.coefficient * std::pow(static_cast<double>(memory), family.exponent);
    }
}

/// Slopes of the logarithm of the ratio against that of M for one instance and policy: of all M by
/// least squares, and from each M to the next. The values are exact, so that only the adaptive
/// instance has an interval, for the unknown size of its correction M^-1/2 (from four M on).
OrderedJson slope_of(OrderedJson const& rows, std::string const& name, std::string const& policy)
{
    std::vector<FitPoint> points;
    for (auto const& row : rows)
        if (row["instance"] == name && row["policy"] == policy)
            points.push_back(
                {row["memory"].get<double>(), row["ratio_at_least"].get<double>(), {}});
    std::ranges::sort(points, {}, &FitPoint::x);
    auto const plain = regress_power(points, 0.95);
    if (!plain) return {};
    auto local = OrderedJson::array();
    for (std::size_t k = 1; k < points.size(); ++k)
        local.push_back(std::log(points[k].y / points[k - 1].y) /
                        std::log(points[k].x / points[k - 1].x));
    OrderedJson slope{
        {"instance", name}, {"policy", policy}, {"slope", plain->slope}, {"local_slopes", local}};
    if (auto const fit = regress_finite_size(points, 0.95); fit && name == adaptive) {
        slope["corrected_slope"] = fit->slope;
        slope["corrected_slope_low"] = fit->slope - fit->half_width;
        slope["corrected_slope_high"] = fit->slope + fit->half_width;
        slope["correction"] = fit->correction;
    }
    return slope;
}

/// A slope; one that rounds to 0 has no sign.
std::string five_places(OrderedJson const& number)
{
    auto const slope = number.get<double>();
    return fmt::format("{:.5f}", std::abs(slope) < 5e-6 ? 0.0 : slope);
}

std::string or_dash(OrderedJson const& number)
{
    return number.is_null() ? "-" : fmt::format("{:.6g}", number.get<double>());
}

std::string as_text(OrderedJson const& rows, OrderedJson const& slopes)
{
    auto text = fmt::format("{:<19}{:<13}{:>10}{:>15}{:>23}{:>12}{:>12}{:>12}{:>12}\n", "instance",
                            "policy", "M", "requests", "total latency",
                            "ratio >=", "ratio <=", "theorem", "leading");
    for (auto const& row : rows)
        text +=
            fmt::format("{:<19}{:<13}{:>10}{:>15}{:>23}{:>12}{:>12}{:>12}{:>12}\n",
                        row["instance"].get<std::string>(), row["policy"].get<std::string>(),
                        row["memory"].get<std::int64_t>(), row["requests"].get<std::int64_t>(),
                        row["total_latency"].is_string() ? row["total_latency"].get<std::string>()
                                                         : row["total_latency"].dump(),
                        or_dash(row["ratio_at_least"]), or_dash(row["ratio_at_most"]),
                        or_dash(row["theorem_bound"]), or_dash(row["leading_term"]));
    for (auto const& slope : slopes) {
        text += fmt::format("{}, {}: log-log slope {}; from M to M",
                            slope["instance"].get<std::string>(),
                            slope["policy"].get<std::string>(), five_places(slope["slope"]));
        for (auto const& local : slope["local_slopes"]) text += " " + five_places(local);
        if (slope.contains("corrected_slope"))
            text += fmt::format("\n  with a term M^-1/2: {:.6f}, 95 % interval {:.6f} to {:.6f}",
                                slope["corrected_slope"].get<double>(),
                                slope["corrected_slope_low"].get<double>(),
                                slope["corrected_slope_high"].get<double>());
        text += "\n";
    }
    return text;
}

// --- what the command does
// ---------------------------------------------------------------------------

/// The one instance asked for as an instance file.
void write_groups(InstanceOptions const& given)
{
    auto const& name = given.names.front();
    if (given.names.size() != 1 || given.memories.size() != 1 ||
        (name == adaptive && given.policies.size() != 1))
        throw ConfigError("command line", "--output", given.output,
                          "given with one NAME and one --memory, and for adaptive one --policy");
    auto const memory = given.memories.front();
    auto const* const family = find_wang_family(name);
    auto const groups = family != nullptr ? family->make(root_of(*family, memory))
                                          : play(given, given.policies.front(), memory).groups;
    if (groups[0].count + groups[1].count > most_written_requests)
        throw ConfigError("command line", "--memory", std::to_string(memory),
                          fmt::format("smaller: a file of at most {} requests is written",
                                      most_written_requests));
    OwnedInstance instance;
    for (auto const& g : groups) {
        auto const n = instance.output.size() + static_cast<std::size_t>(g.count);
        instance.arrival.resize(n, g.arrival);
        instance.prompt.resize(n, g.prompt);
        instance.output.resize(n, g.output);
        instance.lower.resize(n, g.lower);
        instance.upper.resize(n, g.upper);
    }
    write_file(given.output, instance_as_csv(instance));
}

void run_constructions(InstanceOptions given, std::set<std::string> const& options)
{
    if (!options.contains("--policy")) given.policies = {"mc-sf", "mc-sf-total", sorted_f_id};
    if (!options.contains("--memory")) given.memories = {10'000, 160'000, 6'250'000, 100'000'000};
    auto for_adaptive = given;
    if (!options.contains("--policy"))
        for_adaptive.policies = {"mc-sf", "mc-sf-total", "mc-benchmark", "a-max"};
    if (!options.contains("--memory")) {
        for_adaptive.memories.clear();
        for (std::int64_t const k : {50, 100, 250, 500, 1000, 2500, 5000})
            for_adaptive.memories.push_back(4 * k * k);
    }
    auto const of = [&](std::string const& name) -> InstanceOptions const& {
        return name == adaptive ? for_adaptive : given;
    };
    for (auto const& name : given.names) // before anything runs
        for (auto const memory : of(name).memories) {
            name == adaptive ? side_of(memory) : root_of(*find_wang_family(name), memory);
            if (std::ranges::count(of(name).memories, memory) > 1)
                throw ConfigError("command line", "--memory", std::to_string(memory),
                                  "given once: the slopes are over different M");
        }
    if (!given.output.empty()) write_groups(of(given.names.front()));
    OrderedJson rows = OrderedJson::array(), slopes = OrderedJson::array();
    for (auto const& name : given.names) {
        if (name == adaptive)
            for (auto const& policy : for_adaptive.policies)
                add_adaptive_rows(for_adaptive, policy, rows);
        else
            for (auto const memory : given.memories)
                add_family_rows(given, *find_wang_family(name), memory, rows);
        for (auto const& policy : of(name).policies)
            if (auto slope = slope_of(rows, name, policy); !slope.is_null())
                slopes.push_back(std::move(slope));
    }
    write_stdout(given.json ? OrderedJson{{"runs", rows}, {"slopes", slopes}}.dump(1) + "\n"
                            : as_text(rows, slopes));
}

void write_reduction(InstanceOptions const& given)
{
    auto const& name = given.names.front();
    bool const triples = name == reductions[0];
    auto const fault =
        triples ? three_partition_fault(given.numbers) : partition_fault(given.numbers);
    if (!fault.empty())
        throw ConfigError("command line", "--numbers",
                          fmt::format("{}", fmt::join(given.numbers, ",")), fault);
    if (given.output.empty())
        throw InputError("crx instance " + name + ": --output FILE is missing");
    auto const made =
        triples ? reduce_three_partition(given.numbers) : reduce_partition(given.numbers);
    write_file(given.output, instance_as_csv(made.instance));
    auto const* const measure = triples ? "total latency" : "makespan";
    if (given.json) {
        OrderedJson const object{{"instance", name},
                                 {"file", given.output},
                                 {"requests", given.numbers.size()},
                                 {"memory", made.instance.memory},
                                 {"measure", measure},
                                 {"threshold", made.threshold}};
        return write_stdout(object.dump(1) + "\n");
    }
    auto text = fmt::format(
        "made {}: {} requests, M = {}\nyes exactly if some schedule has {} {}\n", given.output,
        given.numbers.size(), made.instance.memory, measure, made.threshold);
    if (triples)
        text += fmt::format("next: crx baseline --instance {} --memory {}\n", given.output,
                            made.instance.memory);
    write_stdout(text);
}

void run(InstanceOptions const& given, std::set<std::string> const& options)
{
    if (given.names.empty())
        return write_stdout("Published constructions; requests are (prompt, output):\n" +
                            list_of_constructions() + "crx instance NAME says how bad one is.\n");
    for (auto const& name : given.names) check_name(name);
    for (auto const& name : given.names) {
        if (is_reduction(name) && given.names.size() > 1)
            throw InputError("crx instance: " + name + " must be the only NAME");
        for (auto const* const option : {"--memory", "--policy", "--lengths", "--numbers"})
            if (options.contains(option) &&
                is_reduction(name) != (option == std::string("--numbers")))
                throw InputError(fmt::format("crx instance {}: it takes no {}", name, option));
    }
    check_outputs({{"--output", given.output}}, {});
    if (is_reduction(given.names.front())) return write_reduction(given);
    run_constructions(given, options);
}

} // namespace

void add_instance_command(CLI::App& app)
{
    Command const command(app, "instance",
                          "List published constructions, run policies on one, write one to a file");
    command->footer(
        "Constructions; requests are (prompt, output):\n" + list_of_constructions() +
        "Printed are bounds of the policy's ratio to the optimum. ratio >= is over the least total "
        "latency\nof the policies named and of the proof's schedules; ratio <= over the volume "
        "bound. theorem: the\nlower bound that the paper claims; leading: the term that grows, "
        "derived for it. Slopes are of\nratio >= in M.\n"
        "Example: crx instance theorem-1-full --memory 10000,1000000,100000000\n"
        "         crx instance theorem-1-full --memory 256 --output family.csv\n"
        "         crx instance 3-partition --numbers 8,9,10,8,8,11 --output yes.csv");
    auto const given = std::make_shared<InstanceOptions>();
    command->add_option("NAME", given->names, "Constructions; the list of all if left out");
    command->add_option("--policy", given->policies, "Policies, parted by commas")->delimiter(',');
    command->add_option("--memory", given->memories, "Values of M, parted by commas")
        ->delimiter(',')
        ->check(whole_number<std::int64_t>(4, 1'600'000'000));
    command
        ->add_option("--lengths", given->told,
                     "What a-max is told in adaptive: exact lengths, or the range 1 .. M - 1")
        ->one_of({"exact", "range"})
        ->capture_default_str();
    command->add_option("--numbers", given->numbers, "Numbers to part, parted by commas")
        ->delimiter(',')
        ->check(whole_number<std::int64_t>(1, 1'000'000'000));
    command->add_option("-o,--output", given->output, "Write the instance as a CSV for simulate");
    command->add_flag("--json", given->json, "JSON; integers of 2^63 or more as texts of digits");
    command->callback([given, command] { run(*given, command.given()); });
}

} // namespace crx
