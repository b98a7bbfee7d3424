#include "analysis/sorted_lp/sorted_lp_order.hh"

namespace crx::sorted_lp {

std::vector<std::size_t> SortedLpOrder::order(Requests const& requests, std::uint64_t,
                                              std::int64_t) const
{
    auto const n = static_cast<std::size_t>(requests.n);
    OwnedInstance instance;
    instance.memory = requests.memory;
    instance.resize(n);
    instance.prompt.assign(requests.prompt, requests.prompt + n);
    instance.output.assign(requests.output, requests.output + n);
    instance.lower = instance.upper = instance.output;
    auto const mean_start = relax(instance).mean_start;
    return rule_ == Rule::sorted_lp ? sorted_lp_order(instance, mean_start)
                                    : lp_swap_order(instance, mean_start);
}

std::vector<std::pair<std::string, std::string>> SortedLpOrder::identity() const
{
    return {{"id", rule_ids[static_cast<std::size_t>(rule_)]}};
}

} // namespace crx::sorted_lp
