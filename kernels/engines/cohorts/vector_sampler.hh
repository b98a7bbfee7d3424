#pragma once

#include "kernels/base/lane_numbers.hh"
#include "kernels/base/vector_lanes.hh"
#include "kernels/random/buffered_words.hh"
#include "kernels/random/counted_rows.hh"
#include "kernels/random/hypergeometric_lanes.hh"
#include "kernels/random/sampling_without_replacement.cuh"

#include <algorithm>
#include <memory>
#include <vector>

// For sources *_simd.cc.

namespace crx {
namespace {

#if HWY_TARGET == HWY_AVX3
/// How many of each lane's lower 32 bits are set at or above place mod 32. Contract: others are 0.
template <class I>
CRX_IN_LANES Lanes<I> bits_from(Lanes<I> bits, Lanes<I> place)
{
    auto const of_nibble =
        _mm512_broadcast_i32x4(_mm_setr_epi8(0, 1, 1, 2, 1, 2, 2, 3, 1, 2, 2, 3, 2, 3, 3, 4));
    auto const nibble = _mm512_set1_epi8(0x0f);
    auto const left = hn::Shr(bits.v, (place & 31).v).raw;
    auto const of_byte = _mm512_add_epi8(
        _mm512_shuffle_epi8(of_nibble, _mm512_and_si512(left, nibble)),
        _mm512_shuffle_epi8(of_nibble, _mm512_and_si512(_mm512_srli_epi16(left, 4), nibble)));
    if constexpr (sizeof(I) == 4)
        return {decltype(bits.v){_mm512_madd_epi16(
            _mm512_maddubs_epi16(of_byte, _mm512_set1_epi8(1)), _mm512_set1_epi16(1))}};
    else
        return {decltype(bits.v){_mm512_sad_epu8(of_byte, _mm512_setzero_si512())}};
}
#endif

/// Marks before place[j] of the open block of lane j, for all lanes. `first`: where a lane's
/// counted rows (CountedRows) begin, in words from `counted` on.
/// Contract: 0 <= place <= the block's size; counted words are fewer than 2^31.
template <class I>
CRX_IN_LANES Lanes<I> marks_before(std::uint64_t const* counted, Lanes<I> const& first,
                                   Lanes<I> const& place)
{
#if HWY_TARGET == HWY_AVX3
    // Bits of half a row, and the marks up to its end, in lanes of their own.
    auto const row = (first + shifted_right<5>(place)).v.raw;
    auto const none = _mm512_setzero_si512();
    if constexpr (sizeof(I) == 4) {
        // Eight words at a time: a gather takes as long as it has lanes.
        using Halves = Lanes<std::uint32_t>;
        Halves const low{decltype(Halves::v){
            _mm512_mask_i32gather_epi64(none, 0xff, _mm512_castsi512_si256(row), counted, 8)}};
        Halves const high{decltype(Halves::v){_mm512_mask_i32gather_epi64(
            none, 0xff, _mm512_extracti64x4_epi64(row, 1), counted, 8)}};
        Halves const bits{hn::ConcatEven(Halves::Tag(), high.v, low.v)};
        Halves const through{hn::ConcatOdd(Halves::Tag(), high.v, low.v)};
        return same_bits<I>(through - bits_from(bits, same_bits<std::uint32_t>(place)));
    } else {
        using Words = Lanes<std::uint64_t>;
        Words const words{
            decltype(Words::v){_mm512_mask_i64gather_epi64(none, 0xff, row, counted, 8)}};
        return same_bits<I>(shifted_right<32>(words) -
                            bits_from(words & 0xffffffff, same_bits<std::uint64_t>(place)));
    }
#else
    // Lane by lane: gathers are not faster here.
    using Numbers [[gnu::vector_size(HWY_MAX_BYTES)]] = I;
    auto const places = reinterpret_cast<Numbers>(place.v.raw);
    auto const marks = [&](int j) CRX_LAMBDA_IN_LANES {
        auto const at = static_cast<std::uint64_t>(places[j]);
        auto const half = counted[static_cast<std::uint64_t>(first[j]) + at / 32];
        return static_cast<I>((half >> 32) - static_cast<std::uint64_t>(count_bits(
                                                 static_cast<std::uint32_t>(half) >> at % 32)));
    };
    if constexpr (sizeof(I) == 4)
        return {decltype(place.v){_mm256_setr_epi32(marks(0), marks(1), marks(2), marks(3),
                                                    marks(4), marks(5), marks(6), marks(7))}};
    else
        return {decltype(place.v){_mm256_setr_epi64x(marks(0), marks(1), marks(2), marks(3))}};
#endif
}

/// In each lane of a register an instance's words and `lines` lines of requests
/// (SamplingWithoutReplacement), of which the next are asked about in all lanes together: the same
/// answers by the same words.
template <class T, int lines>
class VectorSampler
{
  public:
    using Lanes = VectorLanes<T>;
    using Number = typename Lanes::Number;

    /// `requests`: most in a line; `classes`: of the workload.
    VectorSampler(std::int64_t requests, std::int64_t classes)
    {
        auto const block = sampling_block(classes);
        auto const rows = sampling_rows(requests, block), apart = CountedRows::counted_words(rows);
        expected_words_ = 2 * rows;
        auto const lines_for = [](std::int64_t words) {
            return std::unique_ptr<CacheLine[]>(
                new CacheLine[static_cast<std::size_t>(words) / 8 + 1]());
        };
        made_in_ = lines_for(CountedRows::made_words(rows));
        counted_ = lines_for(lines * Lanes::lanes * apart);
        for (int k = 0; k < lines * Lanes::lanes; ++k) {
            auto& line = line_[k / Lanes::lanes];
            line.first[k % Lanes::lanes] = static_cast<typename Lanes::Integer>(k * apart);
            line.of[k % Lanes::lanes] =
                CountedLine(CountedRows(made_in_[0].words, counted_[0].words + k * apart), block);
        }
    }

    /// The words of a lane.
    void open(int lane, std::uint64_t seed, std::uint32_t stream, std::uint64_t instance)
    {
        words_[lane] = BufferedWords(seed, stream, instance, expected_words_);
        draws_.words[lane] = words_ + lane;
        draws_.places.forget(lane);
    }
    /// Contract: as of SamplingWithoutReplacement::open.
    void open_line(int k, int lane, std::int64_t population, std::int64_t marked)
    {
        auto& line = line_[k];
        line.of[lane].open(population, marked);
        line.place[lane] = line.size[lane] = line.passed[lane] = 0;
        keep(line, lane);
    }

    /// How many of the next m in each lane's k-th line are marked. Contract: m >= 0.
    CRX_IN_LANES Number take(int k, Number const& m)
    {
        auto& line = line_[k];
        auto const past = look_past(line, m);
        if (past == 0) [[likely]]
            return marks_passed(line);
        line.past = past;
        return take_past(line, m);
    }

  private:
    struct alignas(64) CacheLine
    {
        std::uint64_t words[8];
    };
    struct Line
    {
        Number place, size, passed;                ///< in the open block, and its marks before
        crx::Lanes<typename Lanes::Integer> first; ///< of counted_, for each lane
        Number most;                               ///< larger groups may be one draw from behind it
        Number beyond, beyond_marked; ///< as SamplingState's, which are not kept up to date
        unsigned past;  ///< lanes in which more are asked about than the open block holds:
        unsigned drawn; ///< those that are one draw from behind it,
        unsigned opens; ///< and those that open the next by one
        CountedLine of[Lanes::lanes];
    };

    CRX_IN_LANES unsigned look_past(Line& line, Number const& m)
    {
        line.place += m;
        return Lanes::bits(Lanes::less(line.size, line.place) | Lanes::less(line.most, m));
    }
    CRX_IN_LANES Number marks_passed(Line& line)
    {
        auto const passed =
            to_numbers(marks_before(counted_[0].words, line.first, to_integers(line.place)));
        auto const found = passed - line.passed;
        line.passed = passed;
        return found;
    }
    [[gnu::noinline]] Number take_past(Line& line, Number const& m)
    {
        ask_past(line, m);
        return answer_past(line, m);
    }

    /// In the lanes of line.past: first draws from behind the open block are made together, what
    /// needs others one by one.
    void ask_past(Line& line, Number const& m)
    {
        store(draws_.population, line.beyond);
        store(draws_.marked, line.beyond_marked);
        store(draws_.draws, m);
        typename Lanes::Mask const one_draw =
            Lanes::less(Lanes::all(CountedLine::most_counted), m) & Lanes::at_most(m, line.beyond);
        line.drawn = line.past & Lanes::bits(one_draw);
        line.opens = 0;
        line.place -= Lanes::where(Lanes::of_bits(line.drawn), m);
        if (line.drawn != line.past) ask_one_by_one(line, m);
        draws_.execute(line.drawn | line.opens);
    }
    [[gnu::noinline]] void ask_one_by_one(Line& line, Number const& m)
    {
        auto const many = Lanes::integers(m), place = Lanes::integers(line.place);
        for (auto rest = line.past & ~line.drawn; rest != 0; rest &= rest - 1) {
            auto const j = __builtin_ctz(rest);
            auto const asked = static_cast<std::int64_t>(many[j]);
            auto& own = line.of[j];
            own.take_from_beyond(own.beyond() - static_cast<std::int64_t>(line.beyond[j]),
                                 own.beyond_marked() -
                                     static_cast<std::int64_t>(line.beyond_marked[j]));
            own.go_to(place[j] - asked);
            // Nothing is drawn for a block of all that are left.
            auto const size = own.opens_block(asked) ? own.next_size(asked) : own.beyond();
            if (size < own.beyond()) {
                line.opens |= 1u << j;
                draws_.draws[j] = static_cast<T>(size);
            } else {
                draws_.places.leave(j, words_[j]);
                look_again(line, j, own.take(asked, words_[j]));
            }
        }
    }

    CRX_IN_LANES Number answer_past(Line& line, Number const& m)
    {
        auto const drawn = Lanes::of_bits(line.drawn);
        auto const found = Lanes::where(drawn, Number::load(draws_.found));
        auto const counted = Lanes::all(CountedLine::most_counted);
        line.beyond -= Lanes::where(drawn, m);
        line.beyond_marked -= found;
        line.most =
            Lanes::pick(Lanes::less(counted, line.beyond), counted, Lanes::all(Lanes::never));
        if (line.opens != 0) open_one_by_one(line, m);
        bool const closed = Lanes::bits(Lanes::less(Number{}, line.size)) == 0;
        if (closed && line.drawn == line.past) return found; // no marks to be looked up
        return found + marks_passed(line);
    }
    [[gnu::noinline]] void open_one_by_one(Line& line, Number const& m)
    {
        auto const many = Lanes::integers(m);
        for (auto rest = line.opens; rest != 0; rest &= rest - 1) {
            auto const j = __builtin_ctz(rest);
            draws_.places.leave(j, words_[j]);
            look_again(line, j,
                       line.of[j].take_opening(static_cast<std::int64_t>(many[j]),
                                               static_cast<std::int64_t>(draws_.found[j]),
                                               words_[j]));
        }
    }
    /// What is behind a lane's open block, as the line itself knows it.
    void keep(Line& line, int lane)
    {
        auto const& own = line.of[lane];
        line.beyond[lane] = static_cast<T>(own.beyond());
        line.beyond_marked[lane] = static_cast<T>(own.beyond_marked());
        line.most[lane] =
            own.beyond() > CountedLine::most_counted ? T{CountedLine::most_counted} : Lanes::never;
    }
    /// `found` have just been found, by the line itself.
    void look_again(Line& line, int lane, std::int64_t found)
    {
        auto const& own = line.of[lane];
        line.place[lane] = static_cast<T>(own.place());
        line.size[lane] = static_cast<T>(own.size());
        line.passed[lane] = static_cast<T>(own.marks_before(own.place()) - found);
        keep(line, lane);
    }

    Line line_[lines];
    BufferedWords words_[Lanes::lanes];
    HypergeometricLanes<T> draws_;
    std::int64_t expected_words_;
    std::unique_ptr<CacheLine[]> made_in_, counted_;
};

/// What an engine in lanes is made of where a lane is that of a vector register.
template <class T>
struct VectorForm
{
    using Lanes = VectorLanes<T>;
    using Index = std::int64_t; ///< of a place
    template <int lines>
    using Sampler = VectorSampler<T, lines>;

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
