#include "analysis/baseline/request_groups.hh"

#include <algorithm>
#include <map>
#include <tuple>

namespace crx::baseline {

std::vector<RequestGroup> request_groups(OwnedInstance const& instance)
{
    std::map<std::tuple<std::int32_t, std::int32_t, Rounds>, RequestGroup> by_kind;
    for (std::size_t i = 0; i < instance.output.size(); ++i) {
        auto& group = by_kind[{instance.output[i], instance.prompt[i], instance.arrival[i]}];
        group.arrival = instance.arrival[i];
        group.prompt = instance.prompt[i];
        group.output = instance.output[i];
        group.members.push_back(i);
    }
    std::vector<RequestGroup> groups;
    for (auto& [kind, group] : by_kind) groups.push_back(std::move(group));
    return groups;
}

} // namespace crx::baseline
