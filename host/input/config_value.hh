#pragma once

#include <cstdint>
#include <string>
#include <string_view>
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

/// Most tables and lists inside each other in a document: a dotted key makes one a part, a bracket
/// one. Experiments have five; what reads documents calls itself for each, and would run out of
/// stack.
inline constexpr int most_nested = 64;

/// Where TOML text goes deeper, "line:column"; empty where it does not. Told without reading it as
/// TOML: the reader itself would fail.
std::string place_nested_too_deep(std::string_view text);

/// Tables at the top of a kind of file.
struct TableNames
{
    std::vector<std::string> once;    ///< written as [name]
    std::vector<std::string> several; ///< written as [[name]]
};

/// How a table of which there may be several must be written, to complete "must be ..".
std::string written_with_two_brackets(std::string const& name);

/// The message for the first header among the first `lines` lines of a TOML text that has no name
/// of `known`, or too few or too many brackets; empty: there is none. For texts that TOML refuses:
/// a table that was meant to be another often shows first as one that is there twice. `file` stands
/// for the file in the message.
std::string wrong_header(std::string const& text, std::string const& file, std::int64_t lines,
                         TableNames const& known);

/// Reads TOML text; `name` stands for the file, `known` are its tables. Throws InputError
/// "name:line:column: why", behind wrong_header where that explains it.
ConfigValue parse_toml(std::string const& text, std::string const& name,
                       TableNames const& known = {});

/// Reads the right-hand side of KEY=VALUE: a TOML value, or else the text itself.
ConfigValue parse_override_value(std::string const& text, std::string const& where);

} // namespace crx
