#pragma once

#include "kernels/engines/cell.hh"

#include <cstdint>

namespace crx::baseline {

/// How hard the searches behind baselines try, in counts, so that it fixes their results.
struct HindsightEffort
{
    std::int64_t evaluations = 1000; ///< schedules that best-found looks at, a request
    std::int64_t steps = 0;          ///< of the ascent behind peaks; 0: 4 n^2, at most 1,000
    std::int64_t nodes = 1'000'000;  ///< of the search for the optimum

    static constexpr std::int64_t most_evaluations = 1'000'000'000;
    static constexpr std::int64_t most_steps = 1'000'000'000;
    static constexpr std::int64_t most_nodes = 1'000'000'000'000;
    bool operator==(HindsightEffort const&) const = default;
};

/// The baselines (docs/model.md#baselines) that need a search or prices, by `hindsight`:
/// - best_found: the least TEL of its schedules of mc-sf, mc-sf-total and best-found, so no
///   ratio of these policies over it is below 1;
/// - dual, peaks: its lower bounds of these names, evaluated in integers;
/// - opt_lower, opt_upper: the largest bound and the least TEL known after configurations or pairs;
///   opt: their value where they meet.
/// The search for schedules always runs first, as bounds are aimed at its schedule; so a value does
/// not depend on which others are asked for. A program out of reach (hindsight.cc says which) has
/// no value.
class HindsightBaselines : public HostBaselines
{
  public:
    /// Contract: every kind is one from engine_baselines on, one at least.
    HindsightBaselines(std::vector<BaselineKind> kinds, HindsightEffort const& effort);

    void evaluate(Requests const& requests, std::function<bool()> const& stop,
                  std::int64_t* value) const override;
    std::vector<std::pair<std::string, std::string>> identity() const override;

    /// Which counts of the effort a kind depends on.
    static bool searches(BaselineKind kind) { return kind != BaselineKind::dual; }
    static bool climbs(BaselineKind kind) { return kind == BaselineKind::peaks || branches(kind); }
    static bool branches(BaselineKind kind)
    {
        return kind == BaselineKind::opt || kind == BaselineKind::opt_lower ||
               kind == BaselineKind::opt_upper;
    }

  private:
    bool wants(BaselineKind kind) const;

    std::vector<BaselineKind> kinds_;
    HindsightEffort effort_;
};

} // namespace crx::baseline
