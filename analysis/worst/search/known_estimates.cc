#include "analysis/worst/search/known_estimates.hh"

namespace crx::worst {
namespace {

template <class Value>
void append(std::string& key, std::vector<Value> const& values)
{
    key.append(reinterpret_cast<char const*>(values.data()), values.size() * sizeof(Value));
}

void write_key(std::string& key, OwnedInstance const& instance)
{
    key.assign(reinterpret_cast<char const*>(&instance.memory), sizeof instance.memory);
    append(key, instance.arrival);
    for (auto const* lengths :
         {&instance.prompt, &instance.output, &instance.lower, &instance.upper})
        append(key, *lengths);
}

} // namespace

std::optional<double> KnownEstimates::estimate(OwnedInstance const& instance, double least)
{
    write_key(key_, instance);
    auto& known = known_[key_];
    if (known.value) return *known.value >= least ? known.value : std::nullopt;
    if (least >= known.below) return std::nullopt;
    known = {objective_.estimate(instance, least), least};
    return known.value;
}

} // namespace crx::worst
