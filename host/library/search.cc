#include "host/evidence/witness_file.hh"
#include "host/experiment/own_order.hh"
#include "host/library/library.hh"
#include "host/sweep/interrupt.hh"
#include "host/sweep/threads.hh"
#include "kernels/base/seconds_since.hh"

#include "analysis/worst/resize.hh"

#include <chrono>
#include <tbb/global_control.h>

namespace crx::library {

namespace {

/// A function of the caller's as a side of the ratio: one run of the prefix rule in its order.
worst::Cost own_cost(std::string const& name, OrderFunction const& function,
                     SearchOptions const& options)
{
    auto const measure = measure_of(options);
    auto const sum = [=, seed = SearchOptions::draw_seed](
                         OwnedInstance const& given) -> std::optional<std::int64_t> {
        auto instance = given;
        auto const order = function(requests_of(instance), seed, 0);
        return measured(execute_own_order(instance, order, "policy " + name), measure);
    };
    return {name, 1, sum};
}

} // namespace

SearchDone search(SearchArguments const& arguments, StopAsked const& stop_asked)
{
    auto const& options = arguments.options;
    check_ranges(options);
    OwnCosts own;
    if (arguments.own_policy) own.policy = own_cost(options.policy, arguments.own_policy, options);
    if (arguments.own_over) own.over = own_cost(options.over, arguments.own_over, options);
    if ((own.policy || own.over) && options.last_arrival > 0)
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
    limits.stop = [&] { return stop_asked() || seconds_since(begin) >= options.time_limit(); };
    auto result = worst::anneal(of, goal, limits);
    if (!result.best && stop_asked())
        throw Stopped("stopped on request, before an instance counted");
    if (!result.best)
        throw RunError("no instance counted: the policy finishes none, or the bound says nothing "
                       "of any");
    if (options.shrink)
        result.best = worst::shrink(of, goal, *result.best, *options.shrink, stop_asked);
    auto witness = found_as_json(options, goal, *result.best);
    if (own.policy || own.over) witness["found_by"] = "crx.search of the Python package";
    return {*result.best, witness.dump(1) + "\n", result.generations, result.neighbours};
}

} // namespace crx::library
