#pragma once

#include <cmath>
#include <nlohmann/json.hpp>
#include <optional>

namespace crx {

/// A number in JSON, null where there is none or none that JSON can write.
inline nlohmann::ordered_json number_or_null(std::optional<double> value)
{
    if (value && std::isfinite(*value)) return *value;
    return nullptr;
}

} // namespace crx
