#pragma once

#include "host/input/text_file.hh"

#include <optional>

namespace crx {

/// How a table is written, which its first line says.
enum class TableForm
{
    commas,
    tabs,
    semicolons,
    json_lines, ///< an object a line
    json_list   ///< one list of objects
};

/// Reads a table row by row in bounded memory.
///
/// Separated fields: the header line names the columns; the separator is the one of comma, tab and
/// semicolon that it has most of. A field may stand in double quotes ("" for a quote inside), but
/// must end on its line. Blanks around a field are dropped. An empty line is accepted only at the
/// end. JSON: the columns are the keys of the first object; a key that a later object lacks, and
/// null, is an empty field.
class TableReader
{
  public:
    /// Reads the header. Throws InputError for an empty file or a column named twice.
    explicit TableReader(std::filesystem::path const& file);
    ~TableReader();

    TableForm form() const { return form_; }
    /// "CSV", "JSON lines, gzip": how the file is written, for people.
    std::string form_text() const;
    std::vector<std::string> const& columns() const { return columns_; }
    /// Whether the first line holds no name, but numbers: its fields are the first row then, and
    /// columns() are empty texts.
    bool headless() const { return headless_; }

    /// Position of the first of `names` that is a column.
    std::optional<std::size_t> find_column(std::vector<std::string> const& names) const;
    /// The same; throws InputError, naming what is missing and what is there, or if two of `names`
    /// are columns, which may disagree.
    std::size_t need_column(std::string const& what, std::vector<std::string> const& names) const;

    /// Reads the next row; false at the end. Throws InputError if its length is not the header's.
    bool next();
    /// A field of the row, valid until the next row. Of JSON: a text without its quotes, a number
    /// as written, lists and objects as "[..]".
    std::string_view field(std::size_t column) const { return fields_[column]; }
    /// A field as an integer; throws InputError unless low <= it <= high.
    std::int64_t integer(std::size_t column, std::int64_t low, std::int64_t high) const;
    /// Of the row; where it begins.
    std::int64_t line_number() const { return line_; }

    /// Throws InputError "FILE:LINE: why" for the row.
    [[noreturn]] void fail(std::string const& why) const;
    /// The same for a field: "column = "text" is not ACCEPTED".
    [[noreturn]] void fail_field(std::size_t column, std::string const& accepted) const;

  private:
    class Object;

    void read_header();
    void split(std::string_view line);
    bool next_object();
    /// Text of the next object of a list; false after the last.
    bool next_in_list(std::string& text);
    [[noreturn]] void fail_here(std::string const& why);

    LineReader lines_;
    TableForm form_ = TableForm::commas;
    char separator_ = ',';
    bool headless_ = false, pending_ = false; ///< pending: the first row was read with the header
    bool in_list_ = false, list_ended_ = false;
    std::int64_t line_ = 0;
    std::vector<std::string> columns_;
    std::vector<std::string_view> fields_;
    std::string unquoted_; ///< text of fields with quotes inside
    std::unique_ptr<Object> object_;
};

/// A text in a message: in quotes, cut where it is long.
std::string quoted_short(std::string_view text);

} // namespace crx
