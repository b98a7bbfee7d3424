#pragma once

#include "kernels/cpu/single.hh"
#include "kernels/random/word_stream.cuh"

#include <optional>
#include <string_view>
#include <vector>

namespace crx::sorted_f {

/// A request that waits for a batch.
struct Item
{
    std::size_t index = 0; ///< in the instance
    std::int32_t prompt = 0, output = 0;
    Tokens size() const { return Tokens{prompt} + output; }
};

/// Places in a list of items, ascending.
using Batch = std::vector<std::size_t>;

/// F(X) = sum o / |X|^2 (WANG section 3), kept as a fraction so that comparisons are exact.
struct Quality
{
    std::int64_t outputs = 0, count = 0;
    /// Contract: both counts positive.
    friend bool operator<(Quality const& a, Quality const& b)
    {
        return static_cast<__int128>(a.outputs) * b.count * b.count <
               static_cast<__int128>(b.outputs) * a.count * a.count;
    }
};
Quality quality_of(std::vector<Item> const& items, Batch const& batch);

/// Bytes of the table of Algorithms 2 and 3 for n items of which at most `most_items` fit, over
/// sizes 0 .. `top`: a bit a state and item (which improved it), a 64-bit number a state.
double table_bytes_of(std::int64_t n, std::int64_t most_items, std::int64_t top);

/// WANG Algorithm 2: the batch with sum (s + o) <= M that minimises (F, -|X|, sum (s + o)); among
/// equals the one that the table, filled in the items' order, holds first.
/// Memory: table_bytes_of for kmax = the most items that fit; nothing if that exceeds `most_bytes`.
std::optional<Batch> select_exact(std::vector<Item> const& items, Tokens memory,
                                  std::size_t most_bytes = std::size_t{1} << 30);

/// WANG Algorithm 1, line 4: the batch that minimises the same among those that fit together: if
/// all its requests start in one round, the memory at each of their completions is at most M. Looks
/// at every set. Contract: at most 16 items, each of which fits.
Batch select_together(std::vector<Item> const& items, Tokens memory);

/// WANG Algorithm 3: the same table over sizes rounded down to whole cells, floor((s + o) / lambda)
/// with lambda = max(1, M / cells) (WANG's epsilon M / B, so cells = B / epsilon). Rounded sizes
/// can overfill memory, so of the states by (F, larger |X|, smaller rounded size) the first whose
/// true size fits is taken (docs/model.md#sorted-f). Nothing if memory does not allow, as above.
std::optional<Batch> select_scaled(std::vector<Item> const& items, Tokens memory,
                                   std::int64_t cells,
                                   std::size_t most_bytes = std::size_t{1} << 30);

/// WANG Algorithm 4: fills by ascending (s + o, index), skipping what does not fit, then exchanges
/// one inside for one outside while that fits and lowers F: both sides scanned by (s + o, index),
/// the first improving pair taken, and from the start again.
Batch select_swap(std::vector<Item> const& items, Tokens memory);

/// WANG Algorithm 5: takes requests no larger than the 0.3-quantiles of s + o and of o in a random
/// half of the items, by ascending (o, index), then fills by ascending (o / (s + o), index). The
/// q-quantile is the ceil(q len)-th smallest. Words: max(1, floor(n / 2)) draws without
/// replacement.
Batch select_quantile(std::vector<Item> const& items, Tokens memory, WordStream& words);

} // namespace crx::sorted_f
