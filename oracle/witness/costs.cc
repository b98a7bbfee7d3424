#include <algorithm>
#include <cmath>
#include <numeric>

#include <boost/math/distributions/students_t.hpp>

#include "oracle/bounds.hh"
#include "oracle/rules.hh"
#include "oracle/sorted_f.hh"
#include "oracle/witness/witness.hh"

namespace oracle {
namespace {

/// What the selectors of sorted-f take in steps, by the loops of oracle/sorted_f.cc.
std::int64_t steps_of_batches(std::string const& selector, std::size_t n)
{
    auto const size = static_cast<std::int64_t>(n);
    if (selector != "swap" && selector != "quantile") { // every subset
        if (n > 24) throw Fault("sorted-f by " + selector + " takes at most 24 requests here");
        return 200 * size << n;
    }
    if (n > 10'000) throw Fault("sorted-f takes at most 10000 requests here");
    return size * size * size;
}

/// One run with random choices from `choices`.
Schedule run(Side const& side, std::vector<Request> const& requests, Choices& choices,
             Clock const& clock, std::int64_t number)
{
    if (side.policy.id != "sorted-f")
        return simulate(side.policy, requests, side.memory, choices, clock);
    choices.spend(steps_of_batches(side.selector, requests.size()));
    std::vector<std::size_t> order;
    for (auto const& batch : sorted_f_batches({side.selector}, requests, side.memory, side.seed,
                                              static_cast<std::uint64_t>(number)))
        order.insert(order.end(), batch.begin(), batch.end());
    std::vector<Request> in_order;
    for (std::size_t const i : order) in_order.push_back(requests[i]);
    Schedule schedule = simulate({"mc-benchmark"}, in_order, side.memory, choices, clock);
    Schedule const served = schedule;
    for (std::size_t place = 0; place < order.size(); ++place)
        schedule.completion[order[place]] = served.completion[place];
    return schedule;
}

Fraction measured(std::vector<std::int64_t> const& completion, std::vector<Request> const& requests,
                  Measure measure)
{
    if (measure == Measure::makespan)
        return *std::max_element(completion.begin(), completion.end());
    std::vector<std::int64_t> latency;
    for (std::size_t i = 0; i < requests.size(); ++i)
        latency.push_back(completion[i] - requests[i].arrival);
    if (measure == Measure::total_latency) {
        __int128 total = 0;
        for (std::int64_t const one : latency) total += one;
        return Fraction(boost::multiprecision::cpp_int(total));
    }
    std::sort(latency.begin(), latency.end());
    std::size_t rank = 1; // the least that 99 in 100 do not exceed
    while (100 * rank < 99 * latency.size()) ++rank;
    return latency[rank - 1];
}

Fraction measured(Schedule const& schedule, std::vector<Request> const& requests, Measure measure)
{
    if (!schedule.finished) throw Fault("the policy does not finish: " + schedule.reason);
    return measured(schedule.completion, requests, measure);
}

/// The requests as a side is told of them.
std::vector<Request> told(Side const& side, Witness const& witness)
{
    std::vector<Request> requests = witness.requests;
    if (side.known)
        for (Request& r : requests) std::tie(r.lower, r.upper) = *side.known;
    return requests;
}

Fraction exact_mean_of(Side const& side, Witness const& witness, Effort& effort)
{
    if (side.selector == "quantile") throw Fault("quantile has no exact mean here");
    std::vector<Request> const requests = told(side, witness);
    return exact_mean([&](Choices& choices) {
        choices.effort = &effort;
        return measured(run(side, requests, choices, witness.clock.value_or(Clock{}), 0), requests,
                        side.measure);
    });
}

/// The mean over the draws of a side, with its seed.
Fraction mean_of_draws(Side const& side, Witness const& witness, Effort& effort)
{
    std::vector<Request> const requests = told(side, witness);
    std::uint32_t const stream =
        side.policy.id == "sorted-f" ? 80 : 16 + static_cast<std::uint32_t>(rule_of(side.policy));
    Fraction sum = 0;
    for (std::int64_t number = side.number; number < side.number + side.instances; ++number) {
        WordStream words(side.seed, static_cast<std::uint64_t>(number), stream);
        words.effort = &effort;
        sum += measured(run(side, requests, words, witness.clock.value_or(Clock{}), number),
                        requests, side.measure);
    }
    return sum / side.instances;
}

/// The completions of a schedule, after looking at its memory, which is most at a completion.
std::vector<std::int64_t> checked_completions(std::vector<std::int64_t> const& starts,
                                              std::vector<Request> const& requests,
                                              std::int64_t memory)
{
    std::vector<std::size_t> by_start(requests.size()), by_end;
    std::iota(by_start.begin(), by_start.end(), std::size_t{0});
    by_end = by_start;
    std::vector<std::int64_t> end;
    for (std::size_t i = 0; i < requests.size(); ++i) {
        if (starts[i] < requests[i].arrival)
            throw Fault("request " + std::to_string(i) + " starts before it arrives");
        end.push_back(starts[i] + requests[i].output);
    }
    std::sort(by_start.begin(), by_start.end(),
              [&](std::size_t a, std::size_t b) { return starts[a] < starts[b]; });
    std::sort(by_end.begin(), by_end.end(),
              [&](std::size_t a, std::size_t b) { return end[a] < end[b]; });
    std::size_t begun = 0, ended = 0;
    __int128 fixed = 0, active = 0; // at time t they hold fixed + active * t
    for (std::size_t const i : by_end) {
        std::int64_t const t = end[i];
        for (; begun < by_start.size() && starts[by_start[begun]] < t; ++begun, ++active)
            fixed += requests[by_start[begun]].prompt - starts[by_start[begun]];
        for (; end[by_end[ended]] < t; ++ended, --active)
            fixed -= requests[by_end[ended]].prompt - starts[by_end[ended]];
        if (fixed + active * t > memory)
            throw Fault(
                "the schedule holds " + boost::multiprecision::cpp_int(fixed + active * t).str() +
                " tokens at time " + std::to_string(t) + ", M is " + std::to_string(memory));
    }
    return end;
}

} // namespace

Fraction cost_of(Side const& side, Witness const& witness, Effort& effort)
{
    std::vector<Request> const& requests = witness.requests;
    if (side.kind == Side::Kind::schedule)
        return measured(checked_completions(side.starts, requests, side.memory), requests,
                        side.measure);
    if (side.kind == Side::Kind::volume) {
        auto const n = static_cast<std::int64_t>(requests.size());
        effort.spend(100 * n * n);
        return release_bound(requests, side.memory);
    }
    if (side.policy.id == "sorted-lp" || side.policy.id == "lp-swap")
        throw Fault(side.policy.id + " needs a linear program, which the plain rules do not have");
    return side.exact_mean ? exact_mean_of(side, witness, effort)
                           : mean_of_draws(side, witness, effort);
}

FreshDraws fresh_draws(Side const& side, Witness const& witness, Effort& effort)
{
    FreshDraws fresh = *side.fresh;
    Side other = side;
    other.instances = fresh.instances;
    std::vector<Fraction> means;
    Fraction sum = 0;
    for (std::int64_t k = 0; k < fresh.seeds; ++k) {
        other.seed = fresh.seed + static_cast<std::uint64_t>(k);
        means.push_back(mean_of_draws(other, witness, effort));
        sum += means.back();
    }
    fresh.mean = sum / fresh.seeds;
    Fraction squares = 0;
    for (Fraction const& mean : means) squares += (mean - fresh.mean) * (mean - fresh.mean);
    Fraction const variance = squares / (fresh.seeds - 1) / fresh.seeds;
    boost::math::students_t const t(static_cast<double>(fresh.seeds - 1));
    fresh.within = quantile(complement(t, 0.025)) * std::sqrt(variance.convert_to<double>());
    return fresh;
}

} // namespace oracle
