#include "analysis/adversary/theorem_4_1.hh"
#include "analysis/laws/lmsys_like.hh"
#include "claims/functions.hh"
#include "kernels/cpu/single.hh"
#include "kernels/model/workload.cuh"
#include "kernels/policies/policy_info.hh"

#include <algorithm>
#include <boost/multiprecision/cpp_int.hpp>
#include <cmath>
#include <numeric>
#include <random>

namespace crx::claims {
namespace {

PolicySpec policy(char const* id)
{
    PolicySpec spec;
    spec.kind = find_policy(id)->kind;
    return spec;
}

/// Theorem 4.1's adversary against four policies: the least ratio over the better schedule, and how
/// far a policy's total is from the derived sum.
std::map<std::string, Interval> adversary(Numbers const& at)
{
    auto const k = whole(at, "k");
    double least = 1e300, difference = 0;
    for (auto const* id : {"mc-sf", "mc-sf-total", "mc-benchmark", "a-max"}) {
        auto const run = play_theorem_4_1(policy(id), k, ToldLengths::exact);
        least = std::min(least, run.ratio_lower_bound());
        difference = std::max(
            difference, std::abs(static_cast<double>(run.total_latency - theorem_4_1_latency(k))));
    }
    return {{"least_ratio", least}, {"difference_from_formula", difference}};
}

/// MC-SF with the tokens of each time to come kept in a table: looks at the table and changes of it
/// in the costliest round. Requests (s, o) come in ascending order of o.
std::int64_t most_looks(std::vector<std::pair<Tokens, std::int64_t>> const& requests, Tokens memory)
{
    std::size_t rounds = 2;
    for (auto const& [s, o] : requests) rounds += static_cast<std::size_t>(o);
    std::vector<Tokens> held(rounds);
    std::int64_t most = 0;
    auto next = requests.begin();
    for (std::size_t now = 0; next != requests.end(); ++now) {
        std::int64_t looks = 0;
        while (next != requests.end()) {
            auto const [s, output] = *next;
            auto const o = static_cast<std::size_t>(output);
            bool fits = true;
            for (std::size_t j = 1; fits && j <= o; ++j, ++looks)
                fits = held[now + j] + s + static_cast<Tokens>(j) <= memory;
            if (!fits) break;
            for (std::size_t j = 1; j <= o; ++j, ++looks)
                held[now + j] += s + static_cast<Tokens>(j);
            ++next;
        }
        most = std::max(most, looks);
    }
    return most;
}

/// M H_M
double harmonic_times(Tokens memory)
{
    double sum = 0;
    for (Tokens k = memory; k >= 1; --k)
        sum += static_cast<double>(memory) / static_cast<double>(k);
    return sum;
}

/// Proposition 4.2. `seed` 0: M/o - M/(o+1) requests (0, o) of each o, which come nearest to the
/// bound; else a random list.
std::map<std::string, Interval> rounds_of_mc_sf(Numbers const& at)
{
    auto const memory = whole(at, "M"), seed = whole(at, "seed");
    std::vector<std::pair<Tokens, std::int64_t>> requests;
    double reached = 0;
    if (seed == 0) {
        for (Tokens o = 1; o <= memory; ++o) {
            requests.insert(requests.end(), static_cast<std::size_t>(memory / o - memory / (o + 1)),
                            {0, o});
            reached += 2 * static_cast<double>(memory / o);
        }
    } else {
        std::mt19937_64 rng(static_cast<std::uint64_t>(seed));
        for (auto n = 1 + rng() % 40; n > 0; --n) {
            auto const s = static_cast<Tokens>(rng() % static_cast<std::uint64_t>(memory));
            auto const room = static_cast<std::uint64_t>(memory - s);
            requests.emplace_back(s, 1 + static_cast<std::int64_t>(rng() % room));
        }
        std::ranges::stable_sort(requests, {}, &std::pair<Tokens, std::int64_t>::second);
    }
    return {{"looks", static_cast<double>(most_looks(requests, memory))},
            {"bound", 2 * harmonic_times(memory) + static_cast<double>(memory)},
            {"reached", reached}};
}

/// Lemma B.1's constraint (23), y - sum over tau = t+1 .. t+o of (s + tau - t) lambda_tau <= t: the
/// largest left side less t over all t, exactly.
std::map<std::string, Interval> dual_constraint(Numbers const& at)
{
    using Fraction = boost::multiprecision::cpp_rational;
    auto const s = whole(at, "s"), o = whole(at, "o"), n = whole(at, "n");
    auto const memory = whole(at, "times") * (s + o);
    auto const beta = 2 * s + o + 1;
    Fraction const half_alpha((o - 1) * (3 * s + 2 * o + 2), 3 * beta);
    Fraction y = Fraction(beta * o * n, 2 * memory) - half_alpha;
    if (y < 0) y = 0;
    std::vector<Fraction> price; // those of (26) and (27) that are positive
    Fraction const first = (2 * y + 2 * half_alpha) / (beta * o);
    for (std::int64_t t = 1; first > Fraction(2 * (t - 1), beta * o); ++t)
        price.push_back(first - Fraction(2 * (t - 1), beta * o));
    auto const last = std::ssize(price);
    Fraction most = -1;
    for (std::int64_t t = 0; t <= last; ++t) {
        Fraction left = y - t;
        for (auto tau = t + 1; tau <= std::min(t + o, last); ++tau)
            left -= (s + tau - t) * price[static_cast<std::size_t>(tau - 1)];
        most = std::max(most, left);
    }
    return {{"left_side_difference", most.convert_to<double>()}};
}

/// What the proof of Theorem 4.3 says of MC-SF on up to 300 requests with one prompt, s + o <= M/2,
/// drawn by `seed`: of the groups U_l of outputs 2^l .. 2^(l+1) - 1, the largest share of Lemma
/// 4.5's bound that the time from a group's first round to its last takes, and the least share of
/// Claim 4.6's right side that three intervals' volume has; of Claim
/// 4.8's program, the least first time of an output less the bound (0 where there is one output).
std::map<std::string, Interval> groups_of_mc_sf(Numbers const& at)
{
    auto const memory = whole(at, "M");
    std::mt19937_64 random(static_cast<std::uint64_t>(whole(at, "seed")));
    auto const below = [&](std::int64_t end) {
        return static_cast<std::int64_t>(random() % static_cast<std::uint64_t>(end));
    };
    auto const s = below(memory / 4), most = 1 + below(memory / 2 - s);
    OwnedInstance instance;
    instance.memory = memory;
    for (auto n = 1 + below(300); n > 0; --n) {
        auto const o = static_cast<std::int32_t>(1 + below(most));
        instance.prompt.push_back(static_cast<std::int32_t>(s));
        instance.output.push_back(o);
        instance.lower.push_back(o);
        instance.upper.push_back(o);
        instance.arrival.push_back(0);
    }
    auto const run = execute_single(policy("mc-sf"), instance, 1, 0);
    auto const volume = [&](std::int64_t o) { return s * o + o * (o + 1) / 2; };
    std::vector<std::int64_t> held(static_cast<std::size_t>(run.outcome.makespan) + 1), group;
    for (std::size_t i = 0; i < instance.output.size(); ++i)
        for (std::int64_t j = 1; j <= instance.output[i]; ++j)
            held[static_cast<std::size_t>(run.start[i] + j)] += s + j;
    double span = 0, peak_to_volume = 1e300, triples = 0;
    for (std::int64_t low = 1; low <= most; low *= 2) {
        auto const high = 2 * low - 1;
        std::int64_t first = INT64_MAX, last = 0, total = 0;
        group.assign(held.size(), 0);
        for (std::size_t i = 0; i < instance.output.size(); ++i) {
            std::int64_t const o = instance.output[i];
            if (o < low || o > high) continue;
            first = std::min<std::int64_t>(first, run.start[i] + 1);
            last = std::max<std::int64_t>(last, run.start[i] + o);
            total += volume(o);
            for (std::int64_t j = 1; j <= o; ++j)
                group[static_cast<std::size_t>(run.start[i] + j)] += s + j;
        }
        if (total == 0) continue;
        span = std::max(span, static_cast<double>((last - first) * memory) /
                                  static_cast<double>(192 * total + 5 * high * memory));
        for (auto t = first; t + 3 * high - 1 <= last; t += high, ++triples) {
            auto const begin = group.begin() + t, middle = held.begin() + t + high;
            auto const of_group = std::accumulate(begin, begin + 3 * high, std::int64_t{0});
            auto const peak = *std::max_element(middle, middle + high);
            peak_to_volume =
                std::min(peak_to_volume, static_cast<double>(4 * of_group * (s + high)) /
                                             static_cast<double>(peak * volume(high)));
        }
    }
    auto outputs = instance.output;
    std::ranges::sort(outputs);
    std::int64_t before = 0; // volume of the shorter ones
    double earliest = 1e300;
    for (std::size_t i = 0; i < outputs.size(); before += volume(outputs[i++])) {
        if (i == 0 || outputs[i] == outputs[i - 1]) continue;
        std::int64_t time = 1;
        while (time * memory <= before) ++time; // the constraint of `time` has room left
        earliest = std::min(earliest, static_cast<double>(time) - static_cast<double>(before) /
                                                                      static_cast<double>(memory));
    }
    return {{"span_ratio", span},
            {"peak_to_volume", peak_to_volume},
            {"triples", triples},
            {"first_time_difference", earliest < 1e300 ? earliest : 0}};
}

/// Figures 6 and 9 with lengths of the law that stands in for the sample, on the measured clock:
/// the share of M that MC-SF holds while requests arrive, as a mean over time, and its peak.
std::map<std::string, Interval> memory_held(Numbers const& at)
{
    auto const fixed = [](double nanoseconds) { return std::llround(nanoseconds * 65'536); };
    Workload w;
    w.seed = 1;
    w.requests = whole(at, "n");
    w.memory = 16'492;
    auto const& output = tabulate_lmsys(LmsysSource::jaillet, LmsysPart::output);
    auto const& prompt = tabulate_lmsys(LmsysSource::jaillet, LmsysPart::prompt);
    w.output_value = output.value;
    w.output_threshold = output.threshold;
    w.prompt_kind = PromptKind::table;
    w.prompt_value = prompt.value;
    w.prompt_threshold = prompt.threshold;
    w.clock = {ClockKind::affine, 45'000'000, fixed(80.353), fixed(309e3), 800'000};
    w.arrival_kind = ArrivalKind::poisson;
    w.rate_step = {{0, whole(at, "rate") * std::int64_t{1'000'000'000}}};
    auto const instance = generate_single(w, 0);
    auto const run = execute_single(policy("mc-sf"), instance, 1, 0);
    auto const last = std::ranges::max(instance.arrival);
    double sum = 0;
    for (std::size_t k = 1; k < run.timeline.size(); ++k) {
        auto const& point = run.timeline[k - 1];
        auto const end = std::min(run.timeline[k].time, last);
        sum += static_cast<double>(std::max<Instant>(0, end - point.time)) *
               static_cast<double>(point.held);
    }
    auto const memory = static_cast<double>(w.memory);
    return {{"share_held", sum / static_cast<double>(last) / memory},
            {"peak_share", static_cast<double>(run.outcome.peak_memory) / memory}};
}

} // namespace

std::vector<Function> jaillet_functions()
{
    return {{"adversary",
             "JAILLET Theorem 4.1: the adaptive instance of M = 4 k^2 against four policies",
             {"k"},
             {"least_ratio", "difference_from_formula"},
             adversary},
            {"rounds_of_mc_sf",
             "JAILLET Proposition 4.2: table steps of the costliest round",
             {"M", "seed"},
             {"looks", "bound", "reached"},
             rounds_of_mc_sf},
            {"dual_constraint",
             "JAILLET Lemma B.1: the largest left side of (23) less the right",
             {"s", "o", "n", "times"},
             {"left_side_difference"},
             dual_constraint},
            {"groups_of_mc_sf",
             "JAILLET Lemma 4.5, Claims 4.6 and 4.8 on a random list with equal prompts",
             {"M", "seed"},
             {"span_ratio", "peak_to_volume", "triples", "first_time_difference"},
             groups_of_mc_sf},
            {"memory_held",
             "JAILLET Figures 6 and 9: memory that MC-SF holds while requests arrive",
             {"n", "rate"},
             {"share_held", "peak_share"},
             memory_held}};
}

} // namespace crx::claims
