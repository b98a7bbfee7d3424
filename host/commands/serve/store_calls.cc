#include "host/commands/serve/calls.hh"
#include "host/evidence/search_options.hh"
#include "host/evidence/witness_file.hh"
#include "host/experiment/iteration_setting.hh"
#include "host/experiment/own_order.hh"
#include "host/results/stored_experiment.hh"
#include "host/simulate/run_report.hh"
#include "host/sweep/backend.hh"
#include "host/sweep/interrupt.hh"
#include "host/sweep/open_sweep.hh"
#include "host/sweep/threads.hh"
#include "kernels/base/seconds_since.hh"

#include "analysis/worst/resize.hh"

#include <chrono>
#include <tbb/global_control.h>

namespace crx::serve {

Answer replay(Message& request, Channel& channel)
{
    auto const& head = request.head;
    auto const cell = value_or(head, "cell", std::int64_t{0});
    auto const instance = value_or(head, "instance", std::int64_t{0});
    auto const own = asked_orders(channel, head);
    auto const work = read_stored_cell(value_or(head, "store", std::string()), cell, own);
    auto const policies =
        replayed_policies(work.experiment, value_or(head, "policy", std::string()));
    RunArrays arrays(head);
    if (work.experiment.model == Model::iterations) {
        Answer answer{{{"runs", Json::array()}, {"instance", nullptr}, {"paths", Json::array()}}};
        for (auto const k : policies) {
            auto const& entry = work.cell.paths->policies[k];
            answer.result["paths"].push_back(path_as_json(
                entry.label, instance, replay_path(work.cell.paths->cell(entry), instance)));
        }
        return answer;
    }
    CellReplay again(work.cell.cell, instance);
    auto runs = Json::array();
    bool const counted = all_by_cohorts(work.cell.cell);
    for (auto const k : policies) {
        auto const run = again.execute(k);
        auto const& policy = work.experiment.policies[k];
        runs.push_back(arrays.add(subject_of(work.cell.cell, again, run, policy.label), policy.id,
                                  work.cell.identity.find("\"arrivals\":") == std::string::npos,
                                  run));
    }
    auto answer = arrays.answer(std::move(runs));
    answer.result["instance"] = nullptr;
    answer.result["paths"] = Json::array();
    if (!counted) {
        answer.result["instance"] = {{"memory", again.instance().memory}};
        add_instance(again.instance(), answer);
    }
    return answer;
}

Answer sweep(Message& request, Channel& channel)
{
    auto const& head = request.head;
    std::filesystem::path const folder = value_or(head, "folder", std::string("."));
    auto const overrides = value_or(head, "overrides", std::vector<std::string>{});
    auto const experiment = with_own_orders(
        Experiment::parse(value_or(head, "text", std::string()),
                          value_or(head, "name", std::string("experiment")), folder, overrides),
        asked_orders(channel, head));
    auto const plan = plan_of(experiment);
    auto const cells = grid_cells(plan);
    auto const wanted = value_or(head, "backend", std::string("auto"));
    if (auto const device = value_or(head, "device", -1); device >= 0)
        choose_device_for(wanted, device);
    auto const backend = choose_backend(wanted, only_on_cpu(experiment, plan), experiment.model);
    auto file = value_or(head, "store", std::string());
    if (file.empty()) file = experiment.name + ".db";
    auto open = open_sweep(experiment, cells,
                           header_of(experiment, std::filesystem::absolute(folder), overrides),
                           backend, {.store = file, .threads = value_or(head, "threads", 0)});
    open.settings.stop_asked = stop_asked;
    auto const shown = value_or(head, "progress", std::string("none"));
    Progress progress(stderr, shown == "live"    ? ProgressStyle::live
                              : shown == "lines" ? ProgressStyle::lines
                                                 : ProgressStyle::none);
    auto const done = run_sweep(plan, cells, *open.store, open.settings, progress);
    return {{{"db", file},
             {"cells", done.cells},
             {"instances", done.instances},
             {"added", done.instances - done.instances_before},
             {"seconds", done.seconds}}};
}

namespace {

/// A function of the other side's as a side of the ratio: one run of the prefix rule in its order.
worst::Cost own_cost(Channel& channel, std::string const& name, SearchOptions const& options)
{
    auto const measure = measure_of(options);
    auto const sum = [=, function = asked_order(channel, name), seed = SearchOptions::draw_seed](
                         OwnedInstance const& given) -> std::optional<std::int64_t> {
        auto instance = given;
        auto const order = function(requests_of(instance), seed, 0);
        return measured(execute_own_order(instance, order, "policy " + name), measure);
    };
    return {name, 1, sum};
}

SearchOptions search_options(Json const& head)
{
    SearchOptions o;
    o.policy = value_or(head, "policy", o.policy);
    o.over = value_or(head, "over", o.over);
    o.selector = value_or(head, "selector", o.selector);
    o.against = value_or(head, "against", o.against);
    o.measure = value_or(head, "measure", o.measure);
    o.restriction = value_or(head, "restriction", o.restriction);
    o.interval = value_or(head, "interval", o.interval);
    o.requests = value_or(head, "requests", o.requests);
    o.memory = value_or(head, "memory", o.memory);
    o.last_arrival = value_or(head, "last_arrival", o.last_arrival);
    if (head.contains("draws") && !head["draws"].is_null())
        o.draws = value_or(head, "draws", std::int64_t{0});
    o.seed = value_or(head, "seed", o.seed);
    o.generations = value_or(head, "generations", o.generations);
    o.threads = value_or(head, "threads", o.threads);
    if (head.contains("seconds") && !head["seconds"].is_null())
        o.seconds = value_or(head, "seconds", 0.0);
    if (head.contains("shrink") && !head["shrink"].is_null())
        o.shrink = value_or(head, "shrink", 0.0);
    o.parameters = parameters_in(head);
    return o;
}

} // namespace

Answer search(Message& request, Channel& channel)
{
    auto const& head = request.head;
    auto const options = search_options(head);
    check_ranges(options);
    OwnCosts own;
    if (value_or(head, "own_policy", false))
        own.policy = own_cost(channel, options.policy, options);
    if (value_or(head, "own_over", false)) own.over = own_cost(channel, options.over, options);
    bool const of_python = own.policy || own.over;
    if (of_python && options.last_arrival > 0)
        throw ConfigError("command line", "--last-arrival", std::to_string(options.last_arrival),
                          std::string("0: ") + own_order_id + " needs every arrival at 0");
    auto const of = instance_class(options);
    auto const goal = objective(options, own);
    tbb::global_control const threads(tbb::global_control::max_allowed_parallelism,
                                      static_cast<std::size_t>(threads_to_use(options.threads)));
    auto const begin = std::chrono::steady_clock::now();
    worst::AnnealingLimits limits;
    if (options.generations > 0) limits.generations = options.generations;
    limits.seed = options.seed;
    limits.neighbours = value_or(head, "neighbours", limits.neighbours);
    limits.stop = [&] { return stop_asked() || seconds_since(begin) >= options.time_limit(); };
    auto result = worst::anneal(of, goal, limits);
    if (!result.best && stop_asked())
        throw Stopped("stopped on request, before an instance counted");
    if (!result.best)
        throw RunError("no instance counted: the policy finishes none, or the bound says nothing "
                       "of any");
    if (options.shrink)
        result.best = worst::shrink(of, goal, *result.best, *options.shrink, stop_asked);
    auto witness = found_as_json(options, goal, *result.best, FreshCosts(options, goal));
    if (of_python) witness["found_by"] = "crx.search of the Python package";
    auto const& best = *result.best;
    Answer answer{{{"above", best.settled.ratio.above},
                   {"below", best.settled.ratio.below},
                   {"proven", best.settled.proven()},
                   {"memory", best.instance.memory},
                   {"witness", std::move(witness)},
                   {"generations", result.generations},
                   {"neighbours", result.neighbours}}};
    add_instance(best.instance, answer);
    return answer;
}

} // namespace crx::serve
