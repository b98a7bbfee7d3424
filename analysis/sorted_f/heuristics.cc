#include "analysis/sorted_f/selector.hh"

#include <algorithm>
#include <numeric>
#include <tuple>

namespace crx::sorted_f {
namespace {

/// Places in ascending order of a key.
template <class Key>
Batch places_by(std::vector<Item> const& items, Key key)
{
    Batch places(items.size());
    std::iota(places.begin(), places.end(), std::size_t{0});
    std::ranges::stable_sort(
        places, [&](std::size_t a, std::size_t b) { return key(items[a]) < key(items[b]); });
    return places;
}

std::int64_t quantile_30(std::vector<std::int64_t> values)
{
    auto const rank = (3 * values.size() + 9) / 10; // ceil(0.3 len) >= 1
    std::ranges::nth_element(values, values.begin() + static_cast<std::ptrdiff_t>(rank) - 1);
    return values[rank - 1];
}

} // namespace

Batch select_together(std::vector<Item> const& items, Tokens memory)
{
    auto const n = items.size();
    CRX_EXPECT(n >= 1 && n <= 16);
    std::vector<std::size_t> longest_first(n);
    std::iota(longest_first.begin(), longest_first.end(), std::size_t{0});
    std::ranges::sort(longest_first, std::greater{},
                      [&](std::size_t place) { return items[place].output; });
    struct Best
    {
        Quality quality;
        Tokens size = 0;
        std::uint32_t set = 0;
    } best;
    for (std::uint32_t set = 1; set < std::uint32_t{1} << n; ++set) {
        Quality quality;
        Tokens size = 0, prompts = 0;
        bool fits = true;
        // At the completion of one, those that are no shorter hold their prompts and its output.
        for (std::size_t k = 0; k < n && fits; ++k) {
            auto const place = longest_first[k];
            if ((set >> place & 1) == 0) continue;
            auto const& item = items[place];
            ++quality.count;
            quality.outputs += item.output;
            size += item.size();
            prompts += item.prompt;
            fits = prompts + quality.count * item.output <= memory; // of equals the last tells
        }
        if (!fits) continue;
        bool const better = best.set == 0 || quality < best.quality ||
                            (!(best.quality < quality) &&
                             (quality.count > best.quality.count ||
                              (quality.count == best.quality.count && size < best.size)));
        if (better) best = {quality, size, set};
    }
    Batch batch;
    for (std::size_t place = 0; place < n; ++place)
        if ((best.set >> place & 1) != 0) batch.push_back(place);
    return batch;
}

Batch select_swap(std::vector<Item> const& items, Tokens memory)
{
    auto const order =
        places_by(items, [](Item const& item) { return std::pair(item.size(), item.index); });
    std::vector<char> inside(items.size(), 0);
    Tokens held = 0;
    for (auto const place : order)
        if (held + items[place].size() <= memory) {
            inside[place] = 1;
            held += items[place].size();
        }
    auto const exchange = [&] {
        for (auto const out : order) {
            if (inside[out] == 0) continue;
            for (auto const in : order) {
                // |X| stays, so F falls exactly if the sum of outputs does.
                if (inside[in] != 0 || items[in].output >= items[out].output ||
                    held - items[out].size() + items[in].size() > memory)
                    continue;
                held += items[in].size() - items[out].size();
                inside[out] = 0;
                inside[in] = 1;
                return true;
            }
        }
        return false;
    };
    while (exchange()) {
    }
    Batch batch;
    for (std::size_t place = 0; place < items.size(); ++place)
        if (inside[place] != 0) batch.push_back(place);
    return batch;
}

Batch select_quantile(std::vector<Item> const& items, Tokens memory, WordStream& words)
{
    CRX_EXPECT(!items.empty());
    auto const n = items.size();
    Batch sample(n);
    std::iota(sample.begin(), sample.end(), std::size_t{0});
    auto const drawn = std::max<std::size_t>(1, n / 2);
    for (std::size_t k = 0; k < drawn; ++k) std::swap(sample[k], sample[k + words.bounded(n - k)]);
    std::vector<std::int64_t> sizes, outputs;
    for (std::size_t k = 0; k < drawn; ++k) {
        sizes.push_back(items[sample[k]].size());
        outputs.push_back(items[sample[k]].output);
    }
    auto const size_limit = quantile_30(sizes), output_limit = quantile_30(outputs);

    std::vector<char> inside(n, 0);
    Tokens held = 0;
    auto const take = [&](std::size_t place) {
        if (held + items[place].size() > memory) return;
        inside[place] = 1;
        held += items[place].size();
    };
    for (auto const place :
         places_by(items, [](Item const& item) { return std::pair(item.output, item.index); }))
        if (items[place].size() <= size_limit && items[place].output <= output_limit) take(place);
    Batch rest(n);
    std::iota(rest.begin(), rest.end(), std::size_t{0});
    std::ranges::stable_sort(rest, [&](std::size_t a, std::size_t b) {
        auto const left = std::int64_t{items[a].output} * items[b].size();
        auto const right = std::int64_t{items[b].output} * items[a].size();
        return left != right ? left < right : items[a].index < items[b].index;
    });
    for (auto const place : rest)
        if (inside[place] == 0) take(place);
    Batch batch;
    for (std::size_t place = 0; place < n; ++place)
        if (inside[place] != 0) batch.push_back(place);
    return batch;
}

} // namespace crx::sorted_f
