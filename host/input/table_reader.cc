#include "host/input/table_reader.hh"

#include "host/error.hh"
#include "host/input/accepted.hh"

#include <algorithm>
#include <charconv>
#include <nlohmann/json.hpp>

namespace crx {

namespace {

using Json = nlohmann::json;

constexpr std::size_t longest_object = 64u << 20;

std::string_view trimmed(std::string_view text)
{
    while (!text.empty() && (text.front() == ' ' || text.front() == '\t')) text.remove_prefix(1);
    while (!text.empty() && (text.back() == ' ' || text.back() == '\t')) text.remove_suffix(1);
    return text;
}

std::string joined(std::vector<std::string> const& names, char const* between)
{
    std::string out;
    for (auto const& name : names) out += (out.empty() ? "" : between) + name;
    return out;
}

bool is_number(std::string_view text)
{
    double value = 0;
    auto const [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    return error == std::errc{} && end == text.data() + text.size();
}

} // namespace

std::string quoted_short(std::string_view text)
{
    return "\"" + std::string(text.substr(0, 40)) + (text.size() > 40 ? "..\"" : "\"");
}

/// The keys of one object with their values as texts.
class TableReader::Object : public Json::json_sax_t
{
  public:
    std::vector<std::string> keys, values;
    std::vector<char> given; ///< of columns, once they are known
    std::vector<std::string> const* columns = nullptr;
    std::string fault;

    void clear()
    {
        depth_ = 0;
        fault.clear();
        given.assign(keys.size(), 0);
        for (auto& value : values) value.clear();
    }

    bool null() override { return take(""); }
    bool boolean(bool value) override { return take(value ? "true" : "false"); }
    bool number_integer(std::int64_t value) override { return take(std::to_string(value)); }
    bool number_unsigned(std::uint64_t value) override { return take(std::to_string(value)); }
    bool number_float(double, std::string const& text) override { return take(text); }
    bool string(std::string& value) override { return take(value); }
    bool binary(binary_t&) override { return take("[..]"); }
    bool start_object(std::size_t) override { return deeper(); }
    bool start_array(std::size_t) override
    {
        if (depth_ > 0) return deeper();
        fault = "a list where an object is needed, as {\"prompt\": 5, \"output\": 9}";
        return false;
    }
    bool end_object() override { return ended(); }
    bool end_array() override { return ended(); }
    bool key(std::string& name) override
    {
        if (depth_ > 1) return true;
        auto const size = keys.size();
        // Objects of one file have their keys in one order as a rule.
        auto const next =
            at_ + 1 < size && keys[at_ + 1] == name
                ? at_ + 1
                : static_cast<std::size_t>(std::ranges::find(keys, name) - keys.begin());
        at_ = next;
        if (next == size && columns == nullptr) {
            keys.push_back(name);
            values.emplace_back();
            given.push_back(0);
        }
        if (next < given.size() && given[next] != 0) {
            fault = "the object names " + quoted_short(name) + " twice";
            return false;
        }
        if (next < given.size()) given[next] = 1;
        return true;
    }
    bool parse_error(std::size_t, std::string const&,
                     nlohmann::detail::exception const& error) override
    {
        fault = reason_of(error);
        return false;
    }

  private:
    bool take(std::string text)
    {
        if (depth_ == 0) {
            fault = "no object, but " + quoted_short(text) + "; as {\"prompt\": 5, \"output\": 9}";
            return false;
        }
        if (depth_ == 1 && at_ < values.size()) values[at_] = std::move(text);
        return true;
    }
    bool deeper()
    {
        if (depth_ == 1) take("[..]");
        ++depth_;
        return true;
    }
    bool ended()
    {
        --depth_;
        return true;
    }

    int depth_ = 0;
    std::size_t at_ = 0;
};

TableReader::TableReader(std::filesystem::path const& file) : lines_(file)
{
    int first = lines_.peek();
    while (first == ' ' || first == '\n' || first == '\r' || first == '\t') {
        lines_.skip();
        first = lines_.peek();
    }
    if (first < 0) throw InputError(lines_.file() + ": the file is empty; it needs a header line");
    if (first == '[' || first == '{') {
        form_ = first == '[' ? TableForm::json_list : TableForm::json_lines;
        lines_.set_longest(longest_object);
        object_ = std::make_unique<Object>();
        if (!next_object()) throw InputError(lines_.file() + ": the JSON list is empty");
        columns_ = object_->keys;
        object_->columns = &columns_;
        pending_ = true;
        if (columns_.empty()) fail("the first object is empty; its keys name the columns");
    } else {
        read_header();
    }
}

TableReader::~TableReader() = default;

std::string TableReader::form_text() const
{
    char const* const names[] = {"CSV", "TSV", "CSV with semicolons", "JSON lines", "JSON list"};
    std::string out = names[static_cast<int>(form_)];
    if (lines_.packing() == Packing::gzip) out += ", gzip";
    if (lines_.packing() == Packing::zstd) out += ", zstd";
    return out;
}

void TableReader::read_header()
{
    std::string_view line;
    lines_.next(line);
    line_ = lines_.line_number();
    std::size_t most = 0;
    for (auto const& [separator, form] :
         {std::pair{',', TableForm::commas}, std::pair{'\t', TableForm::tabs},
          std::pair{';', TableForm::semicolons}}) {
        auto const count = static_cast<std::size_t>(std::ranges::count(line, separator));
        if (count <= most) continue;
        most = count;
        separator_ = separator;
        form_ = form;
    }
    split(line);
    headless_ = std::ranges::all_of(
        fields_, [](auto const text) { return text.empty() || is_number(text); });
    if (headless_) {
        columns_.resize(fields_.size());
        pending_ = true;
        return;
    }
    for (auto const& name : fields_) {
        if (std::find(columns_.begin(), columns_.end(), name) != columns_.end())
            fail("the header names column " + quoted_short(name) + " twice");
        columns_.emplace_back(name);
    }
}

std::optional<std::size_t> TableReader::find_column(std::vector<std::string> const& names) const
{
    for (auto const& name : names) {
        auto const at = std::find(columns_.begin(), columns_.end(), name);
        if (at != columns_.end()) return static_cast<std::size_t>(at - columns_.begin());
    }
    return {};
}

std::size_t TableReader::need_column(std::string const& what,
                                     std::vector<std::string> const& names) const
{
    if (headless_)
        fail("no header: the first line has numbers alone\n  a first line that names the columns, "
             "as prompt,output, is needed");
    if (auto const column = find_column(names)) {
        for (auto const& name : names)
            if (name != columns_[*column] && find_column({name}))
                fail("two columns for the " + what + ": " + columns_[*column] + " and " + name);
        return *column;
    }
    std::string there;
    for (auto const& name : columns_)
        there += (there.empty() ? "" : ", ") + std::string(name.substr(0, 40));
    auto const nearest = names.size() == 1 ? nearest_name(names.front(), columns_) : "";
    throw InputError(lines_.file() + ":" + std::to_string(line_) + ": no column for the " + what +
                     " (" + joined(names, " or ") + "); the columns are: " + there +
                     (nearest.empty() ? "" : " (did you mean " + nearest + "?)"));
}

bool TableReader::next()
{
    if (pending_) {
        pending_ = false;
    } else if (object_ != nullptr) {
        if (!next_object()) return false;
    } else {
        std::string_view line;
        if (!lines_.next(line)) return false;
        line_ = lines_.line_number();
        if (line.empty()) {
            while (lines_.next(line))
                if (!line.empty()) fail("an empty line before the end of the file");
            return false;
        }
        if (trimmed(line).starts_with('{'))
            fail("a JSON object in a " + form_text() + " file, whose first line is no object");
        split(line);
    }
    if (object_ != nullptr) {
        fields_.assign(object_->values.begin(), object_->values.end());
    } else if (fields_.size() != columns_.size()) {
        auto const what = std::string(headless_ ? "the first has " : "the header has ");
        fail("the row has " + std::to_string(fields_.size()) + " fields, " + what +
             std::to_string(columns_.size()));
    }
    return true;
}

void TableReader::fail(std::string const& why) const
{
    throw InputError(lines_.file() + ":" + std::to_string(line_) + ": " + why);
}

void TableReader::fail_here(std::string const& why)
{
    line_ = lines_.line_number() + (form_ == TableForm::json_list ? 1 : 0);
    fail(why);
}

bool TableReader::next_object()
{
    std::string in_list;
    std::string_view text;
    if (form_ == TableForm::json_list) {
        if (!next_in_list(in_list)) return false;
        text = in_list;
    } else {
        do {
            if (!lines_.next(text)) return false;
            line_ = lines_.line_number();
            text = trimmed(text);
        } while (text.empty());
    }
    object_->clear();
    if (Json::sax_parse(text.begin(), text.end(), object_.get())) return true;
    std::string const form = form_ == TableForm::json_list ? "JSON list" : "JSON lines";
    if (form_ == TableForm::json_lines && (text == "{" || !text.ends_with('}')))
        fail("not a whole JSON object, and JSON lines have one object a line: " + object_->fault +
             "\n  one object over several lines is read in a list: [{..}, {..}]");
    fail(form + ": " + object_->fault);
}

bool TableReader::next_in_list(std::string& text)
{
    auto const next_visible = [this] {
        for (;;) {
            int const c = lines_.peek();
            if (c != ' ' && c != '\n' && c != '\r' && c != '\t') return c;
            lines_.skip();
        }
    };
    auto const fail_at = [&](std::string const& wanted, int c) {
        fail_here("JSON list: " + wanted + " is needed" +
                  (c < 0 ? ", and the file ends"
                         : ", not " + quoted_short(std::string(1, static_cast<char>(c)))));
    };
    if (list_ended_) return false;
    int c = next_visible();
    if (!in_list_) {
        lines_.skip();
        in_list_ = true;
        c = next_visible();
        if (c == ']') return false;
    } else if (c == ',') {
        lines_.skip();
        c = next_visible();
    } else if (c == ']') {
        lines_.skip();
        list_ended_ = true;
        if (int const more = next_visible(); more >= 0)
            fail_at("nothing after the closing ]", more);
        return false;
    } else {
        fail_at("a comma or ] after an object", c);
    }
    line_ = lines_.line_number() + 1;
    if (c != '{') fail_at("an object as {\"prompt\": 5, \"output\": 9}", c);
    int depth = 0;
    bool quoted = false, escaped = false;
    do {
        c = lines_.peek();
        if (c < 0) fail_here("JSON list: the file ends within an object");
        text += static_cast<char>(c);
        lines_.skip();
        if (text.size() > longest_object) fail("the object is longer than 64 MiB");
        if (escaped)
            escaped = false;
        else if (c == '\\')
            escaped = quoted;
        else if (c == '"')
            quoted = !quoted;
        else if (!quoted && (c == '{' || c == '['))
            ++depth;
        else if (!quoted && (c == '}' || c == ']'))
            --depth;
    } while (depth > 0);
    return true;
}

std::int64_t TableReader::integer(std::size_t column, std::int64_t low, std::int64_t high) const
{
    auto const text = fields_[column];
    std::int64_t value = 0;
    auto const [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc{} || end != text.data() + text.size() ||
        !(value >= low && value <= high))
        fail_field(column,
                   "an integer in [" + std::to_string(low) + ", " + std::to_string(high) + "]");
    return value;
}

void TableReader::fail_field(std::size_t column, std::string const& accepted) const
{
    fail(columns_[column] + " = " + quoted_short(fields_[column]) + " is not " + accepted);
}

void TableReader::split(std::string_view line)
{
    auto const trim = [this](std::string_view text) {
        while (!text.empty() &&
               (text.front() == ' ' || (text.front() == '\t' && separator_ != '\t')))
            text.remove_prefix(1);
        while (!text.empty() && (text.back() == ' ' || (text.back() == '\t' && separator_ != '\t')))
            text.remove_suffix(1);
        return text;
    };
    fields_.clear();
    unquoted_.clear();
    if (line.find('"') == std::string_view::npos) {
        for (std::size_t start = 0;;) {
            auto const end = line.find(separator_, start);
            fields_.push_back(trim(line.substr(start, end - start)));
            if (end == std::string_view::npos) return;
            start = end + 1;
        }
    }
    // Enough for all the row's text, so that views into it stay valid.
    unquoted_.reserve(line.size());
    auto const is_blank = [&](char c) { return c == ' ' || (c == '\t' && separator_ != '\t'); };
    for (std::size_t at = 0;;) {
        while (at < line.size() && is_blank(line[at])) ++at;
        if (at < line.size() && line[at] == '"') {
            auto const first = unquoted_.size();
            for (++at;; ++at) {
                if (at >= line.size()) fail("a quoted field does not end on its line");
                if (line[at] == '"') {
                    ++at;
                    if (at >= line.size() || line[at] != '"') break;
                }
                unquoted_ += line[at];
            }
            fields_.push_back(std::string_view(unquoted_).substr(first));
            while (at < line.size() && is_blank(line[at])) ++at;
            if (at < line.size() && line[at] != separator_)
                fail("text after the closing quote of a field");
        } else {
            auto const end = std::min(line.find(separator_, at), line.size());
            auto const text = trim(line.substr(at, end - at));
            if (text.find('"') != std::string_view::npos)
                fail("a quote inside the field " + quoted_short(text) + " that has none around it");
            fields_.push_back(text);
            at = end;
        }
        if (at >= line.size()) return;
        ++at;
    }
}

} // namespace crx
