#pragma once

#include "kernels/laws/workload.cuh"
#include "kernels/model/outcome.cuh"
#include "kernels/policies/policy_spec.cuh"

#include <map>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace crx {

/// What a form, a way to run a policy on a card, did on trial with some instances.
struct FormTrial
{
    std::string name;
    double seconds = 0;
    std::vector<Outcome> outcomes; ///< of each instance
};

/// Index of the fastest, of equally fast ones the first. Throws std::runtime_error, which names
/// policy, forms and instance, where two of them do not say the same of an instance: then a form is
/// wrong. `first`: number of the first instance. Contract: at least one trial, all of as many
/// instances.
std::size_t fastest_form(std::string const& policy, std::int64_t first,
                         std::span<FormTrial const> trials);

/// The form for instances that are too few to measure with: the one with the most threads an
/// instance, of equal ones the first, as few instances leave a card idle otherwise. A rule, not
/// measured. Contract: at least one form; threads[k]: of an instance in form k.
std::size_t unmeasured_form(std::span<int const> threads);

/// Which form was the fastest, by cell and policy: chunks of a cell come one by one, and are not
/// measured each. Safe to call from several threads.
class MeasuredForms
{
  public:
    struct Entry
    {
        std::size_t form = 0;
        std::int64_t instances = 0; ///< that it was measured with
    };
    /// As keys, cells differ by what may change who is the fastest. Two cells with one key may get
    /// a slower form, never another result.
    static std::uint64_t key_of(WorkloadView const& workload, PolicySpec const& spec);

    std::optional<Entry> find(std::uint64_t key) const;
    void put(std::uint64_t key, Entry const& entry);

  private:
    mutable std::mutex mutex_;
    std::map<std::uint64_t, Entry> entries_;
};

/// Instances to measure with before `count` are run on a card that is full with `full`; 0: none
/// are, as they are too few, or as it was measured with as many. `before`: what was measured
/// already.
std::int64_t trial_size(std::int64_t count, std::int64_t full,
                        std::optional<MeasuredForms::Entry> const& before);

} // namespace crx
