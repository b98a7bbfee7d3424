#include "analysis/sorted_f/sorted_f.hh"

#include <algorithm>

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
    }
    return std::nullopt;
}

} // namespace

std::optional<std::vector<Batch>> batches(OwnedInstance const& instance, Settings const& settings)
{
    CRX_EXPECT(std::ranges::all_of(instance.arrival, [](Rounds a) { return a == 0; }));
    std::vector<Item> waiting;
    for (std::size_t i = 0; i < instance.output.size(); ++i)
        waiting.push_back({i, instance.prompt[i], instance.output[i]});
    WordStream words(settings.seed, quantile_stream, settings.number);
    std::vector<Batch> made;
    while (!waiting.empty()) {
        auto const places = select(waiting, instance.memory, settings, words);
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

SingleRun execute_order(OwnedInstance const& instance, std::vector<std::size_t> const& order)
{
    CRX_EXPECT(order.size() == instance.output.size());
    // mc-benchmark serves by arrival and index: with all arrivals at 0 that is the order of the
    // copy.
    OwnedInstance ordered;
    ordered.memory = instance.memory;
    for (auto const i : order) {
        ordered.arrival.push_back(0);
        ordered.prompt.push_back(instance.prompt[i]);
        ordered.output.push_back(instance.output[i]);
    }
    ordered.lower = ordered.upper = ordered.output;
    auto run = execute_single({PolicyKind::mc_benchmark, {}}, ordered, 0, 0);
    auto const start = run.start, completion = run.completion;
    for (std::size_t place = 0; place < order.size(); ++place) {
        run.start[order[place]] = start[place];
        run.completion[order[place]] = completion[place];
    }
    return run;
}

std::optional<SingleRun> execute(OwnedInstance const& instance, Settings const& settings)
{
    auto const made = batches(instance, settings);
    if (!made) return std::nullopt;
    std::vector<std::size_t> order;
    for (auto const& batch : *made) order.insert(order.end(), batch.begin(), batch.end());
    return execute_order(instance, order);
}

} // namespace crx::sorted_f
