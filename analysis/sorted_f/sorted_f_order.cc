#include "analysis/sorted_f/sorted_f_order.hh"

#include <stdexcept>

namespace crx::sorted_f {

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
