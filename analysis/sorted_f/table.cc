#include "analysis/sorted_f/selector.hh"

#include <algorithm>

namespace crx::sorted_f {
namespace {

/// The table of WANG Algorithms 2 and 3: least sum of outputs of k items of total size m, and for
/// each item in which states it was the last to improve, from which the items of a state follow.
class Table
{
  public:
    /// `sizes` are those the table counts in, 0 .. `top` in all.
    Table(std::vector<Item> const& items, std::vector<std::int64_t> const& sizes, std::int64_t top,
          std::int64_t most_items)
        : sizes_(sizes), width_(static_cast<std::size_t>(top) + 1),
          states_((static_cast<std::size_t>(most_items) + 1) * width_),
          least_(states_, unreachable), improved_(items.size())
    {
        least_[0] = 0;
        for (std::size_t i = 0; i < items.size(); ++i) {
            improved_[i].assign(states_, false);
            auto const size = static_cast<std::size_t>(sizes[i]);
            for (auto k = static_cast<std::size_t>(most_items); k >= 1; --k)
                for (auto m = size; m < width_; ++m) {
                    auto const without = least_[(k - 1) * width_ + m - size];
                    auto const state = k * width_ + m;
                    if (without == unreachable || without + items[i].output >= least_[state])
                        continue;
                    least_[state] = without + items[i].output;
                    improved_[i][state] = true;
                }
        }
    }

    struct State
    {
        Quality quality;
        std::int64_t size;
    };
    std::vector<State> reachable() const
    {
        std::vector<State> states;
        for (std::size_t state = width_; state < states_; ++state)
            if (least_[state] != unreachable)
                states.push_back({{least_[state], static_cast<std::int64_t>(state / width_)},
                                  static_cast<std::int64_t>(state % width_)});
        return states;
    }
    Batch items_of(State const& state) const
    {
        Batch batch;
        auto k = static_cast<std::size_t>(state.quality.count);
        auto m = static_cast<std::size_t>(state.size);
        for (auto i = improved_.size(); i-- > 0 && k > 0;)
            if (improved_[i][k * width_ + m]) {
                batch.push_back(i);
                --k;
                m -= static_cast<std::size_t>(sizes_[i]);
            }
        std::ranges::reverse(batch);
        return batch;
    }

  private:
    static constexpr std::int64_t unreachable = INT64_MAX;
    std::vector<std::int64_t> const& sizes_;
    std::size_t width_, states_;
    std::vector<std::int64_t> least_;
    std::vector<std::vector<bool>> improved_;
};

/// (F, larger k, smaller size)
bool before(Table::State const& a, Table::State const& b)
{
    if (a.quality < b.quality || b.quality < a.quality) return a.quality < b.quality;
    if (a.quality.count != b.quality.count) return a.quality.count > b.quality.count;
    return a.size < b.size;
}

/// How many of the smallest fit.
std::int64_t most_that_fit(std::vector<std::int64_t> sizes, std::int64_t top)
{
    std::ranges::sort(sizes);
    std::int64_t count = 0;
    for (std::int64_t sum = 0; count < static_cast<std::int64_t>(sizes.size()); ++count)
        if ((sum += sizes[static_cast<std::size_t>(count)]) > top) break;
    return count;
}

} // namespace

double table_bytes_of(std::int64_t n, std::int64_t most_items, std::int64_t top)
{
    auto const states = static_cast<double>(most_items + 1) * static_cast<double>(top + 1);
    return states * (static_cast<double>(n) / 8 + 8);
}

Quality quality_of(std::vector<Item> const& items, Batch const& batch)
{
    Quality quality;
    for (auto const place : batch) quality.outputs += items[place].output;
    quality.count = static_cast<std::int64_t>(batch.size());
    return quality;
}

namespace {

bool too_large(std::vector<Item> const& items, std::int64_t most, std::int64_t top,
               std::size_t bytes)
{
    return table_bytes_of(static_cast<std::int64_t>(items.size()), most, top) >
           static_cast<double>(bytes);
}

} // namespace

std::optional<Batch> select_exact(std::vector<Item> const& items, Tokens memory,
                                  std::size_t most_bytes)
{
    CRX_EXPECT(!items.empty());
    std::vector<std::int64_t> sizes;
    for (auto const& item : items) sizes.push_back(item.size());
    auto const most = most_that_fit(sizes, memory);
    CRX_EXPECT(most > 0);
    if (too_large(items, most, memory, most_bytes)) return std::nullopt;
    Table const table(items, sizes, memory, most);
    auto const states = table.reachable();
    return table.items_of(*std::ranges::min_element(states, before));
}

std::optional<Batch> select_scaled(std::vector<Item> const& items, Tokens memory,
                                   std::int64_t cells, std::size_t most_bytes)
{
    CRX_EXPECT(!items.empty() && cells >= 1);
    std::vector<std::int64_t> sizes;
    auto const coarse = cells < memory; // lambda = M / cells > 1
    for (auto const& item : items)
        sizes.push_back(
            coarse ? static_cast<std::int64_t>(static_cast<__int128>(item.size()) * cells / memory)
                   : item.size());
    auto const top = coarse ? cells : memory;
    auto const most = most_that_fit(sizes, top);
    if (too_large(items, most, top, most_bytes)) return std::nullopt;
    Table const table(items, sizes, top, most);
    auto states = table.reachable();
    std::ranges::sort(states, before);
    for (auto const& state : states) {
        auto batch = table.items_of(state);
        Tokens held = 0;
        for (auto const place : batch) held += items[place].size();
        if (held <= memory) return batch;
    }
    // Even one request alone may stand in no state: another of the same rounded size, shorter but
    // larger in truth, cannot fill memory alone, so a single request always fits.
    CRX_ENSURE(false);
    return std::nullopt;
}

} // namespace crx::sorted_f
