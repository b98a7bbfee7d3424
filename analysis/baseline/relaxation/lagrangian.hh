#pragma once

#include "analysis/baseline/relaxation/peak_rows.hh"

#include <cmath>
#include <vector>

namespace crx::baseline {

/// Multipliers of the constraints that tie requests together, in 2^-20 rounds, all >= 0. Any such
/// numbers give a lower bound; good ones come from `ascend`.
struct Prices
{
    static constexpr int fraction_bits = 20;
    static double real(std::int64_t price)
    {
        return std::ldexp(static_cast<double>(price), -fraction_bits);
    }
    static std::int64_t fixed(double price)
    {
        return std::llround(std::ldexp(price, fraction_bits));
    }
    struct Peaks
    {
        std::int32_t k = 1;              ///< the family PeakRows(groups, M, k)
        std::vector<std::int64_t> price; ///< price[c]: a unit at tau = c / 2; 0 past the end
    };

    std::vector<std::int64_t> memory; ///< memory[t]: a token held at time t; 0 past the end
    std::vector<Peaks> peaks;
};

/// Prices of rows, and of starting each request once: what bounds paths (ConfigurationGraph,
/// PairStates).
struct PathPrices
{
    Prices rows;
    std::vector<std::int64_t> requests; ///< of any sign, in 2^-20 rounds
};

/// What the bound by configurations did with one graph: the prices by which it dropped arcs, one
/// after the other.
struct ConfigurationStage
{
    std::size_t active = 0; ///< so many active requests were told apart; n: all
    std::vector<PathPrices> prices;
};

/// The Lagrangian lower bound on OPT that prices give, in exact integers, so that it holds whatever
/// rounding the solver that proposed the prices did.
///
/// For any schedule x with starts p_i, with lambda_t >= 0 on held(t) <= M:
///   TEL(x) = sum_i cost(i, p_i) - M sum lambda + sum_t lambda_t (M - held(t)),
/// where cost(i, k) = k + o_i - a_i + sum_{j=1..o_i} lambda_{k+j} (s_i + j). The last sum is >= 0,
/// so sum_i min_k cost(i, k) - M sum lambda <= OPT. Prices of peak rows enter in the same way, each
/// times its capacity. With the optimal multipliers it is the value of the linear program (weak and
/// strong duality; JAILLET appendix B.3 does this for identical requests).
///
/// Starts of 0 .. starts-1 are tabulated; every later start k costs at least k + o_i - a_i, so no
/// horizon is assumed.
class Lagrangian
{
  public:
    /// Contract: `starts` above every arrival.
    Lagrangian(OwnedInstance const& instance, std::vector<RequestGroup> const& groups,
               Prices const& prices, Rounds starts);

    Rounds starts() const { return starts_; }
    /// cost(i, k) for requests of a group, in 2^-20 rounds. Contract: arrival <= k < starts().
    std::int64_t cost(std::size_t group, Rounds k) const { return cost_[group][k]; }
    /// Least cost over all k >= arrival, later than starts() included.
    std::int64_t least_cost(std::size_t group) const { return least_[group]; }
    /// lambda_t
    std::int64_t memory_price(Rounds t) const
    {
        return t < static_cast<Rounds>(memory_.size()) ? memory_[static_cast<std::size_t>(t)] : 0;
    }
    /// - M sum lambda - the peak prices times their capacities
    std::int64_t constant() const { return constant_; }
    /// The bound in 2^-20 rounds.
    std::int64_t bound() const { return bound_; }
    /// The bound on the integer OPT: rounded up. 0 if it is negative.
    Rounds opt_lower_bound() const;

  private:
    Rounds starts_;
    std::vector<std::int64_t> memory_;
    std::vector<std::vector<std::int64_t>> cost_; // cost_[g][k]: INT64_MAX / 4 before the arrival
    std::vector<std::int64_t> least_;
    std::int64_t constant_ = 0, bound_ = 0;
};

/// The same bound in 2^-20 rounds, without the table: for programs too large for it.
std::int64_t lagrangian_bound(OwnedInstance const& instance,
                              std::vector<RequestGroup> const& groups, Prices const& prices,
                              Rounds starts);

/// What a bound in 2^-20 rounds says of the integer OPT: rounded up, 0 if it is negative.
Rounds whole_bound(std::int64_t bound);

} // namespace crx::baseline
