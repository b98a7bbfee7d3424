#include "analysis/sorted_f/sorted_f.hh"

#include <algorithm>
#include <stdexcept>

namespace crx::sorted_f {
namespace {

/// Number of the selector's random stream, past those of the policies (docs/random-choices.md).
constexpr std::uint32_t quantile_stream = stream_policy + 64;

std::optional<Batch> select(std::vector<Item> const& items, Tokens memory, Settings const& settings,
                            WordStream& words)
{
    switch (settings.selector) {
    case Selector::exact: return select_exact(items, memory);
    case Selector::scaled: return select_scaled(items, memory, settings.cells);
    case Selector::swap: return select_swap(items, memory);
    case Selector::quantile: return select_quantile(items, memory, words);
    case Selector::exact_together: return select_together(items, memory);
    }
    return std::nullopt;
}

} // namespace

std::optional<std::vector<Batch>> batches(OwnedInstance const& instance, Settings const& settings)
{
    CRX_EXPECT(std::ranges::all_of(instance.arrival, [](Rounds a) { return a == 0; }));
    std::vector<Item> items;
    for (std::size_t i = 0; i < instance.output.size(); ++i)
        items.push_back({i, instance.prompt[i], instance.output[i]});
    return batches(std::move(items), instance.memory, settings);
}

std::optional<std::vector<Batch>> batches(std::vector<Item> waiting, Tokens memory,
                                          Settings const& settings)
{
    if (settings.selector == Selector::exact_together &&
        waiting.size() > static_cast<std::size_t>(most_together))
        return std::nullopt;
    WordStream words(settings.seed, quantile_stream, settings.number);
    std::vector<Batch> made;
    while (!waiting.empty()) {
        auto const places = select(waiting, memory, settings, words);
        if (!places) return std::nullopt;
        CRX_ENSURE(!places->empty());
        std::vector<Item> chosen, rest;
        for (std::size_t place = 0, next = 0; place < waiting.size(); ++place) {
            auto const in = next < places->size() && (*places)[next] == place;
            (in ? chosen : rest).push_back(waiting[place]);
            next += in ? 1 : 0;
        }
        std::ranges::stable_sort(chosen, {}, &Item::output);
        auto& batch = made.emplace_back();
        for (auto const& item : chosen) batch.push_back(item.index);
        waiting = std::move(rest);
    }
    return made;
}

std::vector<std::size_t> order_of(std::vector<Batch> const& batches)
{
    std::vector<std::size_t> order;
    for (auto const& batch : batches) order.insert(order.end(), batch.begin(), batch.end());
    return order;
}

double table_bytes(Settings const& settings, std::int64_t requests, Tokens least_size,
                   Tokens memory)
{
    CRX_EXPECT(requests >= 1 && least_size >= 1 && memory >= least_size);
    auto const by_size = static_cast<std::int64_t>(memory / least_size);
    switch (settings.selector) {
    case Selector::exact: return table_bytes_of(requests, std::min(requests, by_size), memory);
    case Selector::scaled:
        // Rounded down, a size may be 0 cells, and then any number of requests stands in a state.
        return settings.cells < memory
                   ? table_bytes_of(requests, requests, settings.cells)
                   : table_bytes_of(requests, std::min(requests, by_size), memory);
    case Selector::swap:
    case Selector::quantile:
    case Selector::exact_together: break;
    }
    return 0;
}

std::optional<SingleRun> execute(OwnedInstance const& instance, Settings const& settings)
{
    auto const made = batches(instance, settings);
    if (!made) return std::nullopt;
    return execute_in_order(instance, order_of(*made));
}

std::vector<std::size_t> SortedFOrder::order(Requests const& requests, std::uint64_t seed,
                                             std::int64_t instance) const
{
    std::vector<Item> items;
    for (std::int64_t i = 0; i < requests.n; ++i)
        items.push_back({static_cast<std::size_t>(i), requests.prompt[i], requests.output[i]});
    auto settings = settings_;
    settings.seed = seed;
    settings.number = static_cast<std::uint64_t>(instance);
    auto const made = batches(std::move(items), requests.memory, settings);
    if (!made)
        throw std::runtime_error("instance " + std::to_string(instance) +
                                 ": sorted-f's table would need more than a gibibyte");
    return order_of(*made);
}

std::vector<std::pair<std::string, std::string>> SortedFOrder::identity() const
{
    std::vector<std::pair<std::string, std::string>> values{
        {"id", "sorted-f"},
        {"selector", std::string(selector_names[static_cast<std::size_t>(settings_.selector)])}};
    if (settings_.selector == Selector::scaled)
        values.emplace_back("cells", std::to_string(settings_.cells));
    return values;
}

} // namespace crx::sorted_f
