#include "kernels/cohort/counted_line.hh"

#include "kernels/base/vector_clones.hh"

namespace crx {

std::int64_t CountedLine::take_and_count(std::int64_t m, BufferedWords& words)
{
    auto const found = MarkedLine::take(m, words);
    std::int64_t before = 0, r = 0;
    for (; 64 * r < size_; ++r) {
        counted_[r] = {row_[r], before};
        before += count_bits(row_[r]);
    }
    counted_[r] = {0, before};
    return found;
}

CRX_VECTOR_CLONES std::int64_t CountedLine::take_past_block(CountedLine& line, std::int64_t m,
                                                            BufferedWords& words)
{
    return line.take_and_count(m, words);
}

} // namespace crx
