#include "host/error.hh"
#include "host/evidence/claims/closed_forms.hh"
#include "host/evidence/claims/sources.hh"
#include "host/results/measure.hh"
#include "host/results/path_points.hh"
#include "host/sweep/plan.hh"
#include "kernels/engines/cell.hh"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <limits>

namespace crx::claims {

namespace {

/// Numbers of a policy in a cell: LABEL_NAME, the label in small letters with _ for all else.
struct Quantity
{
    char const* name;
    std::optional<Measure> measure;
};
constexpr auto none = std::nullopt;
std::vector<Quantity> const quantities{
    {"ratio", Measure::ratio_of_means},
    {"mean_of_ratios", Measure::mean_of_ratios},
    {"worst_ratio", Measure::worst_ratio},
    {"p99_ratio", Measure::p99_ratio},
    {"least_ratio", none},
    {"latency", Measure::mean_latency},
    {"first_token", Measure::mean_first_token},
    {"makespan", Measure::mean_makespan},
    {"unfinished", Measure::unfinished},
    {"cancellations", none},
    {"gap", Measure::throughput_gap},
    {"gap_as_in_8", Measure::throughput_gap_as_in_8},
    {"throughput", Measure::throughput},
    {"peak_memory", Measure::peak_memory},
    {"largest_memory", Measure::largest_memory},
    {"overflow", Measure::overflow_frequency},
    {"iterations", Measure::iterations},
    {"memory_limit", none},
    {"gap_exponent", none},
    {"latency_exponent", none},
    {"first_token_exponent", none},
};

std::string plain_name(std::string const& label)
{
    std::string out;
    for (auto const c : label) {
        auto const kept = std::isalnum(static_cast<unsigned char>(c)) != 0;
        if (kept)
            out += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
        else if (!out.empty() && out.back() != '_')
            out += '_';
    }
    while (out.ends_with('_')) out.pop_back();
    if (!out.empty() && std::isdigit(static_cast<unsigned char>(out[0])) != 0) out = "p" + out;
    return out;
}

std::string toml_text(ConfigValue const& value)
{
    if (value.kind != ConfigValue::Kind::list && value.kind != ConfigValue::Kind::table)
        return value.written();
    bool const is_list = value.kind == ConfigValue::Kind::list;
    std::string out;
    for (auto const& one : value.list) out += (out.empty() ? "" : ", ") + toml_text(one);
    for (auto const& [name, one] : value.table)
        out += (out.empty() ? "" : ", ") + name + " = " + toml_text(one);
    return is_list ? "[" + out + "]" : "{ " + out + " }";
}

/// What a trial asks of an experiment.
struct Asked
{
    std::filesystem::path file;
    std::string text; ///< of the experiment where the trial has it itself
    std::string place;
    std::vector<std::string> overrides;
    std::string sweep, over;
    std::vector<std::pair<std::string, Numbers>> at; ///< cells by a name of their own
    std::optional<Expression> cells; ///< axes: only the cells at which it is not 0 are run
    double fit_from = 0, confidence = 0.999;

    /// Read when it is first needed, so that a list of claims reads no experiment.
    Experiment const& experiment() const
    {
        if (!read_) {
            auto const parsed = text.empty() ? Experiment::read(file, overrides)
                                             : Experiment::parse(text, place, file, overrides);
            read_ = std::make_shared<Experiment const>(parsed);
        }
        return *read_;
    }

  private:
    mutable std::shared_ptr<Experiment const> read_;
};

/// A cell of it, run.
struct RunCell
{
    CellResult result;
    fluid::HeavyTrafficCurve curve; ///< of the iteration model; of the policy asked for last
    std::size_t curve_of = SIZE_MAX;
};

std::size_t fit_start(PathFacts const& facts, double from)
{
    std::size_t first = 0;
    while (first + 2 < facts.horizons.size() &&
           static_cast<double>(facts.horizons[first]) * 1e-9 < from)
        ++first;
    return first;
}

Interval as_interval(std::optional<Measured> const& m)
{
    if (!m) return std::numeric_limits<double>::quiet_NaN();
    return {m->low.value_or(m->value), m->value, m->high.value_or(m->value)};
}

Interval of_exponent(fluid::Exponent const& e)
{
    auto const width = std::isfinite(e.half_width) ? e.half_width : 0;
    return {e.value - width, e.value, e.value + width};
}

BaselineKind baseline_of(Asked const& asked)
{
    auto const& known = asked.experiment().baselines;
    auto const id = !asked.over.empty() ? asked.over : known.empty() ? "h-sf" : known.front();
    auto const kind = baseline_named(id);
    if (!kind || (!known.empty() && std::ranges::find(known, id) == known.end()))
        throw ConfigError(asked.place, "over", id, "a denominator of the experiment");
    return *kind;
}

Interval value_of(Asked const& asked, RunCell& cell, std::size_t policy, Quantity const& what)
{
    auto const& result = cell.result;
    if (what.measure)
        return as_interval(
            measure(result, policy, *what.measure, baseline_of(asked), asked.confidence));
    std::string const name = what.name;
    if (result.paths != nullptr) {
        if (cell.curve_of != policy) {
            cell.curve = fluid::heavy_traffic_curve(tallies_of(result, policy),
                                                    fit_start(*result.facts, asked.fit_from),
                                                    asked.confidence);
            cell.curve_of = policy;
        }
        if (name == "gap_exponent") return of_exponent(cell.curve.gap);
        if (name == "latency_exponent") return of_exponent(cell.curve.latency);
        if (name == "first_token_exponent") return of_exponent(cell.curve.first_token);
        if (name == "memory_limit")
            if (auto const limit = capacity_of(result, policy)) return static_cast<double>(*limit);
        if (name == "cancellations")
            return as_interval(measure(result, policy, Measure::cancellations, baseline_of(asked),
                                       asked.confidence));
        return std::numeric_limits<double>::quiet_NaN();
    }
    auto const& sums = result.tally.at(policy).sums;
    if (name == "cancellations") {
        auto const n = result.parameters.find("requests");
        if (n == result.parameters.end()) return std::numeric_limits<double>::quiet_NaN();
        return static_cast<double>(sums.cancellations) / n->second /
               static_cast<double>(std::max<std::int64_t>(1, sums.count));
    }
    auto const& ratio = sums.ratio[static_cast<int>(baseline_of(asked))];
    if (name == "least_ratio")
        return static_cast<double>(ratio.smallest.ratio) / static_cast<double>(fixed_ratio(1, 1));
    return std::numeric_limits<double>::quiet_NaN();
}

/// Runs a cell, or takes what another trial of this process has run.
RunCell run_cell(Asked const& asked, Plan const& plan, PlannedCell const& planned)
{
    static std::map<std::string, std::shared_ptr<CellResult const>> known;
    InstanceRange const range{0, asked.experiment().stop.instances};
    auto made = plan.make_cell(planned.sweep, planned.coordinates);
    auto& kept = known[std::to_string(range.count) + " " + made.identity];
    CellResult result;
    if (kept != nullptr) result = *kept;
    result.sweep = made.sweep;
    result.coordinates = made.coordinates;
    result.parameters = made.parameters;
    result.identity = made.identity;
    result.instances = range.count;
    if (kept != nullptr) return {std::move(result), {}, SIZE_MAX};
    if (made.paths == nullptr) {
        result.tally = launch_host(made.cell, range);
    } else {
        result.facts = std::make_shared<PathFacts const>(path_facts(made.identity));
        result.paths =
            std::make_shared<PathSums const>(launch_paths_host(*made.paths, range, {}).sums);
        result.horizon = result.facts->horizons.size() - 1;
    }
    kept = std::make_shared<CellResult const>(result);
    return {std::move(result), {}, SIZE_MAX};
}

Numbers numbers_of(PlannedCell const& cell)
{
    Numbers at(cell.parameters.begin(), cell.parameters.end());
    for (auto const& [axis, value] : cell.coordinates) at[axis] = value;
    // Names under which closed forms read them.
    auto const also = [&](char const* from, char const* to) {
        if (at.contains(from) && !at.contains(to)) at[to] = at[from];
    };
    also("lower", "l");
    also("upper", "u");
    also("prompt", "s");
    also("requests", "n");
    also("memory", "M");
    return at;
}

/// The policy and quantity that a name is; nothing where it is neither.
std::optional<std::pair<std::size_t, Quantity>> quantity_of(Asked const& asked,
                                                            std::string const& name)
{
    auto const& policies = asked.experiment().policies;
    std::optional<std::pair<std::size_t, Quantity>> best;
    for (std::size_t p = 0; p < policies.size(); ++p)
        for (auto const& quantity : quantities)
            if (name == plain_name(policies[p].label) + "_" + quantity.name) best = {p, quantity};
    return best;
}

/// The cell that a name speaks of, where the trial names cells, and the name without it.
std::pair<std::string, std::string> without_alias(Asked const& asked, std::string const& name)
{
    for (auto const& [alias, where] : asked.at)
        if (name.starts_with(alias + "_")) return {alias, name.substr(alias.size() + 1)};
    return {"", name};
}

Interval value_at(Asked const& asked, RunCell& cell, Numbers const& at, std::string const& name)
{
    if (auto const known = at.find(name); known != at.end()) return known->second;
    if (auto const quantity = quantity_of(asked, name))
        return value_of(asked, cell, quantity->first, quantity->second);
    return find_closed_form(name)->value(at);
}

std::vector<PlannedCell> chosen_cells(Asked const& asked, Plan const& plan)
{
    std::vector<PlannedCell> chosen;
    for (auto const& cell : grid_cells(plan)) {
        if (!asked.sweep.empty() && cell.sweep != asked.sweep) continue;
        auto const at = numbers_of(cell);
        if (asked.cells && asked.cells->evaluate([&](std::string const& name) {
                auto const found = at.find(name);
                if (found == at.end())
                    throw ConfigError(asked.cells->where(), asked.cells->key(),
                                      asked.cells->written(),
                                      "a condition on axes and parameters of the experiment's "
                                      "cells, and " +
                                          name + " is none");
                return found->second;
            }) == 0)
            continue;
        chosen.push_back(cell);
    }
    if (chosen.empty())
        throw ConfigError(asked.place, "sweep", asked.sweep.empty() ? "all" : asked.sweep,
                          "a sweep of the experiment with cells that the trial counts");
    return chosen;
}

std::set<std::string> measured_names(Asked const& asked, std::set<std::string> const& names)
{
    auto const plan = plan_of(asked.experiment());
    auto const at = numbers_of(chosen_cells(asked, plan).front());
    std::set<std::string> measured;
    for (auto const& full : names) {
        auto const [alias, name] = without_alias(asked, full);
        bool const is_axis = at.contains(name);
        if (!is_axis && !quantity_of(asked, name) && find_closed_form(name) == nullptr) {
            std::vector<std::string> accepted, all;
            for (auto const& [known, value] : at) accepted.push_back(known);
            std::string labels, names_of_quantities;
            for (auto const& policy : asked.experiment().policies)
                labels += (labels.empty() ? "" : ", ") + plain_name(policy.label);
            for (auto const& q : quantities)
                names_of_quantities +=
                    (names_of_quantities.empty() ? "" : ", ") + std::string(q.name);
            for (auto const& policy : asked.experiment().policies)
                for (auto const& q : quantities)
                    all.push_back(plain_name(policy.label) + "_" + q.name);
            auto const nearest = nearest_name(name, all);
            throw ConfigError(asked.place, "expect", name,
                              "an axis or parameter, " + listed_with_nearest(name, accepted) +
                                  ", or LABEL_QUANTITY with the labels " + labels +
                                  " and the quantities " + names_of_quantities +
                                  (nearest.empty() ? "" : " (did you mean " + nearest + "?)"));
        }
        if (!asked.at.empty() && alias.empty() && !is_axis)
            throw ConfigError(asked.place, "expect", full,
                              "a name that begins with one of the cells of `at`, as " +
                                  asked.at.front().first + "_" + full);
        if (!is_axis) measured.insert(full);
    }
    return measured;
}

void run_all(Asked const& asked, Visit const& visit)
{
    auto const plan = plan_of(asked.experiment());
    auto const cells = chosen_cells(asked, plan);
    if (asked.at.empty()) {
        for (auto const& planned : cells) {
            auto cell = run_cell(asked, plan, planned);
            auto const at = numbers_of(planned);
            visit({at, [&](std::string const& name) { return value_at(asked, cell, at, name); }});
        }
        return;
    }
    std::map<std::string, std::pair<RunCell, Numbers>> named;
    for (auto const& [alias, where] : asked.at) {
        auto const found = std::ranges::find_if(cells, [&](PlannedCell const& cell) {
            auto const at = numbers_of(cell);
            return std::ranges::all_of(where, [&](auto const& axis) {
                auto const value = at.find(axis.first);
                return value != at.end() && std::abs(value->second - axis.second) <=
                                                1e-9 * std::max(1., std::abs(axis.second));
            });
        });
        if (found == cells.end())
            throw ConfigError(asked.place, "at." + alias, "a cell that is not there",
                              "axes and values of a cell of the experiment");
        named.emplace(alias, std::pair{run_cell(asked, plan, *found), numbers_of(*found)});
    }
    visit({{}, [&](std::string const& full) {
               auto const [alias, name] = without_alias(asked, full);
               auto& [cell, at] = named.at(alias);
               return value_at(asked, cell, at, name);
           }});
}

} // namespace

Source experiment_source(ConfigReader& reader, std::filesystem::path const& folder,
                         double confidence)
{
    auto asked = std::make_shared<Asked>();
    auto const& written = reader.need("experiment", "a path or the text of an experiment");
    asked->place = written.where;
    if (written.text.find('\n') != std::string::npos) {
        asked->text = written.text;
        asked->file = folder; // where paths of its traces start
    } else {
        asked->file = folder / written.text;
    }
    if (auto const* set = reader.find("set"))
        for (auto const& [name, value] : set->table)
            asked->overrides.push_back(name + "=" + toml_text(value));
    asked->sweep = reader.text("sweep", "");
    asked->over = reader.text("over", "");
    asked->fit_from = reader.number("fit_from", numbers_in(0, 1e12), 0);
    asked->confidence = confidence;
    if (auto const* cells = reader.find("cells"))
        asked->cells = Expression(*cells, reader.path("cells"), "a condition");
    if (auto const* at = reader.find("at"))
        for (auto const& [alias, where] : at->table) {
            Numbers numbers;
            for (auto const& [axis, value] : where.table) {
                if (!value.is_number()) reader.reject("at", *at, "tables of axis = value");
                numbers[axis] = value.number();
            }
            asked->at.emplace_back(alias, numbers);
        }
    return {"experiment", [=](auto const& names) { return measured_names(*asked, names); },
            [=](auto const&, Visit const& visit) { run_all(*asked, visit); }};
}

} // namespace crx::claims
