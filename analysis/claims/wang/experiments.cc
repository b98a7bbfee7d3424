#include "analysis/claims/tools/chats.hh"
#include "analysis/claims/tools/runs.hh"
#include "analysis/claims/trial.hh"
#include "analysis/claims/wang/claims.hh"
#include "analysis/laws/clipped_laws.hh"
#include "analysis/laws/discrete_laws.hh"
#include "analysis/sorted_f/sorted_f.hh"
#include "analysis/sorted_f/sorted_f_order.hh"
#include "analysis/sorted_lp/relaxation.hh"

#include <algorithm>
#include <fmt/format.h>

namespace crx::claims {
namespace {

/// A row of the table: a law of prompts and of outputs, and the printed mean of Sorted-F by swap.
struct Row
{
    std::string_view name;
    TabulatedLaw prompt, output;
    std::int64_t requests = 100, printed = 0;
};

Workload workload_of(Row const& row)
{
    Workload w;
    w.seed = 1;
    w.requests = row.requests;
    w.memory = 100;
    w.output_value = row.output.value;
    w.output_threshold = row.output.threshold;
    w.prompt_kind = PromptKind::table;
    w.prompt_value = row.prompt.value;
    w.prompt_threshold = row.prompt.threshold;
    return w;
}

/// Observation 1. Of the pairs in which one request has the smaller output and a prompt at least
/// twice that of the other, in how many, per cent, Sorted-LP puts it first.
double short_outputs_first(Row row)
{
    row.requests = 40; // a linear program each
    std::int64_t pairs = 0, first = 0;
    for (std::int64_t k = 0; k < 5; ++k) {
        auto const instance = generate_single(workload_of(row), k);
        auto const start = sorted_lp::relax(instance).mean_start;
        for (std::size_t i = 0; i < start.size(); ++i)
            for (std::size_t j = 0; j < start.size(); ++j) {
                if (instance.output[i] >= instance.output[j] ||
                    instance.prompt[i] < 2 * instance.prompt[j])
                    continue;
                ++pairs;
                first += start[i] < start[j] ? 1 : 0;
            }
    }
    return 100 * static_cast<double>(first) / static_cast<double>(pairs);
}

// Three printed means are below the mean of a lower bound on every schedule of these instances.
Fresh test_table_ec_1(Stated const& stated)
{
    auto const same = [](std::string_view name, TabulatedLaw const& law, std::int64_t printed) {
        return Row{name, law, law, 100, printed};
    };
    auto const short_ones = exponential_law(5, 1, 50);
    std::vector<Row> const rows{
        same("uniform", uniform_law(1, 50), 9'748),
        same("normal", normal_law(25, 8.33, 1, 50), 9'417),
        same("binomial", binomial_law(49, 0.5, 1), 10'697),
        {"exponential", short_ones, short_ones, 100, 6'017},
        {"mixed", mixed_prompt_law(), short_ones, 200, 22'100},
    };
    std::string figures;
    int impossible = 0;
    bool sound = true;
    for (auto const& row : rows) {
        auto const w = workload_of(row);
        std::int64_t bound = 0, swap = 0;
        constexpr std::int64_t instances = 100;
        for (std::int64_t k = 0; k < instances; ++k) {
            auto const instance = generate_single(w, k);
            auto const settings = sorted_f::Settings{sorted_f::Selector::swap, 0, 1, 0};
            auto const total = sorted_f::execute(instance, settings).value().outcome.total_latency;
            auto const least = volume_bound(instance);
            sound = sound && least <= total;
            bound += least;
            swap += total;
        }
        // Printed at 300 % it would stand: a third is what the evidence says.
        impossible += 100 * bound > row.printed * stated.bound_percent * instances ? 1 : 0;
        figures += fmt::format("{}{} {} (bound {}, printed {})", figures.empty() ? "" : "; ",
                               row.name, swap / instances, bound / instances, row.printed);
    }
    return {sound && impossible == 3 ? Verdict::broken : Verdict::holds,
            figures + fmt::format("; with prompts twice as long the smaller output is first in "
                                  "{:.0f} % (uniform) and {:.0f} % (mixed) of the pairs; "
                                  "observations 2 and 3 are not looked at here",
                                  short_outputs_first(rows[0]), short_outputs_first(rows[4]))};
}

/// 400 summaries to 1,600 conversations by stand-in laws: summaries have prompts like a normal law
/// of the sample's mean and deviation and outputs of its median scale.
Cell mixed_chats(std::int64_t requests)
{
    auto cell = chats(LmsysSource::chen, requests, measured_clock());
    auto& w = cell.workload;
    auto const draw = [&](TabulatedLaw const& prompt, TabulatedLaw const& output,
                          std::mt19937_64& rng) {
        auto const one = [&](TabulatedLaw const& law) {
            auto const at = std::ranges::upper_bound(law.threshold, rng()) - law.threshold.begin();
            return law.value[std::min(static_cast<std::size_t>(at), law.value.size() - 1)];
        };
        for (int k = 0; k < 5'000; ++k) {
            w.trace_prompt.push_back(one(prompt));
            w.trace_output.push_back(one(output));
        }
        w.source_end.push_back(static_cast<std::int64_t>(w.trace_prompt.size()));
    };
    std::mt19937_64 rng(1);
    draw(normal_law(2'588, 945, 1, 4'054), exponential_law(240, 5, 4'056), rng);
    draw(tabulate_lmsys(LmsysSource::chen, LmsysPart::prompt),
         tabulate_lmsys(LmsysSource::chen, LmsysPart::output), rng);
    w.source_count = {requests / 5, requests - requests / 5};
    w.output_kind = OutputKind::trace;
    w.prompt_kind = PromptKind::trace;
    w.output_value.clear();
    w.output_threshold.clear();
    w.prompt_value.clear();
    w.prompt_threshold.clear();
    return cell;
}

Fresh test_figure_8(Stated const&)
{
    std::string figures;
    bool ordered = true;
    for (std::int64_t const requests : {400, 1'000}) {
        auto cell = mixed_chats(requests);
        using sorted_f::Selector;
        auto const by = [](Selector selector) {
            return std::make_shared<sorted_f::SortedFOrder>(sorted_f::Settings{selector, 0, 1, 0});
        };
        cell.policies = {policy("a-random"), policy("mc-sf"), policy("mc-benchmark"),
                         policy("mc-benchmark")};
        cell.orders = {nullptr, nullptr, by(Selector::quantile), by(Selector::swap)};
        auto const runs = average_latencies(cell, 12);
        figures += fmt::format("{}n = {}:", figures.empty() ? "" : "; ", requests);
        for (std::size_t k = 0; k < runs.size(); ++k) {
            figures += fmt::format(" {:.1f}", mean_of(runs[k]).mean);
            if (k > 0) ordered = ordered && mean_ratio(runs[k - 1], runs[k]).low() > 1;
        }
    }
    return {ordered ? Verdict::holds : Verdict::broken,
            figures + " s (FCFS, MC-SF, quantile, swap); stand-in lengths, not the traces"};
}

} // namespace

Claim wang_table_ec_1()
{
    return {
        .id = "W-TEC1",
        .paper = Paper::wang,
        .place = "Table EC.1 and Figure EC.2, companion EC.4",
        .statement =
            "Mean TEL of Sorted-F by swap is 9,748 (uniform), 9,417 (normal), 10,697 (binomial), "
            "6,017 (exponential), 22,100 (mixed). Sorted-LP puts short outputs first even with "
            "long prompts. LP-Swap is competitive, plain swap a little better on mixed.",
        .hypotheses = {{"100 requests (mixed: 200), all at 0, M = 100"}},
        .method = Method::reproduction,
        .verdict = Verdict::broken,
        .evidence =
            "Measured 48,966, 49,555, 60,105, 1,111 and 9,288; the first three printed are below a "
            "third of a lower bound at any M tried. Sorted-LP puts the smaller output first in 54 "
            "% (uniform) and 30 % (mixed) of the pairs where its prompt is twice as long, and is "
            "best on every law. LP-Swap is level with swap on three laws, better on two.",
        .command =
            "crx sweep experiments/wang/wang_table_ec_1.toml && crx export wang_table_ec_1.db",
        .page = "docs/reproduction.md",
        .test = test_table_ec_1,
    };
}

Claim wang_figure_8()
{
    return {
        .id = "W-F8",
        .paper = Paper::wang,
        .place = "Figure 8",
        .statement = "On mixed data FCFS, MC-SF, Sorted-F by quantile and by swap are ordered from "
                     "worst to best.",
        .hypotheses = {{"1,600 conversations and 400 summaries, M = 16,492"}},
        .method = Method::reproduction,
        .verdict = Verdict::holds,
        .evidence = "The same at every n from 200 to 2,000, on two mixes of traces.",
        .command = "crx sweep experiments/wang/wang_figure_8_traces.toml && crx panels "
                   "wang_figure_8_traces.db",
        .page = "docs/reproduction.md",
        .test = test_figure_8,
    };
}

} // namespace crx::claims
