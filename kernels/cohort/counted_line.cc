#include "kernels/cohort/counted_line.hh"

#include "kernels/base/vector_clones.hh"

namespace crx {

void CountedLine::count_rows()
{
    std::int64_t before = 0, r = 0;
    for (; 64 * r < size_; ++r) {
        counted_[r] = {row_[r], before};
        before += count_bits(row_[r]);
    }
    counted_[r] = {0, before};
}

CRX_VECTOR_CLONES std::int64_t CountedLine::take_past_block(CountedLine& line, std::int64_t m,
                                                            BufferedWords& words)
{
    auto const found = line.MarkedLine::take(m, words);
    line.count_rows();
    return found;
}

CRX_VECTOR_CLONES std::int64_t CountedLine::open_and_take(CountedLine& line, std::int64_t m,
                                                          std::int64_t marked, BufferedWords& words)
{
    auto const before = line.count_to(line.size_), rest = m - (line.size_ - line.at_);
    auto const size = line.next_size();
    line.drawn(size, marked);
    line.fill_block(size, marked, words);
    line.at_ = rest;
    line.count_rows();
    return before + line.marks_before(static_cast<std::uint64_t>(rest));
}

} // namespace crx
