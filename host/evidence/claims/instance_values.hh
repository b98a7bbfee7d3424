#pragma once

#include "analysis/adversary/grouped_run.hh"
#include "analysis/baseline/schedule.hh"
#include "host/evidence/claims/relation.hh"
#include "kernels/cpu/single.hh"

#include <memory>

namespace crx::claims {

/// An instance of a trial: its requests one by one, and in the groups that they were written in.
struct TrialInstance
{
    std::vector<RequestGroup> groups;
    OwnedInstance instance; ///< without requests where there are too many to hold one by one
    Tokens other_memory = 0;
    std::optional<baseline::Starts> starts; ///< a schedule that the trial gives
    std::uint64_t number = 0;               ///< of random choices
};

/// Numbers of one instance by name, each computed when it is first asked for: total latencies of
/// policies, the proven optimum, lower bounds, WANG's transformed schedules (docs/claims.md).
class InstanceValues
{
  public:
    explicit InstanceValues(TrialInstance const& of);
    ~InstanceValues();
    double operator()(std::string const& name);

    static bool has(std::string const& name);
    static std::vector<std::string> names(); ///< without those of policies
  private:
    struct Detail;
    std::unique_ptr<Detail> detail_;
};

/// Most requests that are written down one by one.
inline constexpr std::int64_t most_single_requests = 50'000;

} // namespace crx::claims
