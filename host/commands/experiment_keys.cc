#include "host/commands/reference.hh"
#include "host/experiment/policy_parameters.hh"

namespace crx {

namespace {

constexpr char const* expressions = "Numbers of [variables], [workload] and [[policy]] may be "
                                    "expressions in quotes.";

ReferenceSection head()
{
    return {"Keys of both models",
            "key of experiment files",
            "Tables and keys of an experiment file. " + std::string(expressions),
            {{"experiment.name", "small letters, digits and _; the store is NAME.db"},
             {"experiment.title", "title of the plot; the name by default"},
             {"experiment.seed", "0 .. 2^63 - 1"},
             {"model.kind", "`rounds` (default) or `iterations`"},
             {"stop.instances", "instances of a cell, or paths; with half_width the most"},
             {"stop.half_width", "stop when every mean is known to this, to either side"},
             {"stop.confidence", "of all intervals, in (0, 1); 0.95"},
             {"stop.first", "with half_width: instances before the first look; 16, then twice as "
                            "many each time"},
             {"variables.NAME", "a number or an expression, which other expressions may name"},
             {"sweep.name", "name of a [[sweep]]"},
             {"sweep.axes", "NAME = a list, { from, to, points } with scale \"linear\" or \"log\", "
                            "or { from, to, step }"},
             {"sweep.set", "changes of keys of workload or variables for this sweep"},
             {"policy.id", "a policy"},
             {"policy.label", "its name in figures; the id by default"},
             {"workload.clock",
              "a table with profile, or with d0, d1 and, for rounds, d2; for rounds the "
              "unit clock by default"},
             {"workload.clock.profile", "a measured machine, instead of numbers"},
             {"workload.clock.d0", "nanoseconds of a round or iteration"},
             {"workload.clock.d1", "nanoseconds of a token held, or in the batch"},
             {"workload.clock.slowdown", "factor of all of them; 1"},
             {"measures", "a table with keep and slo: measures of requests; none by default"},
             {"measures.keep", "a list of `latency`, `first_token`, `first_token_streamed`, "
                               "`per_token`, `slowdown`, `longest_gap`; all by default"},
             {"measures.slo", "limits of `latency`, `first_token`, `per_token`: "
                              "{ first_token = \"2 s\" }, rounds without a clock"}}};
}

ReferenceSection of_rounds()
{
    ReferenceSection section{
        "Keys of the round model",
        "key of experiment files, round model",
        "",
        {{"run.engine", "law of randomness: `auto` (default), `request` or `cohort`"},
         {"workload.requests", "n, 1 .. 10^8"},
         {"workload.memory", "M, 1 .. 2^31 - 1"},
         {"workload.prompt", "a number, or a law { law = \"..\", .. }"},
         {"workload.output", "a table with law and the fields of the law"},
         {"workload.output.law", "a law of lengths"},
         {"workload.output.source", "of `lmsys-like`: `chen`, `jaillet` or `ao`"},
         {"workload.output.counts", "of `two-point`: `random` (default) or `exact`; of "
                                    "`composition`: a list of counts"},
         {"workload.output.values", "of `composition`: a list of lengths"},
         {"workload.output.weights", "of `composition`, instead of counts"},
         {"workload.output.sources",
          "of `trace`: a list of { file, weight, format, prompt, output, arrival, unit }"},
         {"workload.output.order", "of `trace`: `sampled` (default), `in-order` or `window`"},
         {"workload.instances", "instead of all else here: `jaillet-5.1-model-1` or "
                                "`jaillet-5.1-model-2`"},
         {"workload.interval", "a table with rule; none where all policies know lengths"},
         {"workload.interval.rule", "`support`, `common`, `buckets`, `relative` or `exact`"},
         {"workload.interval.lower", "of `common`"},
         {"workload.interval.upper", "of `common`"},
         {"workload.interval.width", "of `buckets`"},
         {"workload.interval.x", "of `relative`: in [0, 1]"},
         {"workload.arrivals", "a table with law; all at 0 by default"},
         {"workload.arrivals.law", "`at-zero`, `poisson-rounds`, `poisson`, `gamma` or `trace`"},
         {"workload.arrivals.rate", "requests a second, or a round"},
         {"workload.arrivals.rates", "a list of { rate, duration }: a rate constant in steps"},
         {"workload.arrivals.repeat", "whether the steps begin again; false"},
         {"workload.arrivals.offered_load", "of `poisson`, `gamma` and `trace`, instead of `rate` "
                                            "or `speed`: the share of what memory and "
                                            "clock can do"},
         {"workload.arrivals.coefficient_of_variation",
          "of `gamma`: of the gaps between arrivals, 0.25 to 16"},
         {"workload.arrivals.speed", "of `trace`: times are divided by it; 1"},
         {"workload.clock.d2", "nanoseconds of a prompt token that enters"},
         {"workload.clock.d3", "nanoseconds of a request that generates a token; 0"}}};
    for (auto const& parameter : policy_parameters)
        section.entries.push_back({std::string("policy.") + parameter.name, key_help(parameter)});
    for (auto const& parameter : own_parameters)
        section.entries.push_back(
            {std::string("policy.") + parameter.name,
             std::string("of `") + parameter.policy + "`: " + parameter.text});
    for (auto const& [key, meaning] : std::initializer_list<std::pair<char const*, char const*>>{
             {"policy.selector",
              "of `sorted-f`: `exact`, `scaled`, `swap`, `quantile` or `exact-together`"},
             {"policy.cells", "of `sorted-f` with `scaled`: WANG's B / epsilon; 100"},
             {"policy.digest",
              "of `own-order`, `own-decisions`: a hash of the policy, which `crx.sweep` writes"},
             {"baselines.use", "a list of baselines"},
             {"baselines.evaluations", "of `best-found`: schedules looked at, a request; 1000"},
             {"baselines.steps", "of `peaks`: steps of the ascent; 4 n^2, at most 1000"},
             {"baselines.nodes",
              "of `opt`: 20 arcs of configurations, or 1,000 of pairs, each; 10^6"},
             {"sweep.refine", "a table with axis, rounds and baseline"},
             {"sweep.refine.axis", "the axis that gets new values around the largest ratios"},
             {"sweep.refine.rounds", "how often; 0 leaves the grid as it is"},
             {"sweep.refine.baseline", "of the ratios; the first by default"},
             {"capacity", "a table: the largest value of an axis at which an objective is kept"},
             {"capacity.over", "the axis, as offered_load"},
             {"capacity.slo", "limits, as measures.slo, which it is unless given there"},
             {"capacity.share", "of requests within the limits; 0.99"},
             {"capacity.rounds", "of bisection between two values of the axis; 6"}})
        section.entries.push_back({key, meaning});
    return section;
}

ReferenceSection of_iterations()
{
    return {
        "Keys of the iteration model",
        "key of experiment files, iteration model",
        "",
        {{"run.by_type", "keep sums of each type too; false"},
         {"workload.horizon", "T, seconds"},
         {"workload.doublings", "horizons T, 2 T, 4 T, .., 2^doublings T; 0"},
         {"workload.accept_unstable", "run a load with D >= 1; false"},
         {"workload.type", "a [[workload.type]] table for each type of prompts"},
         {"workload.type.prompt", "length of the prompt, at least 1"},
         {"workload.type.output", "tokens to generate, at least 1"},
         {"workload.type.rate", "prompts a second"},
         {"workload.type.rates", "instead: a list of { rate, duration }"},
         {"workload.type.repeat", "true beside rates: the steps begin again"},
         {"workload.type.trace", "types from a CSV: { file, prompt, output }"},
         {"workload.type.prompt_bin", "width of the bins of prompts of a trace; 1"},
         {"workload.type.output_bin", "the same of outputs; 1"},
         {"workload.type.longest_prompt", "longer rows of a trace are left out"},
         {"workload.type.longest_output", "the same of outputs"},
         {"policy.thresholds", "of `wait`, `nested-wait`: a list, `least` or `inside`"},
         {"policy.ends", "of `nested-wait`: last stage of each segment"},
         {"policy.segments", "instead of ends: how many, cut evenly"},
         {"policy.groups",
          "of `nested-wait`, where prompts differ: `by-prompt` (default) or `one`"},
         {"policy.group", "instead: tables with prompt, ends or segments, and thresholds"},
         {"policy.delta", "of `nested-wait`: take AO's (12) at this probability as the capacity"},
         {"policy.batch_as_printed", "with delta: (11) as printed; false"},
         {"policy.memory", "C in tokens, `fluid` or `peak-of:LABEL`"},
         {"policy.hard", "of `wait`, `nested-wait`: no batch takes more than memory; false"},
         {"policy.limit", "of the fcfs policies: most running prompts; 0: none"},
         {"policy.budget", "of `fcfs-sarathi`: tokens of an iteration; 0: none"},
         {"policy.keep_tokens", "of the fcfs policies: a cancelled prompt prefills its tokens "
                                "again; false"},
         {"policy.accept_broken_condition", "run thresholds that break AO (9) or (10); false"}}};
}

ReferenceSection of_panels()
{
    return {
        "Keys of panels",
        "key of experiment files, panels",
        "[[panel]] of an experiment file, or of a file of panels alone (`crx plot --panels`).",
        {{"panel.sweep", "a sweep"},
         {"panel.kind", "`curve` (default); `heatmap` over x and series; `histogram` or "
                        "`exceedance` of the instances of a cell; `frontier`, whose x is a "
                        "measure"},
         {"panel.x", "axis or number of the cells, or a measure of requests: a point a cell; none "
                     "in a histogram or exceedance"},
         {"panel.along", "of a frontier: the axis whose values a line joins"},
         {"panel.title", "above the panel"},
         {"panel.x_label", "at the x axis"},
         {"panel.y_label", "at the y axis"},
         {"panel.log_x", "logarithmic x axis; false"},
         {"panel.log_y", "logarithmic y axis; false"},
         {"panel.y_min", "lower end of the y axis"},
         {"panel.y_max", "upper end of the y axis"},
         {"panel.measure", "what the height is; `ratio-of-means`, or `mean-latency` of "
                           "iterations"},
         {"panel.baseline", "denominator of ratios; the first by default"},
         {"panel.worst_over", "axis over which the largest value is shown"},
         {"panel.series", "axis with one line for each value"},
         {"panel.where", "{ AXIS = VALUE }: these cells only"},
         {"panel.policies", "list of labels; all by default"},
         {"panel.curves", "list of curves to draw"},
         {"panel.fit", "`linear`, `log` (a + b ln x) or `log-log`: a least-squares line through "
                       "each series"},
         {"panel.fit_from", "least x of the points of the fit"}}};
}

} // namespace

std::vector<ReferenceSection> experiment_key_sections()
{
    return {head(), of_rounds(), of_iterations(), of_panels()};
}

} // namespace crx
