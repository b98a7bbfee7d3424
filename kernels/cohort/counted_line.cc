#include "kernels/cohort/counted_line.hh"

#include "kernels/base/vector_clones.hh"

namespace crx {

std::int64_t CountedLine::take_and_count(std::int64_t m, BufferedWords& words)
{
    auto const found = MarkedLine::take(m, words);
    for (std::int64_t r = 0; 64 * r < size_; ++r) before_[r + 1] = before_[r] + count_bits(row_[r]);
    passed_ = marks_before(at_);
    return found;
}

CRX_VECTOR_CLONES std::int64_t CountedLine::take_past_block(CountedLine& line, std::int64_t m,
                                                            BufferedWords& words)
{
    return line.take_and_count(m, words);
}

} // namespace crx
