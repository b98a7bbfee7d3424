#pragma once

#include "host/store/store_header.hh"

#include <span>

namespace crx {

/// Which sums a range of a cell's instances has, or lacks: of each policy those of its own runs,
/// and those over each baseline. A store that was extended has chunks with some of them alone.
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
    bool meets(Holdings const& other) const; ///< something is in both
    void add(Holdings const& other);
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

/// As the store keeps it: JSON by labels and ids, which no later policy changes.
std::string holdings_text(Holdings const& holdings, std::span<PolicyEntry const> policies,
                          std::span<std::string const> baselines);
/// What of it these policies and baselines are. Throws std::exception where the text is damaged or
/// names another.
Holdings read_holdings(std::string const& text, std::span<PolicyEntry const> policies,
                       std::span<std::string const> baselines);

} // namespace crx
