#include "host/input/config_reader.hh"

#include "host/error.hh"
#include "host/input/accepted.hh"
#include "host/input/config_value.hh"

#include <algorithm>
#include <cmath>

namespace crx {

std::string one_of(std::string const& wrong, std::vector<std::string> const& names)
{
    return "one of " + listed_with_nearest(wrong, names);
}

namespace {

/// Whether the value was written as [[..]].
bool is_doubled(ConfigValue const& value)
{
    return value.kind == ConfigValue::Kind::list && !value.list.empty() &&
           value.list.front().kind == ConfigValue::Kind::table && !value.list.front().braced;
}

std::string shown(ConfigValue const& value) { return shortened(value.written()); }

} // namespace

ConfigReader::ConfigReader(ConfigValue const& table, std::string key)
    : table_(table), key_(std::move(key))
{
    if (table.kind != ConfigValue::Kind::table)
        throw ConfigError(table.where, key_, shown(table),
                          is_doubled(table) ? "a table, written as [" + key_ + "], once"
                                            : "a table");
}

std::string ConfigReader::path(std::string const& key) const
{
    return key_.empty() ? key : key_ + "." + key;
}

void ConfigReader::reject(std::string const& key, ConfigValue const& value,
                          std::string const& accepted) const
{
    throw ConfigError(value.where, path(key), shown(value), accepted);
}

void ConfigReader::reject_missing(std::string const& key, std::string const& accepted)
{
    // A key that was meant to be this one says more than that this one is missing.
    for (auto const& [name, value] : table_.table)
        if (!known_.contains(name) && !nearest_name(name, {key}).empty()) {
            known_.insert(name);
            throw UnknownKeys(value.where + ": " + path(name) + " = " + shown(value) +
                                  "\n  unknown key; did you mean " + key +
                                  ", which is missing here?",
                              "");
        }
    throw InputError(table_.where + ": " + path(key) + "\n  missing: must be " + accepted);
}

ConfigValue const* ConfigReader::find(std::string const& key)
{
    known_.insert(key);
    return table_.find(key);
}

ConfigValue const& ConfigReader::need(std::string const& key, std::string const& accepted)
{
    auto const* value = find(key);
    if (value == nullptr) reject_missing(key, accepted);
    return *value;
}

std::string ConfigReader::text(std::string const& key, std::optional<std::string> fallback)
{
    auto const* value = fallback ? find(key) : &need(key, "a text in quotes");
    if (value == nullptr) return *fallback;
    if (value->kind != ConfigValue::Kind::text) reject(key, *value, "a text in quotes");
    return value->text;
}

std::string ConfigReader::choice(std::string const& key, std::vector<std::string> const& names,
                                 std::optional<std::string> fallback)
{
    auto const* value = fallback ? find(key) : &need(key, one_of({}, names));
    if (value == nullptr) return *fallback;
    auto const known = std::find(names.begin(), names.end(), value->text) != names.end();
    if (value->kind != ConfigValue::Kind::text || !known)
        reject(key, *value, one_of(value->text, names));
    return value->text;
}

std::vector<std::string> ConfigReader::choices(std::string const& key,
                                               std::vector<std::string> const& names,
                                               std::vector<std::string> fallback)
{
    auto const* value = find(key);
    if (value == nullptr) return fallback;
    if (value->kind != ConfigValue::Kind::list || value->list.empty())
        reject(key, *value, "a list of " + listed_with_nearest({}, names));
    std::vector<std::string> out;
    for (std::size_t i = 0; i < value->list.size(); ++i) {
        auto const& element = value->list[i];
        auto const element_key = key + "." + std::to_string(i);
        auto const known = std::find(names.begin(), names.end(), element.text) != names.end();
        if (element.kind != ConfigValue::Kind::text || !known)
            reject(element_key, element, one_of(element.text, names));
        if (std::find(out.begin(), out.end(), element.text) != out.end())
            reject(element_key, element, "named once only");
        out.push_back(element.text);
    }
    return out;
}

std::optional<std::int64_t> integer_of(ConfigValue const& value)
{
    if (value.kind == ConfigValue::Kind::integer) return value.integer;
    bool const whole = value.kind == ConfigValue::Kind::real && std::abs(value.real) < 0x1p53 &&
                       value.real == std::floor(value.real);
    return whole ? std::optional(static_cast<std::int64_t>(value.real)) : std::nullopt;
}

namespace {

/// Whether the value is a real number in the range that may be another than the one written.
bool is_inexact_integer(ConfigValue const& value, std::int64_t low, std::int64_t high)
{
    return value.kind == ConfigValue::Kind::real && std::abs(value.real) >= 0x1p53 &&
           value.real >= static_cast<double>(low) && value.real <= static_cast<double>(high);
}

} // namespace

std::int64_t ConfigReader::integer(std::string const& key, std::int64_t low, std::int64_t high,
                                   std::optional<std::int64_t> fallback)
{
    auto const accepted =
        "an integer in [" + std::to_string(low) + ", " + std::to_string(high) + "]";
    auto const* value = fallback ? find(key) : &need(key, accepted);
    if (value == nullptr) return *fallback;
    if (auto const whole = integer_of(*value); whole && *whole >= low && *whole <= high)
        return *whole;
    if (is_inexact_integer(*value, low, high))
        throw InputError(value->where + ": " + path(key) +
                         " is a real number of at least 2^53, where not every integer is one" +
                         "\n  not accepted: must be written as an integer, without point or " +
                         "exponent");
    reject(key, *value, accepted);
}

std::optional<double> ConfigReader::optional_number(std::string const& key,
                                                    NumberRange const& range)
{
    auto const* value = find(key);
    if (value == nullptr) return {};
    if (!value->is_number() || !range.contains(value->number()))
        reject(key, *value, range.accepted());
    return value->number();
}

double ConfigReader::number(std::string const& key, NumberRange const& range,
                            std::optional<double> fallback)
{
    if (auto const value = optional_number(key, range)) return *value;
    if (!fallback) reject_missing(key, range.accepted());
    return *fallback;
}

bool ConfigReader::flag(std::string const& key, bool fallback)
{
    auto const* value = find(key);
    if (value == nullptr) return fallback;
    if (value->kind != ConfigValue::Kind::boolean) reject(key, *value, "true or false");
    return value->boolean;
}

std::vector<ConfigValue> const& ConfigReader::tables(std::string const& key,
                                                     std::string const& accepted)
{
    auto const& value = need(key, accepted);
    if (value.kind == ConfigValue::Kind::table)
        reject(key, value, written_with_two_brackets(path(key)));
    if (value.kind != ConfigValue::Kind::list || value.list.empty()) reject(key, value, accepted);
    return value.list;
}

void ConfigReader::finish() const
{
    std::vector<std::string> accepted, missing;
    for (auto const& key : known_)
        if (table_.find(key) == nullptr) missing.push_back(key);
    for (auto const& key : known_) // one that reject_missing() named is no accepted key
        if (table_.find(key) == nullptr || nearest_name(key, missing).empty())
            accepted.push_back(key);
    std::string unknown;
    for (auto const& [name, value] : table_.table)
        if (!known_.contains(name))
            unknown += (unknown.empty() ? "" : "\n") + value.where + ": " + path(name) + " = " +
                       shown(value) +
                       "\n  unknown key; accepted here: " + listed_with_nearest(name, accepted);
    if (!unknown.empty()) throw UnknownKeys(unknown, "");
}

void ConfigReader::read_parts(std::vector<std::function<void()>> const& parts,
                              std::vector<std::string> const& keys)
{
    Mistakes mistakes;
    bool all_read = true;
    for (auto const& part : parts) all_read &= mistakes.collect(part);
    if (!all_read) known_.insert(keys.begin(), keys.end());
    mistakes.collect([&] { finish(); });
    mistakes.throw_all();
}

} // namespace crx
