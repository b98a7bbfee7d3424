#pragma once

#include "kernels/engines/cohorts/lottery/vector_lottery.hh"
#include "kernels/simd/vector_lanes.hh"

#include <algorithm>
#include <vector>

// For sources *_simd.cc.

namespace crx {
namespace {

/// What an engine in lanes is made of where a lane is that of a vector register.
template <class T>
struct VectorForm
{
    using Lanes = VectorLanes<T>;
    using Index = std::int64_t; ///< of a place
    template <int lines>
    using Lottery = VectorLottery<T, lines>;

    /// That may run in turns: one computes while others wait. A third gains nothing in registers of
    /// 32 bytes, nor in doubles.
    static constexpr int registers = Lanes::lanes == 16 ? 3 : 2;

    /// Places one behind the other, of which those from `low` to `high` are in use; each has room
    /// for `fields` numbers.
    template <int fields>
    class Places
    {
      public:
        using Number = typename Lanes::Number;

        /// Contract: `most` is more than are ever in use.
        explicit Places(std::int64_t most) : place_(static_cast<std::size_t>(most)) {}

        CRX_IN_LANES Number& at(Index place, int field)
        {
            return place_[static_cast<std::size_t>(place)].field[field];
        }
        /// Where those in use may be put together again, from `low` on: at the front.
        Index front(Index /*low*/) const { return 0; }
        void open() {}
        /// Lets `high` be used too.
        CRX_IN_LANES void make_room(Index& low, Index& high)
        {
            if (high == static_cast<Index>(place_.size())) move_to_front(low, high);
        }

      private:
        struct Place
        {
            Number field[fields];
        };

        void move_to_front(Index& low, Index& high)
        {
            std::copy(place_.data() + low, place_.data() + high, place_.data());
            high -= low;
            low = 0;
            CRX_ENSURE(high < static_cast<Index>(place_.size()));
        }

        std::vector<Place> place_;
    };
};

} // namespace
} // namespace crx
