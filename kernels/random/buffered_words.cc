#include "kernels/random/buffered_words.hh"

namespace crx {

void BufferedWords::refill()
{
    philox_words(seed_, stream_, instance_, draw_, blocks_, words_);
    draw_ += static_cast<std::uint64_t>(blocks_);
    filled_ = 2 * blocks_;
    at_ = 0;
    blocks_ = most_blocks;
}

void BufferedWords::look_further()
{
    auto const left = filled_ - at_;
    std::memmove(words_, words_ + at_, static_cast<std::size_t>(left) * sizeof *words_);
    philox_words(seed_, stream_, instance_, draw_, blocks_, words_ + left);
    draw_ += static_cast<std::uint64_t>(blocks_);
    filled_ = left + 2 * blocks_;
    at_ = 0;
    blocks_ = most_blocks;
}

} // namespace crx
