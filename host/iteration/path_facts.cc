#include "host/iteration/path_facts.hh"

#include <nlohmann/json.hpp>

namespace crx {

PathFacts path_facts(std::string const& identity)
{
    auto const json = nlohmann::json::parse(identity);
    PathFacts facts;
    for (auto const& policy : json.at("policies"))
        facts.capacity.push_back(policy.at("memory").get<Tokens>());
    auto const& workload = json.at("workload");
    for (auto const& lengths : workload.at("types"))
        facts.types.push_back({lengths.at(0).get<Tokens>(), lengths.at(1).get<Tokens>()});
    facts.horizons = workload.at("horizons").get<std::vector<Nanoseconds>>();
    facts.by_type = json.value("by_type", false);
    return facts;
}

} // namespace crx
