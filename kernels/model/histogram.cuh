#pragma once

#include "kernels/base/integers.cuh"

#include <algorithm>
#include <cstdint>
#include <initializer_list>
#include <utility>
#include <vector>

namespace crx {

/// Histogram bins are logarithmic by construction: the leading bit and the ten bits after it, so a
/// bin is at most 1/1024 of its value wide and a quantile read from it is that exact.
inline constexpr int histogram_mantissa_bits = 10;

/// Bin of a ratio in fixed point, or of a time. Values below 2^11 share no bin.
CRX_HD inline std::uint32_t histogram_bin(std::int64_t value)
{
    CRX_EXPECT(value >= 0);
    auto const digits = static_cast<std::uint64_t>(value);
    int const beyond = bit_length(digits) - histogram_mantissa_bits - 1;
    int const exponent = beyond > 0 ? beyond : 0;
    return static_cast<std::uint32_t>((exponent << histogram_mantissa_bits) +
                                      static_cast<int>(digits >> exponent));
}

/// Smallest value of a bin: the inverse of histogram_bin.
CRX_HD inline std::int64_t histogram_bin_start(std::uint32_t bin)
{
    std::uint32_t const one = 1u << histogram_mantissa_bits;
    if (bin < 2 * one) return static_cast<std::int64_t>(bin);
    std::uint32_t const exponent = bin / one - 1;
    return static_cast<std::int64_t>(std::uint64_t{bin - exponent * one} << exponent);
}

/// Ratios, and times of requests, counted by histogram_bin: the bins that occur, ascending. A bin
/// after all others is added in constant time, and histograms are joined in one pass.
class Histogram
{
  public:
    using Bin = std::pair<std::uint32_t, std::int64_t>; ///< number, count

    Histogram() = default;
    Histogram(std::initializer_list<Bin> bins)
    {
        for (auto const& [bin, count] : bins) (*this)[bin] += count;
    }

    bool empty() const { return bins_.empty(); }
    std::size_t size() const { return bins_.size(); }
    void clear() { bins_.clear(); }
    auto begin() { return bins_.begin(); }
    auto end() { return bins_.end(); }
    auto begin() const { return bins_.begin(); }
    auto end() const { return bins_.end(); }
    Bin const& back() const { return bins_.back(); }

    /// Count of a bin, 0 where there is none yet.
    std::int64_t& operator[](std::uint32_t bin)
    {
        auto at = bins_.end();
        if (!bins_.empty() && bins_.back().first >= bin)
            at = std::ranges::lower_bound(bins_, bin, {}, &Bin::first);
        if (at == bins_.end() || at->first != bin) at = bins_.insert(at, {bin, 0});
        return at->second;
    }

    void add(Histogram const& other)
    {
        if (other.empty()) return;
        if (empty() || bins_.back().first < other.bins_.front().first) {
            bins_.insert(bins_.end(), other.bins_.begin(), other.bins_.end());
            return;
        }
        std::vector<Bin> all;
        all.reserve(size() + other.size());
        auto from = other.bins_.begin();
        for (auto const& bin : bins_) {
            while (from != other.bins_.end() && from->first < bin.first) all.push_back(*from++);
            all.push_back(bin);
            if (from != other.bins_.end() && from->first == bin.first)
                all.back().second += (from++)->second;
        }
        all.insert(all.end(), from, other.bins_.end());
        bins_ = std::move(all);
    }

    bool operator==(Histogram const&) const = default;

  private:
    std::vector<Bin> bins_;
};

} // namespace crx
