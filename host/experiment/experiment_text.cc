#include "host/experiment/experiment_text.hh"

#include "host/error.hh"
#include "host/input/config_value.hh"
#include "host/input/text_file.hh"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <fstream>
#include <nlohmann/json.hpp>

namespace crx {

std::string read_experiment_file(std::filesystem::path const& file)
{
    std::string beginning(15, ' ');
    std::error_code ignored;
    if (std::filesystem::is_regular_file(file, ignored) && // a pipe is read once
        std::ifstream(file, std::ios::binary).read(beginning.data(), 15) &&
        beginning == "SQLite format 3")
        throw InputError(file.string() + ": is a database, not the text of an experiment" +
                         "\n  a store is named by --db FILE, behind the experiment");
    LineReader lines(file);
    std::string text;
    for (std::string_view line; lines.next(line);) {
        text += line;
        text += '\n';
        if (text.size() > 16 * 1024 * 1024)
            throw InputError(file.string() + ": longer than 16 MiB, which no experiment is");
    }
    return text;
}

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
