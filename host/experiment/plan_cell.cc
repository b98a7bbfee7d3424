#include "host/experiment/plan_cell.hh"

#include "analysis/baseline/search/local_search.hh"
#include "analysis/sorted_f/sorted_f.hh"
#include "analysis/statistics/baseline_name.hh"
#include "host/error.hh"
#include "host/experiment/arrivals.hh"
#include "host/experiment/cell_identity.hh"
#include "host/experiment/experiment.hh"
#include "host/experiment/expression.hh"
#include "host/experiment/lengths.hh"
#include "host/experiment/sweep_plan.hh"
#include "host/experiment/trace_plan.hh"
#include "kernels/engines/cell.hh"

#include <algorithm>
#include <cmath>

namespace crx {

EngineChoice read_engine_choice(ConfigReader& top)
{
    EngineChoice choice;
    auto const* table = top.find("run");
    if (table == nullptr) return choice;
    ConfigReader reader(*table, "run");
    auto const id = reader.choice("engine", {"auto", "request", "cohort"}, "auto");
    if (id == "request") choice.rule = EngineChoice::Rule::request;
    if (id == "cohort") choice.rule = EngineChoice::Rule::cohort;
    if (auto const* value = reader.find("engine")) choice.where = value->where;
    reader.finish();
    return choice;
}

std::vector<RandomLaw> choose_laws(EngineChoice const& choice, Cell const& cell,
                                   std::vector<PolicyPlan> const& policies, std::string const& at)
{
    std::vector<RandomLaw> laws(cell.policies.size(), RandomLaw::request);
    if (choice.rule == EngineChoice::Rule::request) return laws;
    for (std::size_t k = 0; k < laws.size(); ++k) {
        auto const& spec = cell.policies[k];
        auto const where = engine_case(cell, order_of(cell, k));
        if (choice.rule == EngineChoice::Rule::automatic) {
            if (prefers_cohorts(spec, where)) laws[k] = RandomLaw::cohort;
            continue;
        }
        laws[k] = RandomLaw::cohort;
        auto const reason =
            portable_engine(Processor::cpu, RandomLaw::cohort, spec, where).refusal(spec, where);
        if (!reason.empty())
            throw ConfigError(choice.where, "run.engine", "\"cohort\"",
                              "auto or request for policy " + policies[k].entry.label + at + ": " +
                                  reason);
    }
    return laws;
}

namespace {

/// Plans one cell; the members are its parts in the order in which they come to be known.
class CellPlanner
{
  public:
    CellPlanner(Experiment::Detail const& experiment, SweepPlan const& plan,
                Coordinates const& coordinates, CellWork work)
        : experiment_(experiment), plan_(plan), spec_(plan.workload),
          names_(cell_place(plan.sweep.name, coordinates)), work_(work)
    {
        check_axes(coordinates);
        cell_.sweep = plan.sweep.name;
        cell_.coordinates = coordinates;
        define_names();
        auto& workload = cell_.cell.workload;
        workload.seed = experiment.seed;
        workload.requests =
            static_cast<std::int64_t>(names_.evaluate(spec_.requests, requests_range()));
        workload.memory = static_cast<Tokens>(names_.evaluate(spec_.memory, memory_range()));
        workload.clock = plan_clock(spec_.clock, workload.memory, names_);
        identity_.gap_cv = plan_arrivals(spec_.arrivals, tabulates(), names_, workload);
        if (spec_.arrivals.rates.size() == 1)
            identity_.arrival_rate = names_.evaluate(spec_.arrivals.rates.front().rate);
        cell_.cell.source = spec_.source;
        cell_.cell.measures =
            plan_measures(experiment_.measures, workload.clock.affine(), names_.at());
        if (spec_.source)
            range_ = {1, static_cast<std::int32_t>(workload.memory)};
        else
            range_ = plan_output(spec_, tabulates(), names_, workload, identity_);
        names_.set("least", range_.least);
        names_.set("largest", range_.largest);
        workload.interval = plan_interval(spec_.interval, range_, !spec_.output.trace, names_);
        if (spec_.output.trace) {
            bool const timed = spec_.arrivals.kind == ArrivalKind::trace;
            if (timed) check_times();
            auto const speed = timed ? plan_speed(spec_.arrivals, names_) : 0;
            plan_trace(*spec_.output.trace, plans_with_upper(), speed, spec_.requests, names_,
                       workload, cell_.left_out);
            for (auto const& source : spec_.output.trace->sources) {
                identity_.trace_hashes.push_back(source.rows->hash);
                if (timed) identity_.time_hash = source.rows->time_hash;
            }
            identity_.speed = speed;
        } else if (!spec_.source) {
            prompt_ = plan_prompt(spec_.prompt, tabulates(), names_, workload, identity_);
            check_fits();
        }
        if (spec_.arrivals.offered_load && tabulates()) {
            auto const speed = offer_load(spec_.arrivals, names_, workload);
            if (speed > 0) identity_.speed = speed;
            if (speed == 0)
                identity_.arrival_rate =
                    static_cast<double>(workload.rate_step.front().rate) * 1e-9;
        }
        plan_policies();
        publish_parameters();
        if (tabulates()) cell_.identity = cell_identity(cell_.cell, identity_);
    }

    PlannedCell take() { return std::move(cell_); }

  private:
    bool tabulates() const { return work_ == CellWork::tabulate; }

    void check_axes(Coordinates const& coordinates) const
    {
        auto const& axes = plan_.sweep.axes;
        auto const same =
            std::equal(axes.begin(), axes.end(), coordinates.begin(), coordinates.end(),
                       [](auto const& axis, auto const& at) { return axis.first == at.first; });
        if (!same)
            throw InputError("a cell" + names_.at() + " does not have the axes of its sweep");
    }

    /// Rounds have no length in seconds.
    void check_times() const
    {
        auto const& source = spec_.output.trace->sources.front();
        if (source.rows->times == TraceTimes::nanoseconds && !cell_.cell.workload.clock.affine())
            throw ConfigError(spec_.arrivals.where, spec_.arrivals.key, "trace" + names_.at(),
                              "another law without [workload.clock]: the times of " + source.name +
                                  " are seconds, and rounds have no length");
    }

    void define_names()
    {
        // Axes first: an axis comes before a variable or a field of its name.
        for (auto const& [axis, value] : cell_.coordinates) names_.set(axis, value);
        for (auto const& [name, expression] : plan_.variables) names_.define(name, expression);
        auto const expressions = spec_.expressions();
        for (auto const& [name, expression] : expressions)
            if (!name.empty()) names_.define(name, *expression);
        // What an axis gives a field others may use, by the axis's name, before the field is read.
        for (auto const& [name, expression] : expressions) {
            if (!expression->range() || expression->names().size() != 1) continue;
            auto const axis = plan_.axis_places.find(expression->names().front());
            if (axis != plan_.axis_places.end() && axis->second == expression->where())
                names_.evaluate(*expression, *expression->range());
        }
    }

    bool plans_with_upper() const
    {
        return std::any_of(experiment_.policies.begin(), experiment_.policies.end(),
                           [](auto const& policy) { return policy.plans_with_upper; });
    }

    void check_fits() const
    {
        auto const& workload = cell_.cell.workload;
        auto const check = [&](char const* sum, std::int64_t length) {
            auto const needed = prompt_.largest + length;
            if (needed > workload.memory)
                spec_.memory.reject(static_cast<double>(workload.memory), names_.at(),
                                    "at least " + std::to_string(needed) + ": " + sum + " = " +
                                        std::to_string(prompt_.largest) + " + " +
                                        std::to_string(length) + " occurs");
        };
        check("s + o", range_.largest);
        if (plans_with_upper()) check("s + u", upper_end(workload.interval, range_.largest));
    }

    void plan_policies()
    {
        auto const& interval = cell_.cell.workload.interval;
        if (interval.kind == IntervalKind::common) {
            names_.set("lower", interval.lower);
            names_.set("upper", interval.upper);
        }
        for (auto const& plan : experiment_.policies)
            cell_.cell.policies.push_back(
                plan_policy(plan.kind, plan.parameters, interval, names_));
        plan_orders();
        check_baselines();
        for (auto const& name : baseline_names)
            cell_.cell.baseline[static_cast<int>(name.kind)] =
                std::find(experiment_.baseline_plan.ids.begin(),
                          experiment_.baseline_plan.ids.end(),
                          name.id) != experiment_.baseline_plan.ids.end();
        plan_host_baselines();
        cell_.cell.laws =
            choose_laws(experiment_.engine, cell_.cell, experiment_.policies, names_.at());
    }

    /// Policies that run by themselves. Refused where that cannot be done or held.
    void plan_orders()
    {
        auto const& workload = cell_.cell.workload;
        for (std::size_t k = 0; k < experiment_.policies.size(); ++k) {
            auto const& plan = experiment_.policies[k];
            if (!plan.runs_by_itself()) continue;
            cell_.cell.orders.resize(experiment_.policies.size());
            auto const refuse = [&](std::string const& accepted) {
                std::string const value(
                    plan.sorted_f
                        ? sorted_f::selector_names[static_cast<int>(plan.sorted_f->selector)]
                        : plan.entry.id);
                throw ConfigError(plan.where, plan.key, '"' + value + '"', accepted);
            };
            if (cell_.cell.measures.any() && plan.orders_beforehand())
                refuse("left out with its policy where [measures] are kept: requests are not "
                       "written down where their order is made beforehand");
            if (plan.orders_beforehand() && !together())
                refuse(
                    "left out with its policy where requests arrive over time" + names_.at() +
                    ": " +
                    (plan.own_digest ? "the Python function \"" + plan.entry.label + '"'
                                     : plan.entry.id) +
                    " orders all of them before the first round" +
                    (plan.own_digest ? "; an object with start(view) decides as they arrive" : ""));
            if (plan.by_key) cell_.cell.orders[k] = plan_by_key(*plan.by_key, names_);
            if (plan.program) cell_.cell.orders[k] = plan.program;
            if (plan.by_key || plan.program) continue;
            if (plan.by_program) {
                cell_.cell.orders[k] = std::make_shared<sorted_lp::SortedLpOrder>(*plan.by_program);
                continue;
            }
            if (plan.own_digest) {
                plan_own_order(k);
                continue;
            }
            auto const& settings = *plan.sorted_f;
            if (settings.selector == sorted_f::Selector::exact_together &&
                workload.requests > sorted_f::most_together)
                refuse("another selector" + names_.at() + ": it looks at every set of at most " +
                       std::to_string(sorted_f::most_together) + " requests");
            // By the least sizes that can occur, so that no instance fails half way.
            auto const bytes = sorted_f::table_bytes(
                settings, workload.requests,
                std::max<Tokens>(1, Tokens{prompt_.least} + range_.least), workload.memory);
            if (bytes > sorted_f_most_bytes)
                refuse("swap or quantile" + names_.at() + ": its table may need " +
                       written_number(std::ceil(bytes / 0x1p20)) + " MiB, and 1024 are allowed");
            cell_.cell.orders[k] = std::make_shared<sorted_f::SortedFOrder>(settings);
        }
    }
    static constexpr double sorted_f_most_bytes = 0x1p30;

    /// A function of Python's: only the program that has it can run the cell.
    void plan_own_order(std::size_t policy)
    {
        auto const& plan = experiment_.policies[policy];
        auto const& label = plan.entry.label;
        auto const found = experiment_.own_orders.find(label);
        bool const is_here = found != experiment_.own_orders.end();
        if (tabulates() && !is_here)
            throw InputError(plan.where + ": policy \"" + label +
                             "\" is a function of Python's, which is not here\n  crx.sweep and "
                             "crx.replay run it: policies={\"" +
                             label + "\": the function} (docs/python.md)");
        auto const function = is_here ? found->second : OwnFunction();
        if (plan.entry.id == own_decisions_id)
            cell_.cell.orders[policy] = std::make_shared<OwnDecisions>(
                label, *plan.own_digest, !plan.reads_interval, function.decide);
        else
            cell_.cell.orders[policy] =
                std::make_shared<OwnOrder>(label, *plan.own_digest, function.order);
    }

    bool together() const
    {
        return spec_.source ? spec_.source->together()
                            : cell_.cell.workload.arrival_kind == ArrivalKind::at_zero;
    }

    /// One prompt and one output length.
    bool identical_requests() const
    {
        if (spec_.source || spec_.output.trace || range_.least != range_.largest) return false;
        return prompt_.least == prompt_.largest;
    }

    /// Refuses denominators that say nothing about these arrivals and this clock.
    void check_baselines() const
    {
        auto const& workload = cell_.cell.workload;
        auto const refuse = [&](std::string_view id, std::string const& accepted) {
            throw InputError(experiment_.baseline_plan.where +
                             ": baselines.use: " + std::string(id) +
                             (experiment_.baseline_plan.in_file ? "" : ", as the file names none") +
                             "\n  not accepted" + names_.at() + ": must be " + accepted);
        };
        for (auto const& id : experiment_.baseline_plan.ids)
            if (!applies(*baseline_named(id), together(), workload.clock.affine()))
                refuse(id, "one of " + applying_names(together(), workload.clock.affine()) +
                               " where " +
                               (workload.clock.affine() ? "the clock is affine"
                                : together()            ? "all requests arrive at 0"
                                                        : "requests arrive over time"));
        auto const& plan = experiment_.baseline_plan;
        if (plan.has(BaselineKind::dual) && !identical_requests())
            refuse("dual", "left out unless all requests have one prompt and one output length");
        if (plan.has(BaselineKind::best_found) && workload.memory > baseline::most_search_memory)
            refuse("best-found", "left out where M is above 2^30, which its search cannot hold");
        if (plan.has(BaselineKind::opt) && !spec_.source && workload.requests > 64)
            refuse("opt", "left out where n is above 64, which its search cannot hold; opt-lower "
                          "and opt-upper can be had");
    }

    /// Denominators that the host makes beside the engines.
    void plan_host_baselines()
    {
        auto const kinds = experiment_.baseline_plan.of_host();
        if (!kinds.empty())
            cell_.cell.host_baselines = std::make_shared<baseline::HindsightBaselines>(
                kinds, experiment_.baseline_plan.effort);
    }

    void publish_parameters()
    {
        auto& parameters = cell_.parameters;
        auto const& workload = cell_.cell.workload;
        for (auto const& [name, value] : identity_.output) parameters[name] = value;
        if (spec_.prompt.constant && !spec_.source) parameters["prompt"] = workload.prompt_constant;
        if (!spec_.source) { // whose n and M differ from instance to instance
            parameters["requests"] = static_cast<double>(workload.requests);
            parameters["memory"] = static_cast<double>(workload.memory);
        }
        if (workload.clock.affine()) {
            parameters["d0"] = static_cast<double>(workload.clock.d0);
            parameters["d1"] = static_cast<double>(workload.clock.d1) / 65536;
            parameters["d2"] = static_cast<double>(workload.clock.d2) / 65536;
            parameters["d3"] = static_cast<double>(workload.clock.d3);
        }
        if (spec_.arrivals.offered_load)
            parameters["offered_load"] = names_.evaluate(*spec_.arrivals.offered_load);
        if (spec_.arrivals.rates.size() == 1) parameters["rate"] = identity_.arrival_rate;
        if (workload.interval.kind == IntervalKind::common) {
            parameters["lower"] = workload.interval.lower;
            parameters["upper"] = workload.interval.upper;
            parameters["alpha"] =
                static_cast<double>(workload.interval.lower) / workload.interval.upper;
        }
        for (auto const& [name, expression] : plan_.variables)
            parameters[name] = names_.value_of(name, expression);
        for (auto const& [axis, value] : cell_.coordinates) parameters[axis] = value;
        for (auto const& [name, value] : parameters)
            if (!std::isfinite(value))
                for (auto const& [variable, expression] : plan_.variables)
                    if (variable == name) expression.reject(value, names_.at(), "a finite number");
    }

    Experiment::Detail const& experiment_;
    SweepPlan const& plan_;
    WorkloadSpec const& spec_;
    NameTable names_;
    CellWork work_;
    PlannedCell cell_;
    LengthsIdentity identity_;
    LengthRange range_;
    LengthRange prompt_; ///< of a trace: from 1
};

} // namespace

PlannedCell plan_cell(Experiment::Detail const& experiment, SweepPlan const& plan,
                      Coordinates const& coordinates, CellWork work)
{
    return CellPlanner(experiment, plan, coordinates, work).take();
}

namespace {

/// Those that apply to the workload, where the file does not say: all at 0 under the unit clock
/// h-sf and volume, else release under the unit clock and mc-sf.
std::vector<std::string> usual_baselines(ConfigReader& top)
{
    auto const* workload = top.find("workload");
    auto const has = [&](char const* key) {
        return workload != nullptr && workload->find(key) != nullptr;
    };
    if (has("clock")) return {"mc-sf"};
    if (has("arrivals") || has("instances")) return {"mc-sf", "release"};
    return {"h-sf", "volume"};
}

/// A count of effort; refused where nothing that is used depends on it.
std::int64_t read_count(ConfigReader& reader, std::string const& key, std::int64_t most,
                        std::int64_t usual, bool used, std::string const& users)
{
    auto const* value = reader.find(key);
    if (value != nullptr && !used)
        reader.reject(key, *value, "left out unless use has one of " + users);
    return reader.integer(key, 1, most, usual);
}

} // namespace

bool BaselinePlan::has(BaselineKind kind) const
{
    return std::ranges::find(ids, name_of(kind).id) != ids.end();
}

std::vector<BaselineKind> BaselinePlan::of_host() const
{
    std::vector<BaselineKind> kinds;
    for (auto const& name : baseline_names)
        if (static_cast<int>(name.kind) >= engine_baselines && has(name.kind))
            kinds.push_back(name.kind);
    return kinds;
}

namespace {

/// How far baselines search, where one is used that searches.
void read_effort(ConfigReader& reader, BaselinePlan& plan)
{
    using baseline::HindsightBaselines;
    using baseline::HindsightEffort;
    auto const kinds = plan.of_host();
    plan.effort.evaluations = read_count(reader, "evaluations", HindsightEffort::most_evaluations,
                                         plan.effort.evaluations,
                                         std::ranges::any_of(kinds, HindsightBaselines::searches),
                                         "best-found, peaks, opt-lower, opt-upper, opt");
    plan.effort.steps = read_count(reader, "steps", HindsightEffort::most_steps, plan.effort.steps,
                                   std::ranges::any_of(kinds, HindsightBaselines::climbs),
                                   "peaks, opt-lower, opt-upper, opt");
    plan.effort.nodes = read_count(reader, "nodes", HindsightEffort::most_nodes, plan.effort.nodes,
                                   std::ranges::any_of(kinds, HindsightBaselines::branches),
                                   "opt-lower, opt-upper, opt");
}

} // namespace

BaselinePlan read_baselines(ConfigReader& top)
{
    std::vector<std::string> all;
    for (auto const& name : baseline_names) all.emplace_back(name.id);
    BaselinePlan plan;
    plan.ids = usual_baselines(top);
    auto const* table = top.find("baselines");
    plan.where = table != nullptr ? table->where : top.table().where;
    if (table == nullptr) return plan;
    ConfigReader reader(*table, "baselines");
    auto const* use = table->find("use");
    plan.in_file = use != nullptr;
    auto const read = [&] {
        if (use != nullptr)
            for (auto const& id : use->list)
                if (id.text == "lp" || id.text == "clique-lp")
                    reader.reject("use", id,
                                  "peaks, or opt-lower, which bounds more: no bound is made by a "
                                  "linear program");
        plan.ids = reader.choices("use", all, plan.ids);
        read_effort(reader, plan);
    };
    reader.read_parts({read}, {"use", "evaluations", "steps", "nodes"});
    return plan;
}

} // namespace crx
