#pragma once

#include "kernels/base/host_device.cuh"

#include <algorithm>
#include <map>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace crx {

/// What a variant, a way to compute something of instances on a GPU, did on trial with some of
/// them.
template <class Result>
struct VariantTrial
{
    std::string name;
    double seconds = 0;
    std::vector<Result> results; ///< of each instance
};

/// The message for variants that do not say the same.
[[noreturn]] void throw_variants_differ(std::string const& what, std::int64_t instance,
                                        std::string const& one, std::string const& other);

/// Index of the fastest, of equally fast ones the first. Throws std::runtime_error, which names
/// what they compute (`what`, a policy's id say), variants and instance, where two of them do not
/// say the same of an instance: then a variant is wrong. `first`: number of the first instance.
/// Contract: at least one trial, all of as many instances.
template <class Result>
std::size_t fastest_variant(std::string const& what, std::int64_t first,
                            std::vector<VariantTrial<Result>> const& trials)
{
    CRX_EXPECT(!trials.empty());
    auto const& expected = trials.front();
    for (auto const& trial : trials) {
        CRX_EXPECT(trial.results.size() == expected.results.size());
        auto const at =
            std::ranges::mismatch(expected.results, trial.results).in1 - expected.results.begin();
        if (at < std::ssize(expected.results))
            throw_variants_differ(what, first + at, expected.name, trial.name);
    }
    return static_cast<std::size_t>(
        std::ranges::min_element(trials, {}, &VariantTrial<Result>::seconds) - trials.begin());
}

/// The variant for instances that are too few to measure with: the one with the most threads an
/// instance, as few instances leave a GPU idle otherwise, of equal ones the last, as variants are
/// given from the plainest on. A rule, not measured. Contract: at least one variant; threads[k]: of
/// an instance in variant k.
std::size_t unmeasured_variant(std::span<int const> threads);

/// Which variant was the fastest, by what is computed, the variants there are and the kind of
/// cells: batches come one by one, and are not measured each. Safe to call from several threads.
class VariantTimes
{
  public:
    struct Entry
    {
        std::size_t variant = 0;
        std::int64_t instances = 0; ///< that it was measured with; 0: it was not
        std::int64_t compared = 0;  ///< that all variants have run
    };
    std::optional<Entry> find(std::string const& key) const;
    void put(std::string const& key, Entry const& entry);

  private:
    mutable std::mutex mutex_;
    std::map<std::string, Entry> entries_;
};

/// Instances to measure with before `count` are run on a GPU that is full with `full`; 0: none
/// are, as they are too few, or as it was measured with as many. `before`: what was measured
/// already.
std::int64_t trial_size(std::int64_t count, std::int64_t full,
                        std::optional<VariantTimes::Entry> const& before);

/// Instances, of `count` that are too few to measure with, that all variants run only to be
/// compared: 128 of a kind of cells in all, so that no variant is relied upon unseen.
std::int64_t compared_size(std::int64_t count, std::optional<VariantTimes::Entry> const& before);

} // namespace crx
