#pragma once

#include "kernels/base/vector_lanes.hh"
#include "kernels/cohort/counted_line.hh"
#include "kernels/cohort/marks_lanes.hh"
#include "kernels/random/hypergeometric_lanes.hh"

#include <memory>

// CPU only, as lane_numbers.hh.

namespace crx {
namespace {

/// In each lane of a register an instance's words and `lines` lines of requests (MarkedLine), of
/// which the next are asked about in all lanes together: the same answers by the same words.
template <class T, int lines>
class VectorLottery
{
  public:
    using Lanes = VectorLanes<T>;
    using Number = typename Lanes::Number;
    using Integers = typename Lanes::template Each<typename Lanes::Integer>;

    /// `requests`: most in a line; `classes`: of the workload.
    VectorLottery(std::int64_t requests, std::int64_t classes)
    {
        auto const block = marked_line_block(classes);
        auto const rows = marked_line_rows(requests, block),
                   apart = CountedRows::counted_words(rows);
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
    }
    /// Contract: as of MarkedLine::open.
    void open_line(int k, int lane, std::int64_t population, std::int64_t marked)
    {
        auto& line = line_[k];
        line.of[lane].open(population, marked);
        line.place[lane] = line.size[lane] = line.passed[lane] = 0;
        line.most[lane] = most_counted(line.of[lane]);
    }

    /// How many of the next m in each lane's k-th line are marked. Contract: m >= 0.
    CRX_IN_LANES Number take(int k, Number const& m)
    {
        auto& line = line_[k];
        line.place += m;
        auto const past =
            Lanes::bits(Lanes::less(line.size, line.place) | Lanes::less(line.most, m));
        if (past != 0) [[unlikely]] {
            if (Lanes::bits(Lanes::less(Number{}, line.size)) == 0) return take_closed(line, past);
            take_past(line, m, past);
        }
        auto const marks =
            marks_before(counted_[0].words, line.first, Lanes::to_signed(line.place));
        auto const passed = Lanes::to_number(marks);
        auto const found = passed - line.passed;
        line.passed = passed;
        return found;
    }

  private:
    struct alignas(64) CacheLine
    {
        std::uint64_t words[8];
    };
    struct Line
    {
        Number place, size, passed;            ///< in the open block, and its marks before
        typename LaneNumbers<T>::Signed first; ///< of counted_, for each lane
        Number most;                           ///< larger groups may be one draw from behind it
        CountedLine of[Lanes::lanes];
    };

    /// The same in lanes where more are asked about than are left in the open block; first draws
    /// from behind it are made together.
    void take_past(Line& line, Number const& m, unsigned past)
    {
        HypergeometricDraw draw[Lanes::lanes];
        int lane[Lanes::lanes], draws = 0;
        for (; past != 0; past &= past - 1) {
            auto const j = __builtin_ctz(past);
            auto const asked = static_cast<std::int64_t>(m[j]);
            auto& own = line.of[j];
            own.go_to(static_cast<std::int64_t>(line.place[j] - m[j]));
            auto const opens = own.opens_block(asked);
            if (opens || own.is_one_draw(asked)) {
                lane[draws] = j;
                draw[draws++] = {own.beyond(), own.beyond_marked(),
                                 opens ? own.next_size(asked) : asked, 0, &words_[j]};
            } else {
                look_again(line, j, own.take(asked, words_[j]));
            }
        }
        HypergeometricLanes::execute(draw, draws);
        for (int k = 0; k < draws; ++k) {
            auto const j = lane[k];
            auto const asked = static_cast<std::int64_t>(m[j]);
            auto& own = line.of[j];
            auto found = draw[k].found;
            if (own.opens_block(asked))
                found = own.take_opening(asked, found, words_[j]);
            else
                own.take_from_beyond(asked, found);
            look_again(line, j, found);
        }
    }
    /// take() where no lane has an open block: as many are asked about as line.place says, in the
    /// lanes of `asked`.
    Number take_closed(Line& line, unsigned asked)
    {
        auto const many = Lanes::integers(line.place);
        line.place = Number{};
        Integers found{};
        HypergeometricDraw draw[Lanes::lanes];
        int lane[Lanes::lanes], draws = 0;
        for (; asked != 0; asked &= asked - 1) {
            auto const j = __builtin_ctz(asked);
            auto& own = line.of[j];
            if (own.is_one_draw(many[j])) {
                lane[draws] = j;
                draw[draws++] = {own.beyond(), own.beyond_marked(), many[j], 0, &words_[j]};
            } else {
                auto const marked = own.take(many[j], words_[j]);
                look_again(line, j, 0);
                found[j] = static_cast<typename Lanes::Integer>(marked);
            }
        }
        HypergeometricLanes::execute(draw, draws);
        for (int k = 0; k < draws; ++k) {
            auto& own = line.of[lane[k]];
            own.take_from_beyond(draw[k].draws, draw[k].found);
            line.most[lane[k]] = most_counted(own);
            found[lane[k]] = static_cast<typename Lanes::Integer>(draw[k].found);
        }
        typename LaneNumbers<T>::Signed marks;
        std::memcpy(&marks, &found, sizeof marks);
        return Lanes::to_number(marks);
    }
    static T most_counted(CountedLine const& line)
    {
        return line.beyond() > CountedLine::most_counted ? T{CountedLine::most_counted}
                                                         : Lanes::never;
    }
    /// `found` have just been found, by the line itself.
    void look_again(Line& line, int lane, std::int64_t found)
    {
        auto const& own = line.of[lane];
        line.place[lane] = static_cast<T>(own.place());
        line.size[lane] = static_cast<T>(own.size());
        line.most[lane] = most_counted(own);
        line.passed[lane] = static_cast<T>(own.marks_before(own.place()) - found);
    }

    Line line_[lines];
    BufferedWords words_[Lanes::lanes];
    std::int64_t expected_words_;
    std::unique_ptr<CacheLine[]> made_in_, counted_;
};

} // namespace
} // namespace crx
