#pragma once

#include "host/store/sums_of_keys.hh"

#include <cstdint>
#include <memory>
#include <vector>

namespace crx {

/// Which sums a range of a cell's instances has, or lacks: of each policy its own, and those over
/// each baseline.
class Holdings
{
  public:
    Holdings() = default;
    /// None of so many policies and baselines.
    Holdings(std::size_t policies, std::size_t baselines)
        : baselines_(baselines), bits_(policies * (baselines + 1))
    {
    }
    static Holdings everything(std::size_t policies, std::size_t baselines);

    bool sums(std::size_t policy) const { return bits_[place(policy)]; }
    bool ratios(std::size_t policy, std::size_t baseline) const
    {
        return bits_[place(policy) + 1 + baseline];
    }
    void add_sums(std::size_t policy) { bits_[place(policy)] = true; }
    void add_ratios(std::size_t policy, std::size_t baseline)
    {
        bits_[place(policy) + 1 + baseline] = true;
    }

    /// Whether something of the policy is there.
    bool any_of_policy(std::size_t policy) const;
    /// Whether some policy is there over this baseline.
    bool any_over(std::size_t baseline) const;
    bool is_empty() const;
    bool is_everything() const;
    Holdings missing() const; ///< what is not there

    std::size_t policies() const { return bits_.size() / (baselines_ + 1); }
    std::size_t baselines() const { return baselines_; }

    bool operator==(Holdings const&) const = default;
    auto operator<=>(Holdings const&) const = default;

  private:
    std::size_t place(std::size_t policy) const { return policy * (baselines_ + 1); }

    std::size_t baselines_ = 0;
    std::vector<bool> bits_; ///< policy by policy: its sums, then over each baseline
};

/// Instances of which a store has some sums and not others.
struct PartialRange
{
    InstanceRange range;
    std::shared_ptr<Holdings const> missing;
};

/// Instances of a cell that are in the store. Ranges are disjoint and ascend, also between the two.
struct Coverage
{
    std::vector<InstanceRange> done;   ///< with everything
    std::vector<PartialRange> partial; ///< with some sums

    /// One past the last instance that anything is known of.
    std::int64_t end() const;
};

Coverage coverage_of(RangesOfSums const& ranges);

} // namespace crx
