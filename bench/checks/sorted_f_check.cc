// Slow checks and figures of WANG's Sorted-F (docs/findings/sorted-f.md):
//   sorted_f_check lemma COUNT             Lemmas 1 and 2 on every batch of every selector, EC.4.2
//   sorted_f_check scaled COUNT            distance of the scaled table from the exact one
//   sorted_f_check chain COUNT N M         Theorems 4 to 8 and Lemma 2 against proven optima
//   sorted_f_check chain-large COUNT N M   the links that need no optimum
//   sorted_f_check worst SECONDS N M SEED  search for the largest TEL / OPT, OPT proven
//   sorted_f_check worst-large SECONDS N M SEED   the same over the volume bound
#include "analysis/baseline/hindsight.hh"
#include "analysis/laws/clipped_laws.hh"
#include "analysis/laws/discrete_laws.hh"
#include "analysis/sorted_f/transformed.hh"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdlib>
#include <fmt/core.h>
#include <functional>

namespace {

using namespace crx;
using sorted_f::Selector;

double seconds_now()
{
    using clock = std::chrono::steady_clock;
    return std::chrono::duration<double>(clock::now().time_since_epoch()).count();
}

std::int32_t draw(TabulatedLaw const& law, WordStream& words)
{
    auto const at = std::ranges::upper_bound(law.threshold, words.next());
    return law.value[std::min(static_cast<std::size_t>(at - law.threshold.begin()),
                              law.value.size() - 1)];
}

struct NamedLaws
{
    char const* name;
    TabulatedLaw prompt, output;
};

std::vector<NamedLaws> laws_of_ec_4_2()
{
    auto const uniform = uniform_law(1, 50), normal = normal_law(25, 8.33, 1, 50),
               binomial = binomial_law(49, 0.5, 1), exponential = exponential_law(5, 1, 50);
    return {{"uniform", uniform, uniform},
            {"normal", normal, normal},
            {"binomial", binomial, binomial},
            {"exponential", exponential, exponential},
            {"mixed", mixed_prompt_law(), exponential}};
}

OwnedInstance instance_of(NamedLaws const& laws, std::int64_t n, Tokens memory,
                          std::uint64_t number)
{
    WordStream words(2026, 0, number);
    OwnedInstance instance;
    instance.memory = memory;
    for (std::int64_t i = 0; i < n; ++i) {
        instance.prompt.push_back(draw(laws.prompt, words));
        instance.output.push_back(draw(laws.output, words));
        instance.arrival.push_back(0);
    }
    instance.lower = instance.upper = instance.output;
    return instance;
}

int lemma(std::uint64_t count)
{
    for (auto const& laws : laws_of_ec_4_2())
        for (auto const selector :
             {Selector::exact, Selector::scaled, Selector::swap, Selector::quantile}) {
            std::int64_t made = 0, broken = 0;
            sorted_f::GroupGrowth growth;
            double least = 1;
            for (std::uint64_t k = 0; k < count; ++k) {
                auto const instance = instance_of(laws, 100, 100, k);
                auto const batches = sorted_f::batches(instance, {selector, 20, 1, k}).value();
                auto const grown = sorted_f::group_growth(
                    instance, batches, sorted_f::transform(instance, batches).terminal);
                growth.compared += grown.compared;
                growth.broken += grown.broken;
                growth.not_doubled += grown.not_doubled;
                growth.largest = std::max(growth.largest, grown.largest);
                for (auto const& batch : batches) {
                    ++made;
                    broken += sorted_f::keeps_lemma_1(instance, batch) ? 0 : 1;
                    double sum = 0;
                    for (auto const i : batch) sum += instance.output[i];
                    least = std::min(least, sum / static_cast<double>(batch.size()) /
                                                instance.output[batch.back()]);
                }
            }
            fmt::print("{:<12} {:<9} {:>8} batches, {:>6} break Lemma 1; least mean / max {:.4f}; "
                       "{:>6} inside a group, {:>4} break Lemma 2, {:>4} do not double; largest "
                       "max 2^(a-i-1) / last {:.4f}\n",
                       laws.name, sorted_f::selector_names[static_cast<std::size_t>(selector)],
                       made, broken, least, growth.compared, growth.broken, growth.not_doubled,
                       growth.largest);
        }
    return 0;
}

double quality(OwnedInstance const& instance, sorted_f::Batch const& batch)
{
    double sum = 0;
    for (auto const i : batch) sum += instance.output[i];
    return sum / static_cast<double>(batch.size()) / static_cast<double>(batch.size());
}

int scaled(std::uint64_t count)
{
    constexpr Tokens memory = 500;
    for (auto const& laws : laws_of_ec_4_2()) {
        std::vector<OwnedInstance> instances;
        std::vector<double> best, latency;
        for (std::uint64_t k = 0; k < count; ++k) {
            instances.push_back(instance_of(laws, 100, memory, k));
            auto const made =
                sorted_f::batches(instances.back(), {Selector::exact, 0, 0, 0}).value();
            best.push_back(quality(instances.back(), made.front()));
            latency.push_back(
                static_cast<double>(execute_in_order(instances.back(), sorted_f::order_of(made))
                                        .outcome.total_latency));
        }
        for (std::int64_t const cells : {5, 10, 20, 50, 100, 250}) {
            double sum = 0, worst = 0, total = 0;
            for (std::uint64_t k = 0; k < count; ++k) {
                auto const made =
                    sorted_f::batches(instances[k], {Selector::scaled, cells, 0, 0}).value();
                auto const ratio = quality(instances[k], made.front()) / best[k];
                sum += ratio;
                worst = std::max(worst, ratio);
                total +=
                    static_cast<double>(execute_in_order(instances[k], sorted_f::order_of(made))
                                            .outcome.total_latency) /
                    latency[k];
            }
            auto const n = static_cast<double>(count);
            fmt::print("{:<12} cells {:>4}: F / F* of the first batch mean {:.4f}, worst {:.4f}; "
                       "TEL over exact's {:.4f}\n",
                       laws.name, cells, sum / n, worst, total / n);
        }
    }
    return 0;
}

struct Optimum
{
    std::vector<Rounds> starts;
    Rounds total_latency = 0;
};

/// Nothing if it takes longer than ten seconds to prove.
std::optional<Optimum> optimum_of(OwnedInstance const& instance)
{
    baseline::HindsightLimits limits;
    limits.seconds = 10;
    limits.evaluations_a_request = 400;
    auto const result = baseline::hindsight(instance, limits);
    if (!result.optimal()) return std::nullopt;
    return Optimum{result.best().starts, result.upper};
}

OwnedInstance random_instance(WordStream& words, std::int64_t n, Tokens memory)
{
    OwnedInstance instance;
    instance.memory = memory;
    // Sizes up to a part of memory that is drawn too: the theorems speak of small requests.
    auto const most = 2 + words.bounded(static_cast<std::uint64_t>(memory) - 1);
    for (std::int64_t i = 0; i < n; ++i) {
        auto const size = 2 + words.bounded(most - 1);
        auto const output = 1 + words.bounded(size - 1);
        instance.output.push_back(static_cast<std::int32_t>(output));
        instance.prompt.push_back(static_cast<std::int32_t>(size - output));
        instance.arrival.push_back(0);
    }
    instance.lower = instance.upper = instance.output;
    return instance;
}

std::string rows_of(OwnedInstance const& instance)
{
    std::string text = fmt::format("M = {}, (prompt, output):", instance.memory);
    for (std::size_t i = 0; i < instance.output.size(); ++i)
        text += fmt::format(" {},{}", instance.prompt[i], instance.output[i]);
    return text;
}

/// The largest value of a ratio that a statement bounds, with its instance.
struct Link
{
    char const* statement;
    double worst = 0;
    std::int64_t broken = 0;
    std::string rows = {};
    void add(double ratio, bool holds, OwnedInstance const& instance)
    {
        broken += holds ? 0 : 1;
        if (ratio <= worst) return;
        worst = ratio;
        rows = rows_of(instance);
    }
};

int chain(std::uint64_t count, std::int64_t n, Tokens memory, bool with_optimum)
{
    Link t4{"TEL <= separate"}, t5{"separate < 4 group"}, t6{"group < 2 align"},
        t7{"OPT_align <= 6 OPT"}, t8{"align <= OPT_align"}, all{"TEL < 48 OPT"},
        l2{"Lemma 2, doubled"}, t5x{"separate < 3 group"}, t56{"separate < 4 align"};
    std::uint64_t proven = 0;
    for (std::uint64_t k = 0; k < count; ++k) {
        WordStream words(7, 0, k);
        auto const instance = random_instance(words, n, memory);
        auto const batches = sorted_f::batches(instance, {}).value();
        auto const made = sorted_f::transform(instance, batches);
        auto const tel =
            execute_in_order(instance, sorted_f::order_of(batches)).outcome.total_latency;
        auto const align = made.align.convert_to<double>();
        auto const separate = static_cast<double>(made.separate),
                   group = static_cast<double>(made.group), latency = static_cast<double>(tel);
        t4.add(latency / separate, tel <= made.separate, instance);
        t5.add(separate / group, made.separate < 4 * made.group, instance);
        t5x.add(separate / group, made.separate < 3 * made.group, instance);
        t56.add(separate / align, made.separate < 4 * made.align, instance);
        t6.add(group / align, made.group < 2 * made.align, instance);
        auto const growth = sorted_f::group_growth(instance, batches, made.terminal);
        l2.add(growth.largest, growth.not_doubled == 0, instance);
        if (!with_optimum) continue;
        auto const best = optimum_of(instance);
        if (!best) continue;
        ++proven;
        auto const opt = static_cast<double>(best->total_latency);
        auto const aligned = sorted_f::transform_schedule(instance, best->starts).align;
        t7.add(aligned.convert_to<double>() / opt, aligned <= 6 * best->total_latency, instance);
        t8.add(align / aligned.convert_to<double>(), made.align <= aligned, instance);
        all.add(latency / opt, tel < 48 * best->total_latency, instance);
    }
    fmt::print("{} instances, n = {}, M = {}; optimum proven in {}\n", count, n, memory, proven);
    for (auto const& link : {t4, t5, t5x, t6, t56, l2, t7, t8, all})
        fmt::print("{:<20} largest ratio {:.5f}, broken {}; {}\n", link.statement, link.worst,
                   link.broken, link.rows);
    return 0;
}

/// A change of one request, or of all equal to it: new lengths, those of another, one token more or
/// less.
OwnedInstance changed(OwnedInstance instance, WordStream& words)
{
    auto const n = instance.output.size();
    auto const i = words.bounded(n);
    auto s = instance.prompt[i], o = instance.output[i];
    auto const memory = static_cast<std::uint64_t>(instance.memory);
    switch (words.bounded(4)) {
    case 0:
        o = 1 + static_cast<std::int32_t>(words.bounded(memory - 1));
        s = static_cast<std::int32_t>(words.bounded(memory - static_cast<std::uint64_t>(o) + 1));
        break;
    case 1: {
        auto const j = words.bounded(n);
        s = instance.prompt[j], o = instance.output[j];
        break;
    }
    case 2: s += static_cast<std::int32_t>(words.bounded(2)) * 2 - 1; break;
    default: o += static_cast<std::int32_t>(words.bounded(2)) * 2 - 1;
    }
    if (s < 0 || o < 1 || Tokens{s} + o > instance.memory) return instance;
    auto const was = std::pair(instance.prompt[i], instance.output[i]);
    bool const all = words.bounded(3) == 0;
    for (std::size_t j = 0; j < n; ++j)
        if (j == i || (all && was == std::pair(instance.prompt[j], instance.output[j])))
            instance.prompt[j] = s, instance.output[j] = o;
    instance.lower = instance.upper = instance.output;
    return instance;
}

/// Climbs from random instances, and starts again where nothing better is found for a while.
/// `over` gives the ratio, or less than `beaten` as soon as it cannot exceed that.
int climb(double seconds, std::int64_t n, Tokens memory, std::uint64_t seed,
          std::function<double(OwnedInstance const&, double beaten)> const& over)
{
    WordStream words(seed, 0, 0);
    auto const start = seconds_now();
    double best = 0;
    OwnedInstance at_best;
    std::int64_t looked_at = 0, climbs = 0;
    while (seconds_now() - start < seconds) {
        auto instance = random_instance(words, n, memory);
        auto ratio = over(instance, 0);
        ++climbs;
        for (int idle = 0; idle < 400 && seconds_now() - start < seconds; ++idle) {
            auto next = changed(instance, words);
            if (words.bounded(2) == 0) next = changed(next, words);
            ++looked_at;
            auto const value = over(next, ratio);
            if (value < ratio) continue;
            if (value > ratio) idle = 0;
            ratio = value;
            instance = next;
        }
        if (ratio <= best) continue;
        best = ratio;
        at_best = instance;
        fmt::print("{:.5f} {}\n", best, rows_of(at_best));
        std::fflush(stdout);
    }
    fmt::print("largest {:.5f} of {} instances, {} climbs, n = {}, M = {}\n", best, looked_at,
               climbs, n, memory);
    return 0;
}

double latency_of(OwnedInstance const& instance)
{
    return static_cast<double>(sorted_f::execute(instance, {}).value().outcome.total_latency);
}

double over_volume(OwnedInstance const& instance, double)
{
    return latency_of(instance) / static_cast<double>(volume_bound(instance));
}

/// The volume bound is below OPT, so it tells first whether the ratio can be larger.
double over_optimum(OwnedInstance const& instance, double beaten)
{
    auto const latency = latency_of(instance);
    if (latency / static_cast<double>(volume_bound(instance)) < beaten) return 0;
    auto const best = optimum_of(instance);
    return best ? latency / static_cast<double>(best->total_latency) : 0;
}

} // namespace

int main(int argc, char** argv)
{
    std::string const mode = argc > 1 ? argv[1] : "";
    auto const number = [&](int k, double otherwise) {
        return argc > k ? std::atof(argv[k]) : otherwise;
    };
    auto const whole = [&](int k, std::int64_t otherwise) {
        return static_cast<std::int64_t>(number(k, static_cast<double>(otherwise)));
    };
    auto const count = static_cast<std::uint64_t>(whole(2, 100));
    if (mode == "lemma") return lemma(count);
    if (mode == "scaled") return scaled(count);
    if (mode == "chain") return chain(count, whole(3, 7), whole(4, 16), true);
    if (mode == "chain-large") return chain(count, whole(3, 100), whole(4, 200), false);
    if (mode == "worst" || mode == "worst-large")
        return climb(number(2, 60), whole(3, 8), whole(4, 16),
                     static_cast<std::uint64_t>(whole(5, 1)),
                     mode == "worst" ? over_optimum : over_volume);
    fmt::print(stderr,
               "usage: sorted_f_check lemma|scaled|chain|chain-large|worst|worst-large ..., "
               "see its first lines\n");
    return 2;
}
