#include "host/store/identity_difference.hh"

#include <nlohmann/json.hpp>
#include <vector>

namespace crx {

namespace {

using Json = nlohmann::json;
constexpr std::size_t most_lines = 8;
constexpr std::size_t most_characters = 60;

std::string shown(Json const* value)
{
    if (value == nullptr) return "absent";
    auto text = value->dump(-1, ' ', false, Json::error_handler_t::replace);
    if (text.size() > most_characters) text = text.substr(0, most_characters) + "..";
    return text;
}

void compare(std::string const& key, Json const* there, Json const* here,
             std::vector<std::string>& lines)
{
    bool const both = there != nullptr && here != nullptr;
    if (both && *there == *here) return;
    if (both && there->is_object() && here->is_object()) {
        std::string const prefix = key.empty() ? "" : key + ".";
        for (auto const& [name, value] : there->items())
            compare(prefix + name, &value, here->contains(name) ? &(*here)[name] : nullptr, lines);
        for (auto const& [name, value] : here->items())
            if (!there->contains(name)) compare(prefix + name, nullptr, &value, lines);
        return;
    }
    if (both && there->is_array() && here->is_array() && there->size() == here->size()) {
        for (std::size_t i = 0; i < there->size(); ++i)
            compare(key + "[" + std::to_string(i) + "]", &(*there)[i], &(*here)[i], lines);
        return;
    }
    lines.push_back("  " + (key.empty() ? "identity" : key) + ": " + shown(there) + " there, " +
                    shown(here) + " here");
}

Json parse(std::string const& text)
{
    auto value = Json::parse(text, nullptr, false);
    return value.is_discarded() ? Json(text) : value;
}

} // namespace

std::string describe_difference(std::string const& there, std::string const& here)
{
    std::vector<std::string> lines;
    Json const one = parse(there), other = parse(here);
    compare("", &one, &other, lines);
    std::string text;
    for (std::size_t i = 0; i < lines.size() && i < most_lines; ++i)
        text += (i == 0 ? "" : "\n") + lines[i];
    if (lines.size() > most_lines)
        text += "\n  and " + std::to_string(lines.size() - most_lines) + " more";
    return text;
}

} // namespace crx
