#pragma once

#include "kernels/base/warp_lanes.cuh"
#include "kernels/random/word_stream.cuh"

namespace crx {
namespace {

/// WordStream for a warp: the same words in the same order, 64 of them made at a time, a block of
/// Philox a lane.
class WarpWords
{
  public:
    CRX_HD WarpWords(std::uint64_t seed, std::uint32_t stream, std::uint64_t instance)
        : seed_(seed), instance_(instance), stream_(stream)
    {
    }

    CRX_HD std::uint64_t next()
    {
        if (at_ == 2 * Lanes::count) refill();
        int const lane = at_ / 2;
        bool const second = at_ % 2 != 0;
        ++at_;
        auto const low = static_cast<std::uint32_t>(number_at(second ? part_[2] : part_[0], lane)),
                   high = static_cast<std::uint32_t>(number_at(second ? part_[3] : part_[1], lane));
        return low | std::uint64_t{high} << 32;
    }
    /// Uniform on 0 .. k-1 by the same words as WordStream::bounded.
    CRX_HD std::uint64_t bounded(std::uint64_t k) { return bounded_draw(*this, k); }

  private:
    CRX_HD void refill()
    {
        CRX_EXPECT(draw_ <= UINT32_MAX - Lanes::count);
        in_each_lane([this](int lane) {
            auto const block =
                philox_block(seed_, draw_ + static_cast<std::uint32_t>(lane), stream_, instance_);
            for (int k = 0; k < 4; ++k) part_[k].own(lane) = static_cast<std::int32_t>(block.v[k]);
        });
        draw_ += Lanes::count;
        at_ = 0;
    }

    std::uint64_t seed_, instance_;
    std::uint32_t stream_, draw_ = 0;
    int at_ = 2 * Lanes::count;
    Lanes part_[4]; ///< of each lane's block
};

/// `shuffle` of word_stream.cuh by a warp.
template <class Words>
CRX_HD void shuffle_in_lanes(RequestId* items, std::int64_t n, Words& words)
{
    for (std::int64_t i = n - 1; i >= 1; --i) {
        auto const j = static_cast<std::int64_t>(words.bounded(static_cast<std::uint64_t>(i) + 1));
        auto const here = items[i], there = items[j];
        write_one(items + i, there);
        write_one(items + j, here);
    }
}

} // namespace
} // namespace crx
