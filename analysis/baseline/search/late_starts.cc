#include "analysis/baseline/search/late_starts.hh"

#include "kernels/base/host_device.cuh"

namespace crx::baseline {

bool LateStarts::tabulate(std::vector<std::int32_t> const& start, TimeLimit const& time,
                          std::size_t most_words)
{
    CRX_EXPECT(start.size() % 64 == 0);
    first_ = INT32_MAX;
    std::int64_t last = 0;
    for (std::int64_t const k : start) {
        if (k < 0) continue;
        first_ = std::min(first_, k);
        last = std::max(last, k);
    }
    auto const words = start.size() / 64;
    auto const rounds = static_cast<std::size_t>(std::max<std::int64_t>(last - first_, 0)) + 1;
    for (shift_ = 0; (rounds >> shift_) * words > most_words && rounds >> shift_ > 1;) ++shift_;
    std::vector<std::vector<std::size_t>> bits(((rounds - 1) >> shift_) + 1); // that a row adds
    for (std::size_t bit = 0; bit < start.size(); ++bit)
        if (start[bit] >= 0)
            bits[static_cast<std::size_t>(start[bit] - first_) >> shift_].push_back(bit);
    std::vector<Mask> row(words, 0);
    rows_.assign(bits.size() + 1, {});
    rows_.back() = row; // past the last start
    for (auto r = bits.size(); r-- > 0;) {
        if (time.over()) return false;
        for (auto const bit : bits[r]) row[bit / 64] |= Mask{1} << (bit % 64);
        rows_[r] = row;
    }
    return true;
}

} // namespace crx::baseline
