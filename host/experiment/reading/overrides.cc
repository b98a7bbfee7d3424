#include "host/experiment/reading/overrides.hh"

#include "host/error.hh"
#include "host/experiment/reading/nesting.hh"
#include "host/input/utf8.hh"

#include <algorithm>
#include <charconv>

namespace crx {

namespace {

/// The element of a list that a part of the key names.
ConfigValue& element_of(ConfigValue& list, std::string const& part, std::string const& where)
{
    std::size_t index = 0;
    auto const [end, error] = std::from_chars(part.data(), part.data() + part.size(), index);
    if (error != std::errc{} || end != part.data() + part.size() || !(index < list.list.size()))
        throw InputError(where + ": no element " + part + " in a list of " +
                         std::to_string(list.list.size()) + "; elements are numbered from 0");
    return list.list[index];
}

} // namespace

void apply_override(ConfigValue& document, std::string const& key_and_value)
{
    auto const equals = key_and_value.find('=');
    if (equals == std::string::npos || equals == 0)
        throw InputError("--set " + shortened(key_and_value) +
                         "\n  not accepted: must be KEY=VALUE, such as stop.instances=1000");
    auto const key = key_and_value.substr(0, equals);
    if (!is_utf8(key_and_value)) throw InputError("--set " + shortened(key) + ": is not UTF-8");
    auto const where = "--set " + shortened(key);
    if (std::count(key.begin(), key.end(), '.') >= most_nested)
        throw InputError(where + ": the key has more than " + std::to_string(most_nested) +
                         " parts, which no key of an experiment has");
    auto value = parse_override_value(key_and_value.substr(equals + 1), where);
    auto* at = &document;
    for (std::size_t start = 0; start <= key.size();) {
        auto const dot = std::min(key.find('.', start), key.size());
        auto const part = key.substr(start, dot - start);
        if (part.empty()) throw InputError(where + ": the key has an empty part");
        start = dot + 1;
        if (at->kind == ConfigValue::Kind::list) {
            at = &element_of(*at, part, where);
            continue;
        }
        if (at->kind != ConfigValue::Kind::table)
            throw InputError(where + ": there is no " + part + " in " + at->written() +
                             ", which is not a table");
        if (at->find(part) == nullptr) {
            ConfigValue made;
            made.where = where;
            at->table.push_back({part, made});
        }
        at = at->find(part);
    }
    *at = std::move(value);
}

ConfigValue parse_overridden(std::string const& text, std::string const& name,
                             std::vector<std::string> const& overrides)
{
    auto document = parse_toml(text, name);
    for (auto const& override : overrides) apply_override(document, override);
    return document;
}

} // namespace crx
