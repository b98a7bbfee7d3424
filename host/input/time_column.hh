#pragma once

#include "host/input/table_reader.hh"
#include "host/input/time_text.hh"

#include <limits>

namespace crx {

/// A column of times of a table, read as one thing from the first row on: dates, or numbers of a
/// unit. Without a unit numbers are looked at, to say at the end what they may be.
class TimeColumn
{
  public:
    /// `whole`: numbers must be whole ones. `hint`: how to read the file otherwise, for messages.
    /// The table must outlive it.
    TimeColumn(TableReader const& table, std::size_t column, std::optional<TimeUnit> unit,
               bool whole, std::string const& hint)
        : table_(table), column_(column), unit_(unit), whole_(whole), hint_(hint)
    {
    }

    /// The time of the table's row, nanoseconds. Throws InputError.
    std::int64_t read();
    /// Throws where nothing says what the numbers are: InputError with the two likely units.
    void finish(std::filesystem::path const& file) const;
    /// What the times are read as: "dates without offsets", "seconds".
    std::string as() const;

  private:
    void decide(std::string_view text);
    std::string unit_name() const;

    TableReader const& table_;
    std::size_t column_;
    std::optional<TimeUnit> unit_;
    bool whole_;
    std::string hint_;
    bool first_ = true, dates_ = false, has_offset_ = false;
    double least_ = std::numeric_limits<double>::infinity(), most_ = 0;
    std::int64_t count_ = 0;
};

} // namespace crx
