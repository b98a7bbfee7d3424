#include <algorithm>
#include <cmath>
#include <cstdio>

#include "oracle/bounds.hh"
#include "oracle/optimum.hh"
#include "oracle/witness/witness.hh"

namespace oracle {
namespace {

using Json = nlohmann::json;

/// About a quarter of an hour.
constexpr std::int64_t most_steps = 1'000'000'000'000;

void must_be(std::string const& what, Fraction const& found, Fraction const& said)
{
    if (found != said)
        throw Fault(what + " is " + text_of(found) + ", the file says " + text_of(said));
}

std::string rounded(double value)
{
    char text[32];
    std::snprintf(text, sizeof text, "%.6g", value);
    return text;
}

/// Calls `check`, and says of what it refuses where that is.
template <class Check>
void said_of(std::string const& name, Check const& check)
{
    try {
        check();
    } catch (Ended const&) {
        throw;
    } catch (std::exception const& error) {
        throw Fault(name + ": " + error.what());
    }
}

/// Checks the cost of a side; what else is said of its draws.
std::string check_side(Side const& side, Witness const& witness, Effort& effort)
{
    char const* const measure = measure_names[static_cast<int>(side.measure)];
    must_be(measure, cost_of(side, witness, effort), side.cost);
    if (side.is_exact()) return "";
    std::string text = "; the " + side.name + " is the mean of " + std::to_string(side.instances) +
                       (side.instances == 1 ? " draw" : " draws");
    if (!side.fresh) return text + " alone";
    FreshDraws const found = fresh_draws(side, witness, effort);
    must_be(std::string("fresh: ") + measure, found.mean, side.fresh->mean);
    if (!(std::abs(found.within - side.fresh->within) <= 1e-5 * found.within))
        throw Fault("fresh: within is " + rounded(found.within) + ", the file says " +
                    rounded(side.fresh->within));
    return text + ", on " + std::to_string(found.instances * found.seeds) + " others " +
           rounded(found.mean.convert_to<double>()) + " ± " + rounded(found.within) + " (95 %)";
}

/// The least ratio of the intervals of both sides; that of the costs where other draws are not
/// known or change nothing.
Fraction least_ratio(Side const& above, Side const& below)
{
    Fraction most = below.cost, least = above.cost;
    if (above.fresh) least = above.fresh->mean - Fraction(above.fresh->within);
    if (below.fresh) most = below.fresh->mean + Fraction(below.fresh->within);
    return least / most;
}

/// Why nothing below `bound` is a total latency of the requests.
std::string reason_for_bound(Side const& side, std::vector<Request> const& requests,
                             std::int64_t most_states, Effort& effort)
{
    std::int64_t const bound = *side.lower_bound;
    if (Fraction(bound) > side.cost) throw Fault("lower_bound is above the schedule");
    auto const n = static_cast<std::int64_t>(requests.size());
    effort.spend(100 * n * n);
    if (outputs_bound(requests) >= bound) return "by the sum of outputs";
    if (release_bound(requests, side.memory) >= bound) return "by volume";
    for (Request const& r : requests)
        if (r.output >= 1 << 15)
            throw Fault("all schedules are searched for outputs below 32768 alone");
    Exhaustion const all = exhaust(requests, side.memory, bound, most_states, &effort);
    if (all.below)
        throw Fault("there is a schedule of total latency " + std::to_string(*all.below));
    if (!all.finished)
        throw Fault("no schedule below " + std::to_string(bound) + " was found, but after " +
                    std::to_string(most_states) +
                    " states not all are searched; --states allows more");
    return "by exhaustion, " + std::to_string(all.states) + " states";
}

/// `proven`: both costs are exact, and the denominator is the optimum, or is what it is by
/// definition.
void check_proven(Side const& above, Side const& below)
{
    for (Side const& side : {above, below})
        if (!side.is_exact())
            throw Fault("it says proven, but the " + side.name + " is a mean over some draws");
    if (below.kind != Side::Kind::schedule || below.best_found) return;
    if (!below.lower_bound || Fraction(*below.lower_bound) != below.cost)
        throw Fault("it says proven, but its lower bound does not meet the schedule");
}

/// What was found; throws what() where it fails.
std::string check_witness(Witness const& witness, std::int64_t most_states, Effort& effort)
{
    Side const& above = witness.numerator;
    std::string draws, proof;
    auto const check = [&](Side const& side) {
        said_of(side.name, [&] {
            draws += check_side(side, witness, effort);
            if (side.lower_bound)
                proof += "; nothing below " + std::to_string(*side.lower_bound) + " " +
                         reason_for_bound(side, witness.requests, most_states, effort);
        });
    };
    check(above);
    std::string text =
        measure_names[static_cast<int>(above.measure)] + std::string(" ") + text_of(above.cost);
    if (!witness.denominator) return text + draws + proof;
    Side const& below = *witness.denominator;
    check(below);
    if (below.cost == 0) throw Fault("the denominator is 0");
    must_be("the ratio", above.cost / below.cost, witness.ratio);
    if (witness.bound) {
        if (witness.ratio <= *witness.bound)
            throw Fault("the ratio does not exceed the bound " + text_of(*witness.bound));
        if (least_ratio(above, below) <= *witness.bound)
            throw Fault("the ratio exceeds the bound " + text_of(*witness.bound) +
                        " on its own draws, and not surely on others");
    }
    if (witness.proven) check_proven(above, below);
    text += " over " + text_of(below.cost) + ", ratio " + text_of(witness.ratio) + draws + proof;
    if (above.memory != below.memory)
        text += "; M is " + std::to_string(above.memory) + " above and " +
                std::to_string(below.memory) + " below";
    if (!witness.against.empty()) text += "; the bound " + witness.against + " was not looked at";
    return text;
}

} // namespace

Verdict check_file(std::string const& text, std::int64_t most_states,
                   std::function<bool()> const& stop)
{
    Effort effort(most_steps, stop);
    try {
        return {true, check_witness(read_witness(parse_strictly(text)), most_states, effort)};
    } catch (Ended const& ended) {
        if (stop && stop()) throw;
        return {false, ended.what()};
    } catch (std::exception const& error) {
        return {false, error.what()};
    }
}

} // namespace oracle
