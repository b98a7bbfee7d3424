#pragma once

#include "host/error.hh"
#include "host/input/accepted.hh"
#include "host/input/config_value.hh"

#include <functional>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace crx {

/// Keys that nobody reads, and what else is wrong beside them.
class UnknownKeys : public InputError
{
  public:
    UnknownKeys(std::string const& unknown, std::string const& beside)
        : InputError(beside.empty() ? unknown : unknown + "\n" + beside), keys(unknown),
          others(beside)
    {
    }

    std::string keys, others;
};

/// Mistakes in parts of a document that can be read without each other, to be said all at once:
/// unknown keys first, which may explain the others.
class Mistakes
{
  public:
    /// Calls `read` and keeps the InputError that it throws. False where it threw one.
    template <class Read>
    bool collect(Read const& read)
    {
        try {
            read();
            return true;
        } catch (UnknownKeys const& error) {
            add(keys_, error.keys);
            add(others_, error.others);
        } catch (ConfigError const& error) {
            add(others_, error.what());
        } catch (InputError const& error) {
            add(others_, error.what());
            all_of_values_ = false;
        }
        return false;
    }

    /// Throws what was kept, each mistake on lines of its own: UnknownKeys where there are any, a
    /// ConfigError where all are of values, else an InputError. Does nothing where there was none.
    void throw_all() const
    {
        if (!keys_.empty()) throw UnknownKeys(keys_, others_);
        if (others_.empty()) return;
        if (all_of_values_) throw ConfigError(others_);
        throw InputError(others_);
    }

  private:
    static void add(std::string& to, std::string const& text)
    {
        if (!text.empty()) to += (to.empty() ? "" : "\n") + text;
    }

    std::string keys_, others_;
    bool all_of_values_ = true;
};

/// Reads one table of a configuration. Reading a key registers it; finish() rejects the rest, so
/// the keys accepted are exactly those that some code reads. Every error is an InputError whose
/// text has file, line, key, value and what is accepted.
class ConfigReader
{
  public:
    /// `key` is the table's dotted path, empty at the top. Both must outlive the reader.
    ConfigReader(ConfigValue const& table, std::string key);

    /// Registers a key; null if the file does not have it.
    ConfigValue const* find(std::string const& key);
    /// Registers a key that the file must have; `accepted` completes "must be ..".
    ConfigValue const& need(std::string const& key, std::string const& accepted);

    // Typed reading; without a fallback the key must be there.
    std::string text(std::string const& key, std::optional<std::string> fallback = {});
    /// A text that is one of `names`.
    std::string choice(std::string const& key, std::vector<std::string> const& names,
                       std::optional<std::string> fallback = {});
    std::vector<std::string> choices(std::string const& key, std::vector<std::string> const& names,
                                     std::vector<std::string> fallback);
    std::int64_t integer(std::string const& key, std::int64_t low, std::int64_t high,
                         std::optional<std::int64_t> fallback = {});
    double number(std::string const& key, NumberRange const& range,
                  std::optional<double> fallback = {});
    std::optional<double> optional_number(std::string const& key, NumberRange const& range);
    bool flag(std::string const& key, bool fallback);
    /// Tables written as [[key]], at least one; `accepted` says so where there is none.
    std::vector<ConfigValue> const& tables(std::string const& key, std::string const& accepted);

    /// Rejects every key that was never asked for.
    void finish() const;
    /// Calls every one of `parts`, which read values that need nothing of each other, and finish(),
    /// and throws all mistakes at once. `keys` are accepted keys that a part may not have asked for
    /// where it throws.
    void read_parts(std::vector<std::function<void()>> const& parts,
                    std::vector<std::string> const& keys = {});

    /// Dotted path of a key of this table.
    std::string path(std::string const& key) const;
    ConfigValue const& table() const { return table_; }

    /// Throws the error for a value that is not accepted.
    [[noreturn]] void reject(std::string const& key, ConfigValue const& value,
                             std::string const& accepted) const;
    /// A key that was meant to be this one is named, and then is no unknown key.
    [[noreturn]] void reject_missing(std::string const& key, std::string const& accepted);

  private:
    ConfigValue const& table_;
    std::string key_;
    std::set<std::string> known_;
};

/// The integer that a value is, also where it is written as 1e3 or 1000.0; below 2^53 then, where
/// every double is the number that was written.
std::optional<std::int64_t> integer_of(ConfigValue const& value);

/// "one of a, b, c (did you mean b?)".
std::string one_of(std::string const& wrong, std::vector<std::string> const& names);

} // namespace crx
