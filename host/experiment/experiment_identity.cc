#include "host/experiment/experiment_identity.hh"

#include <cmath>
#include <nlohmann/json.hpp>

namespace crx {

namespace {

using nlohmann::json;

json json_of(ConfigValue const& value)
{
    switch (value.kind) {
    case ConfigValue::Kind::boolean: return value.boolean;
    case ConfigValue::Kind::integer: return value.integer;
    case ConfigValue::Kind::real:
        // 16.0 and 16 are the same number.
        if (value.real == std::floor(value.real) && std::abs(value.real) < 0x1p53)
            return static_cast<std::int64_t>(value.real);
        return value.real;
    case ConfigValue::Kind::text:
    case ConfigValue::Kind::other: return value.text;
    case ConfigValue::Kind::list: {
        auto out = json::array();
        for (auto const& element : value.list) out.push_back(json_of(element));
        return out;
    }
    case ConfigValue::Kind::table: {
        auto out = json::object();
        for (auto const& [key, element] : value.table) out[key] = json_of(element);
        return out;
    }
    }
    return {};
}

} // namespace

std::string experiment_identity(ConfigValue const& document,
                                std::map<std::string, std::string> const& traces)
{
    auto identity = json_of(document);
    identity["experiment"].erase("title");
    identity.erase("stop");
    identity.erase("panel");
    identity.erase("run"); // cells say which engine drew what
    if (!traces.empty()) identity["traces"] = traces;
    return identity.dump();
}

} // namespace crx
