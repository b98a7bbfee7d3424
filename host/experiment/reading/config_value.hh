#pragma once

#include "host/experiment/reading/table_headers.hh"

#include <cstdint>
#include <string>
#include <vector>

namespace crx {

struct ConfigEntry;

/// A value of a configuration and where it was written; the same for TOML files and --set.
struct ConfigValue
{
    enum class Kind
    {
        boolean,
        integer,
        real,
        text,
        list,
        table,
        other
    };

    Kind kind = Kind::table;
    bool boolean = false;
    std::int64_t integer = 0;
    double real = 0;
    std::string text;
    std::vector<ConfigValue> list;
    std::vector<ConfigEntry> table; ///< no key twice
    bool braced = false;            ///< a table written { .. } in one piece
    std::string where;              ///< "file:line" or "--set KEY", for messages

    bool is_number() const { return kind == Kind::integer || kind == Kind::real; }
    /// Of an integer or real.
    double number() const { return kind == Kind::integer ? static_cast<double>(integer) : real; }
    /// The element of a table; null if there is none.
    ConfigValue const* find(std::string const& key) const;
    ConfigValue* find(std::string const& key);
    /// As it might be written in the file, for messages.
    std::string written() const;
};

/// A key of a table and what it holds.
struct ConfigEntry
{
    std::string key;
    ConfigValue value;
};

/// What a message shows of a text: its beginning, if it is long.
std::string shortened(std::string const& text);

/// Reads TOML text; `name` stands for the file, `known` are its tables. Throws InputError
/// "name:line:column: why", behind wrong_header where that explains it.
ConfigValue parse_toml(std::string const& text, std::string const& name,
                       TableNames const& known = {});

/// Reads the right-hand side of KEY=VALUE: a TOML value, or else the text itself.
ConfigValue parse_override_value(std::string const& text, std::string const& where);

} // namespace crx
