#include "host/search/records.hh"

#include "analysis/bounds/curve_catalogue.hh"
#include "host/error.hh"
#include "host/output_file.hh"
#include "host/search/found_file.hh"

#include <algorithm>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace crx {
namespace {

using Json = nlohmann::ordered_json;

RecordCost cost_of(SearchOptions const& options)
{
    RecordCost cost;
    cost.policy = options.policy;
    cost.selector = options.selector;
    cost.over = options.over;
    cost.restriction = options.restriction;
    cost.interval = options.interval;
    cost.requests = options.requests;
    cost.memory = options.memory;
    cost.last_arrival = options.last_arrival;
    return cost;
}

Json as_json(RecordCost const& cost)
{
    return {{"policy", cost.policy},
            {"selector", cost.selector},
            {"over", cost.over},
            {"class", cost.restriction},
            {"interval", cost.interval},
            {"requests", cost.requests},
            {"memory", cost.memory},
            {"last_arrival", cost.last_arrival},
            {"searches", cost.searches},
            {"neighbours", cost.neighbours},
            {"processor_seconds", cost.processor_seconds}};
}

RecordCost read_cost(std::filesystem::path const& file)
{
    auto const object = read_json_file(file);
    try {
        RecordCost cost;
        cost.policy = object.at("policy");
        cost.selector = object.at("selector");
        cost.over = object.at("over");
        cost.restriction = object.at("class");
        cost.interval = object.at("interval");
        cost.requests = object.at("requests");
        cost.memory = object.at("memory");
        cost.last_arrival = object.at("last_arrival");
        cost.searches = object.at("searches");
        cost.neighbours = object.at("neighbours");
        cost.processor_seconds = object.at("processor_seconds");
        return cost;
    } catch (std::exception const& error) {
        throw InputError(file.string() + ": " + reason_of(error));
    }
}

std::string class_text(RecordCost const& cost)
{
    auto text = cost.restriction;
    if (!cost.interval.empty()) text += ", l/u = " + cost.interval;
    if (cost.last_arrival > 0) text += fmt::format(", arrivals to {}", cost.last_arrival);
    return text;
}

/// l / u of a text as "1/4".
double alpha_of(std::string const& interval)
{
    auto const slash = interval.find('/');
    return std::stod(interval.substr(0, slash)) / std::stod(interval.substr(slash + 1));
}

/// What is published of the policy in the class, with its claim (docs/claims.md).
std::string published_bound(RecordCost const& cost)
{
    auto const over_schedules = cost.over != "volume";
    if (cost.last_arrival > 0)
        return cost.policy == "mc-sf" && over_schedules ? "none: grows as sqrt n (J-4.1)" : "-";
    if (cost.policy == "mc-sf" && over_schedules) {
        if (cost.restriction == "identical") return "4 (J-4.3b)";
        if (cost.restriction == "equal-prompts") return "9216 where M >= 2 (s + o) (J-4.3a)";
        return "none: grows as sqrt M (W-1)";
    }
    if (cost.policy == "mc-sf-total" && cost.restriction == "any" && over_schedules)
        return "none: grows as sqrt M (W-EC1)";
    if (cost.policy == "sorted-f" && cost.selector == "exact" && over_schedules)
        return "48 (W-3, not proved)";
    if (cost.policy == "a-max" && cost.over == "h-sf" && !cost.interval.empty() &&
        cost.restriction != "any" && cost.restriction != "small") {
        auto const alpha = alpha_of(cost.interval);
        return fmt::format("{:.4g} + O(1/M) (C-3.3{})",
                           bounds::find_curve("chen-3.3")->evaluate({{"alpha", alpha}}).value(),
                           alpha <= 0.24 ? "" : ", not proved");
    }
    return "-";
}

} // namespace

std::string record_name(SearchOptions const& options)
{
    if (!options.against.empty())
        throw ConfigError("command line", "--against", options.against,
                          "left out: records are ratios");
    if (options.measure != "tel")
        throw ConfigError("command line", "--measure", options.measure,
                          "tel: records are of total latency");
    auto const& p = options.parameters;
    if (!p.levels.empty() || p.alpha || p.beta || p.round_cap > 0 || !p.learns.empty())
        throw ConfigError("command line", "--record",
                          "left out for a policy with parameters: records have none");
    if (options.draws != SearchOptions::usual_draws || options.draw_seed != 1)
        throw ConfigError("command line", "--draws", std::to_string(options.draws),
                          "left out, and --draw-seed too: records are of the same draws");
    auto name = options.policy;
    if (!options.selector.empty()) name += "-" + options.selector;
    name += "/over-" + options.over + "." + options.restriction;
    if (!options.interval.empty()) {
        auto interval = options.interval;
        std::ranges::replace(interval, '/', '-');
        name += ".interval-" + interval;
    }
    if (options.last_arrival > 0) name += fmt::format(".arrivals-{}", options.last_arrival);
    return name + fmt::format(".n{}.m{}", options.requests, options.memory);
}

void add_cost(std::filesystem::path const& folder, SearchOptions const& options,
              std::int64_t neighbours, double processor_seconds)
{
    auto const file = folder / (record_name(options) + ".cost");
    auto cost = std::filesystem::exists(file) ? read_cost(file) : cost_of(options);
    ++cost.searches;
    cost.neighbours += neighbours;
    cost.processor_seconds += processor_seconds;
    write_file(file, as_json(cost).dump(1) + "\n");
}

std::string records_table(std::filesystem::path const& folder)
{
    struct Row
    {
        RecordCost cost;
        std::string file, ratio;
        std::size_t requests;
        Tokens memory;
        bool proven;
    };
    std::vector<Row> rows;
    std::error_code error;
    for (auto const& entry : std::filesystem::recursive_directory_iterator(folder, error)) {
        if (entry.path().extension() != ".cost") continue;
        auto witness = entry.path();
        witness.replace_extension(".json");
        auto const instance = read_found(witness);
        auto const object = read_json_file(witness);
        rows.push_back({read_cost(entry.path()), witness.lexically_relative(folder),
                        object.value("ratio", ""), instance.output.size(), instance.memory,
                        object.value("proven", false)});
    }
    if (error || rows.empty())
        throw InputError(folder.string() + ": no folder with records (NAME.cost, NAME.json)");
    std::ranges::sort(rows, {}, [](Row const& row) {
        auto const& c = row.cost;
        return std::tuple(c.policy, c.selector, c.over, c.last_arrival, c.interval, c.restriction,
                          row.file);
    });
    std::string text =
        "| policy | over | class | n, M at most | worst known | at n, M | published bound | "
        "processor minutes |\n|---|---|---|---|---|---|---|---|\n";
    // Of the project's records as docs/records.md leads to them.
    bool const of_page =
        folder.filename() == "records" && folder.parent_path().filename() == "witnesses";
    auto const place = of_page ? "../witnesses/records" : folder.string();
    double seconds = 0;
    for (auto const& [cost, file, ratio, n, memory, proven] : rows) {
        seconds += cost.processor_seconds;
        auto const slash = ratio.find('/');
        auto const value = slash == std::string::npos ? std::stod(ratio)
                                                      : std::stod(ratio.substr(0, slash)) /
                                                            std::stod(ratio.substr(slash + 1));
        text += fmt::format("| {}{} | {} | {} | {}, {} | [{:.4f}]({}/{}){} | {}, "
                            "{} | {} | {:.1f} |\n",
                            cost.policy, cost.selector.empty() ? "" : " (" + cost.selector + ")",
                            cost.over, class_text(cost), cost.requests, cost.memory, value, place,
                            file, proven ? "" : " at least", n, memory, published_bound(cost),
                            cost.processor_seconds / 60);
    }
    return text + fmt::format("| all | | | | | | | {:.1f} |\n", seconds / 60);
}

} // namespace crx
