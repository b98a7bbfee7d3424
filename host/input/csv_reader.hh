#pragma once

#include "host/input/text_file.hh"

#include <optional>

namespace crx {

/// Reads a comma-separated file with a header line. A field may stand in double quotes ("" for a
/// quote inside), but must end on its line. Blanks around a field are dropped. An empty line is
/// accepted only at the end.
class CsvReader
{
  public:
    /// Reads the header. Throws InputError for an empty file or a column named twice.
    explicit CsvReader(std::filesystem::path const& file);

    std::vector<std::string> const& columns() const { return columns_; }
    /// Position of the first of `names` that is a column.
    std::optional<std::size_t> find_column(std::vector<std::string> const& names) const;
    /// The same; throws InputError, naming what is missing and what is there, or if two of `names`
    /// are columns, which may disagree.
    std::size_t need_column(std::string const& what, std::vector<std::string> const& names) const;

    /// Reads the next row; false at the end. Throws InputError if its length is not the header's.
    bool next();
    /// A field of the row, valid until the next row.
    std::string_view field(std::size_t column) const { return fields_[column]; }
    /// A field as an integer; throws InputError unless low <= it <= high.
    std::int64_t integer(std::size_t column, std::int64_t low, std::int64_t high) const;
    std::int64_t line_number() const { return lines_.line_number(); }

    /// Throws InputError "FILE:LINE: why" for the row.
    [[noreturn]] void fail(std::string const& why) const { lines_.fail(why); }

  private:
    void split(std::string_view line);

    LineReader lines_;
    std::vector<std::string> columns_;
    std::vector<std::string_view> fields_;
    std::string unquoted_; ///< text of fields with quotes inside
};

} // namespace crx
