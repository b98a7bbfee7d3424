#include "kernels/engines/cohorts/lottery/counted_line.hh"

#include "kernels/simd/vector_clones.hh"

namespace crx {

CRX_VECTOR_CLONES std::int64_t CountedLine::take_past_block(CountedLine& line, std::int64_t m,
                                                            BufferedWords& words)
{
    return take_marked(line, line.rows_, m, words);
}

CRX_VECTOR_CLONES std::int64_t CountedLine::open_and_take(CountedLine& line, std::int64_t m,
                                                          std::int64_t marked, BufferedWords& words)
{
    return crx::take_opening(line, line.rows_, m, marked, words);
}

} // namespace crx
