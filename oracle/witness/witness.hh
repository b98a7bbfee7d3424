#pragma once

#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "oracle/witness/fields.hh"

/// Reads witness files (docs/witnesses.md) and checks them by the plain rules alone.
namespace oracle {

enum class Measure
{
    total_latency,
    p99, ///< the latency that 99 in 100 requests do not exceed
    makespan
};
inline constexpr char const* measure_names[] = {"total_latency", "p99", "makespan"};

/// What other draws of a random policy give: the mean over `seeds` sets of draws, and half the
/// width of its interval (95 %, Student's t over the sets).
struct FreshDraws
{
    std::uint64_t seed = 0;                ///< of the first set; those of the others follow
    std::int64_t seeds = 0, instances = 1; ///< sets, and draws of each
    Fraction mean;
    double within = 0;
};

/// Numerator or denominator.
struct Side
{
    enum class Kind
    {
        policy,
        schedule,
        volume ///< the volume bound, or the release bound
    } kind = Kind::policy;
    std::string name; ///< "numerator" or "denominator"
    std::int64_t memory = 0;
    Measure measure = Measure::total_latency;
    Fraction cost;

    Policy policy;
    std::string selector; ///< of sorted-f
    std::uint64_t seed = 0;
    std::int64_t number = 0, instances = 1;
    bool exact_mean = false;
    std::optional<std::pair<std::int64_t, std::int64_t>> known; ///< [l, u] that it is told
    std::optional<FreshDraws> fresh;

    std::vector<std::int64_t> starts;
    bool best_found = false; ///< claimed to be no optimum
    std::optional<std::int64_t> lower_bound;

    /// False where other draws can give another cost.
    bool is_exact() const;
};

struct Witness
{
    std::vector<Request> requests;
    std::optional<Clock> clock; ///< nothing: the unit clock
    Side numerator;
    std::optional<Side> denominator;
    Fraction ratio;                ///< 0 without a denominator
    std::optional<Fraction> bound; ///< that the ratio exceeds
    bool proven = false;
    std::string against; ///< a bound that is not looked at
};

/// Throws Fault where the file is no witness. Whether what it says is so is not looked at.
Witness read_witness(nlohmann::json const& file);

/// What the runs of a side, or its schedule or bound, come to. Throws std::exception with the
/// reason where a policy does not finish, a schedule is none, or `effort` does not suffice.
Fraction cost_of(Side const& side, Witness const& witness, Effort& effort);
/// The same of other draws. Contract: side.fresh.
FreshDraws fresh_draws(Side const& side, Witness const& witness, Effort& effort);

struct Verdict
{
    bool holds = false;
    std::string text; ///< what was found, or why it fails; may hold any text of the file
};

/// A witness, as the text of its file. A search through all schedules of its instance ends after
/// `most_states` states; `stop` is asked now and then. Throws Ended where it says true.
Verdict check_file(std::string const& text, std::int64_t most_states,
                   std::function<bool()> const& stop = {});

} // namespace oracle
