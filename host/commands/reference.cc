#include "host/commands/reference.hh"

#include "analysis/bounds/curve_catalogue.hh"
#include "analysis/statistics/baseline_name.hh"
#include "host/evidence/claims/report.hh"
#include "host/experiment/law_catalogue.hh"
#include "host/experiment/measure_plan.hh"
#include "host/results/request_measures.hh"
#include "kernels/engines/iterations/iteration_policy.hh"
#include "kernels/engines/registry.hh"
#include "kernels/policies/policy_info.hh"

namespace crx {
namespace {

ReferenceSection round_policies()
{
    ReferenceSection section{"Policies of the round model",
                             "policy of the round model",
                             "`id` of `[[policy]]`, `--policy` of `crx simulate`. Definitions: "
                             "docs/model.md#policies.",
                             {}};
    for (auto const& policy : policy_table()) {
        std::string parameters;
        for (auto const& parameter : policy_parameters)
            if (policy.takes(parameter))
                parameters +=
                    (parameters.empty() ? "`" : ", `") + std::string(parameter.name) + "`";
        section.entries.push_back(
            {policy.id,
             std::string(policy.summary) + (parameters.empty() ? "" : "; keys: " + parameters)});
    }
    section.entries.push_back({"sorted-f",
                               "batches of least (sum of outputs) / (number of requests)^2; keys: "
                               "`selector`, `cells`"});
    section.entries.push_back({"sorted-lp", "in the order of mean starts in the LP relaxation"});
    section.entries.push_back(
        {"lp-swap", "batches filled in that order, then exchanged for fewer output tokens"});
    section.entries.push_back(
        {"own-order", "a function in Python that orders requests beforehand; keys: `digest`"});
    section.entries.push_back({"own-decisions", "an object in Python that starts and cancels "
                                                "requests; keys: `digest`, `knows_lengths`"});
    section.entries.push_back({"by-key", "the least value of an expression first; keys: `key`, "
                                         "`plans_with`, `on_overflow`, `ties`"});
    section.entries.push_back({"program", "another program orders or decides; keys: `command`, "
                                          "`knows_lengths`, `timeout`"});
    return section;
}

char const* meaning_of(IterationPolicyKind kind)
{
    switch (kind) {
    case IterationPolicyKind::wait:
        return "a type joins the batch when it has its threshold of new prompts";
    case IterationPolicyKind::nested_wait:
        return "segments of stages with a threshold each; does not know a prompt's type";
    case IterationPolicyKind::fcfs_vllm:
        return "first come, first served: prefills first, cancels the newest on overflow";
    case IterationPolicyKind::fcfs_sarathi:
        return "first come, first served: decodes, then prefills in chunks, within a budget";
    case IterationPolicyKind::fcfs_safe:
        return "first come, first served: starts a prompt only if no overflow can follow";
    }
    return "";
}

ReferenceSection iteration_policies()
{
    ReferenceSection section{"Policies of the iteration model",
                             "policy of the iteration model",
                             "`id` of `[[policy]]` with `kind = \"iterations\"`. Definitions: "
                             "docs/model.md#iteration-model.",
                             {}};
    for (std::size_t k = 0; k < std::size(iteration_policy_ids); ++k)
        section.entries.push_back({std::string(iteration_policy_ids[k]),
                                   meaning_of(static_cast<IterationPolicyKind>(k))});
    return section;
}

ReferenceSection output_laws()
{
    ReferenceSection section{"Laws of lengths",
                             "law of lengths",
                             "`law` of `[workload.output]` and of `prompt`, which takes neither "
                             "`composition` nor `trace`.",
                             {}};
    for (auto const& law : law_catalogue(LengthRole::output)) {
        if (!section.entries.empty() && section.entries.back().name == law.id) continue;
        auto const fields = documented_fields(law);
        section.entries.push_back(
            {law.id, law.meaning + (fields.empty() ? "" : ". Fields: " + fields)});
    }
    section.entries.push_back({"composition",
                               "exact counts of each length, in random order. "
                               "Fields: `values`, and `counts` (sum n) or `weights`, "
                               "shared out by largest remainder"});
    section.entries.push_back({"trace", "rows of CSV files. Fields: `sources`, `order`"});
    return section;
}

ReferenceSection intervals_and_arrivals()
{
    return {
        "Prediction intervals and arrivals",
        "rule of intervals or law of arrivals",
        "`rule` of `[workload.interval]` and `law` of `[workload.arrivals]`.",
        {{"support", "interval: the output law's range, or its least and largest listed length"},
         {"common", "interval: `lower` and `upper`, for all; they must hold every length"},
         {"buckets", "interval: [1, width], [width + 1, 2 width], .. "},
         {"relative", "interval: max(1, floor((1 - x) o)) .. ceil((1 + x) o), x to nine places"},
         {"exact", "interval: the output length itself"},
         {"at-zero", "arrivals: all at 0"},
         {"poisson-rounds",
          "arrivals: a Poisson number in each round, `rate` in [0.001, 1000]; unit clock only"},
         {"poisson", "arrivals: a Poisson process in continuous time, of a `rate` above 0, or of "
                     "`rates` in steps; the last step has no duration, unless `repeat`"},
         {"gamma", "arrivals: gamma gaps of a `coefficient_of_variation`, in place of a Poisson "
                   "process at the same rates"},
         {"trace", "arrivals: row i's time divided by `speed`; needs `order` `in-order` "
                   "or `window`"}}};
}

char const* meaning_of(BaselineKind kind)
{
    switch (kind) {
    case BaselineKind::h_sf: return "TEL of mc-sf; all at 0, unit clock";
    case BaselineKind::volume: return "by outputs and volumes; all at 0, unit clock";
    case BaselineKind::release: return "the volume bound with arrivals; unit clock";
    case BaselineKind::mc_sf: return "TEL of mc-sf";
    case BaselineKind::best_found: return "least TEL of a local search; unit clock, M <= 2^30";
    case BaselineKind::dual:
        return "JAILLET's dual solution; identical requests, all at 0, unit clock";
    case BaselineKind::peaks: return "prices of memory and of peak rows; unit clock";
    case BaselineKind::opt_lower: return "lower end after a search for OPT; unit clock";
    case BaselineKind::opt_upper: return "upper end after a search for OPT; unit clock";
    case BaselineKind::opt: return "proven optimum; unit clock, n <= 64";
    }
    return "";
}

ReferenceSection baselines()
{
    ReferenceSection section{"Baselines",
                             "baseline",
                             "`use` of `[baselines]`, `baseline` of a panel. Definitions: "
                             "docs/model.md#baselines.",
                             {}};
    for (auto const& name : baseline_names)
        section.entries.push_back({std::string(name.id), std::string(meaning_of(name.kind)) + ". " +
                                                             std::string(name.denominator)});
    return section;
}

ReferenceSection measures()
{
    ReferenceSection section{
        "Measures",
        "measure of a panel",
        "`measure` of `[[panel]]`; the last eight in the iteration model only, `ratio` in "
        "distributions.",
        {{"ratio-of-means", "mean TEL over mean baseline"},
         {"mean-of-ratios", "mean of TEL over baseline"},
         {"mean-latency", "mean latency of a request; seconds under the affine clock"},
         {"mean-first-token", "mean time to the first token of a request"},
         {"mean-makespan", "mean time of the last completion"},
         {"p99-ratio", "99th percentile of TEL over baseline"},
         {"worst-ratio", "largest TEL over baseline of an instance"},
         {"ratio", "of a histogram or exceedance: TEL over baseline of each instance"},
         {"argmax", "place on the axis `worst_over` of the largest ratio of means"},
         {"unfinished", "share of instances that the policy never finishes"},
         {"throughput-gap", "tokens of the prompts in the system at the horizon, over it"},
         {"throughput-gap-as-in-8", "the same with one token more a prompt, as AO (8) counts"},
         {"throughput", "tokens of completed prompts a second"},
         {"peak-memory", "mean over paths of the most tokens that an iteration took"},
         {"largest-memory", "the same, the most of any path"},
         {"overflow-frequency", "share of paths with an iteration above `memory`"},
         {"cancellations", "number of cancelled prompts"},
         {"iterations", "number of iterations"}}};
    auto place =
        std::ranges::find(section.entries, std::string("throughput-gap"), &ReferenceEntry::name);
    for (auto const& name : request_statistic_names()) {
        auto const label = request_label(*request_statistic_named(name), "rounds or seconds");
        place = section.entries.insert(place, {name, label + "; where `[measures]` keeps it"}) + 1;
    }
    return section;
}

/// "alpha[, s_over_u]; t or w" for "alpha[, s_over_u] or l, u[, s] or ..; t or w": the other ways
/// to give alpha are said once.
std::string without_choices(std::string const& parameters)
{
    if (!parameters.starts_with("alpha")) return parameters;
    auto const end = parameters.find(';');
    return parameters.substr(0, parameters.find(" or ")) +
           (end == std::string::npos ? "" : parameters.substr(end));
}

ReferenceSection curves()
{
    ReferenceSection section{"Curves",
                             "curve",
                             "`curves` of `[[panel]]`, names of `crx bounds`. `l` and `u` may "
                             "stand for `alpha`, `s` and `u` for `s_over_u`. A panel of the "
                             "iteration model has x^-1, x^-1/2, x^1/2 and x^1 instead.",
                             {}};
    for (auto const& curve : bounds::curve_catalogue())
        section.entries.push_back({curve.id, curve.statement + " (" + curve.source + "); reads " +
                                                 without_choices(curve.parameters)});
    return section;
}

ReferenceSection engines_of_program()
{
    ReferenceSection section{"Engines",
                             "engine",
                             "`crx info --engines EXPERIMENT.toml` says which one runs each policy "
                             "of each cell. Iterations have an engine of their own.",
                             {}};
    for (auto const* engine : engines())
        if (engine->processor == Processor::cpu)
            section.entries.push_back({std::string(engine->name), std::string(engine->summary)});
    return section;
}

ReferenceSection terms()
{
    return {
        "Terms",
        "term",
        "Words and letters of figures, tables and reports; all others: docs/glossary.md.",
        {{"TEL",
          "total end-to-end latency: completion less arrival, summed over the requests of an "
          "instance"},
         {"ratio", "TEL over that of the denominator, on the same instance; 1 is as good"},
         {"alpha", "l/u, how sure predictions are: 1 is exact; of `protect` and `clear` the share "
                   "of memory left free"},
         {"l and u", "ends of the prediction interval, l <= output <= u, in tokens"},
         {"n, M, s", "requests of an instance; tokens of memory; prompt tokens of a request"},
         {"share", "of two lengths: the fraction of output tokens that is in short requests"},
         {"reading", "of CHEN's A_min, where the text leaves two choices: whom an overflow cancels "
                     "(`a-min`, `a-min-evict`) and when a request counts as longer than planned "
                     "(`learns`)"},
         {"H-SF",
          "shortest first with known lengths, all at 0: MC-SF; a schedule, so at least OPT"},
         {"OPT", "the least TEL of any schedule of the instance"},
         {"fluid ratio", "the limit of the ratio of means for many requests and large M"}}};
}

ReferenceSection exit_statuses()
{
    return {"Exit status",
            "exit status",
            "",
            {{"0", "done"},
             {"1", "the run failed; the message says what was kept and how to go on"},
             {"2", "bad input or usage; nothing was written"},
             {"130", "stopped by Ctrl-C (SIGINT); what was done is kept"},
             {"143", "stopped by SIGTERM; what was done is kept"}}};
}

} // namespace

std::vector<ReferenceSection> reference_sections()
{
    auto sections = experiment_key_sections();
    for (auto const make :
         {terms, round_policies, iteration_policies, output_laws, intervals_and_arrivals, baselines,
          measures, curves, engines_of_program, exit_statuses})
        sections.push_back(make());
    return sections;
}

namespace {

/// The text with each `from` replaced by `to`.
std::string replaced(std::string text, std::string const& from, std::string const& to)
{
    for (std::size_t at = 0; (at = text.find(from, at)) != std::string::npos; at += to.size())
        text.replace(at, from.size(), to);
    return text;
}

std::string without_backquotes(std::string const& text) { return replaced(text, "`", ""); }

/// Lines of a page of at most 100 columns; each after the first stands behind `indent`.
std::string wrapped(std::string const& text, std::string_view indent = "")
{
    return claims::wrapped(replaced(text, "<", "\\<"), 100, indent) + "\n"; // < begins a tag
}

/// A text as roff: no line begins with a control character, no backslash is an escape.
std::string as_roff(std::string const& text)
{
    auto plain = replaced(without_backquotes(text), "\\", "\\e");
    plain = replaced(replaced(plain, "-", "\\-"), "∝", "~");
    return plain.starts_with('.') || plain.starts_with('\'') ? "\\&" + plain : plain;
}

/// "half_width" for "stop.half_width".
std::string last_part(std::string const& name)
{
    auto const dot = name.rfind('.');
    return dot == std::string::npos ? name : name.substr(dot + 1);
}

} // namespace

std::string as_markdown(std::vector<ReferenceSection> const& sections)
{
    std::string page;
    for (auto const& section : sections) {
        page += "\n## " + section.title + "\n\n";
        if (!section.text.empty()) page += wrapped(section.text) + "\n";
        auto const& entries = section.entries;
        for (std::size_t k = 0; k < entries.size(); ++k) {
            auto names = "- `" + entries[k].name + "`";
            auto const& meaning = entries[k].meaning;
            // Statistics of one measure, `latency-mean` to `latency-max`, share an entry.
            auto const stem = entries[k].name.substr(0, entries[k].name.rfind("-mean") + 1);
            while (!stem.empty() && k + 1 < entries.size() &&
                   entries[k + 1].name.starts_with(stem) &&
                   entries[k + 1].name.find('-', stem.size()) == std::string::npos)
                names += ", `-" + entries[++k].name.substr(stem.size()) + "`";
            page += wrapped(names + ": " + meaning, "  ");
        }
    }
    return page;
}

std::string as_manual(std::vector<ReferenceSection> const& sections)
{
    std::string page;
    for (auto const& section : sections) {
        page += ".SS " + as_roff(section.title) + "\n";
        if (!section.text.empty()) page += as_roff(section.text) + "\n";
        for (auto const& entry : section.entries)
            page += ".TP\n.B " + as_roff(entry.name) + "\n" + as_roff(entry.meaning) + "\n";
    }
    return page;
}

std::string found_entries(std::vector<ReferenceSection> const& sections, std::string const& name)
{
    std::string of_name, with_value;
    for (auto const& section : sections)
        for (auto const& entry : section.entries) {
            auto const text = entry.name + " (" + section.kind + ")\n  " +
                              without_backquotes(entry.meaning) + "\n";
            if (entry.name == name || last_part(entry.name) == name) of_name += text;
            if (entry.meaning.find("`" + name + "`") != std::string::npos ||
                entry.meaning.find("`" + name + ":") != std::string::npos)
                with_value += text;
        }
    return of_name.empty() ? with_value : of_name;
}

} // namespace crx
