// Turns CUDA sources into C++ for the emulated GPU: launches into calls of emulated::launch(), and
// variables in shared memory into places that the GPU gives. All else is left as it is. Ends with
// what it does not recognise.
//
//   translate SOURCE_FOLDER TARGET_FOLDER FILE…
//
// writes TARGET_FOLDER/FILE.cc for each .cu, and TARGET_FOLDER/FILE for each header.

#include <cctype>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <iterator>
#include <regex>
#include <stdexcept>
#include <string>

namespace {

/// The text with comments and what is between quotes blanked out, so that places stay the same.
std::string code_of(std::string text)
{
    auto const blank = [&](std::size_t from, std::size_t to) {
        for (auto at = from; at < std::min(to, text.size()); ++at)
            if (text[at] != '\n') text[at] = ' ';
        return to;
    };
    for (std::size_t at = 0; at < text.size();) {
        auto const after_digit = at > 0 && std::isalnum(static_cast<unsigned char>(text[at - 1]));
        if (text.compare(at, 2, "//") == 0) {
            at = blank(at, std::min(text.find('\n', at), text.size()));
        } else if (text.compare(at, 2, "/*") == 0) {
            at = blank(at, std::min(text.find("*/", at), text.size() - 2) + 2);
        } else if (text[at] == '"' || (text[at] == '\'' && !after_digit)) {
            auto end = at + 1;
            while (end < text.size() && text[end] != text[at]) end += text[end] == '\\' ? 2 : 1;
            at = blank(at + 1, end) + 1;
        } else {
            ++at;
        }
    }
    return text;
}

class Translation
{
  public:
    Translation(std::string name, std::string text)
        : name_(std::move(name)), text_(std::move(text)), code_(code_of(text_))
    {
    }

    void run()
    {
        for (std::size_t at; (at = code_.find("<<<")) != std::string::npos;) replace_launch(at);
        for (std::size_t at; (at = code_.find("__shared__")) != std::string::npos;)
            replace_shared(at);
    }
    std::string const& text() const { return text_; }

  private:
    [[noreturn]] void refuse(std::size_t at, std::string const& what) const
    {
        auto const line = std::count(text_.begin(), text_.begin() + static_cast<long>(at), '\n');
        throw std::runtime_error(name_ + ":" + std::to_string(line + 1) + ": " + what);
    }
    bool in_word(std::size_t at) const
    {
        return std::isalnum(static_cast<unsigned char>(code_[at])) || code_[at] == '_';
    }
    /// The first that is no space, backwards from `at` - 1; 0 at the beginning.
    std::size_t before_spaces(std::size_t at) const
    {
        while (at > 0 && std::isspace(static_cast<unsigned char>(code_[at - 1]))) --at;
        return at;
    }
    std::size_t after_spaces(std::size_t at) const
    {
        while (at < code_.size() && std::isspace(static_cast<unsigned char>(code_[at]))) ++at;
        return at;
    }
    /// Where a name, with template arguments or not, begins that ends at `end`.
    std::size_t name_before(std::size_t end) const
    {
        auto at = end;
        if (at > 0 && code_[at - 1] == '>') {
            int depth = 0;
            do {
                if (at == 0) refuse(end, "a launch without a kernel");
                --at;
                depth += code_[at] == '>' ? 1 : code_[at] == '<' ? -1 : 0;
            } while (depth > 0);
        }
        auto const arguments = at;
        while (at > 0 && (in_word(at - 1) || code_[at - 1] == ':')) --at;
        if (at == arguments) refuse(end, "a launch of something without a name");
        return at;
    }
    /// One past what ends a bracket that is open at `at`.
    std::size_t closed(std::size_t at) const
    {
        int depth = 0;
        for (; at < code_.size(); ++at) {
            depth += code_[at] == '(' ? 1 : code_[at] == ')' ? -1 : 0;
            if (depth == 0) return at + 1;
        }
        refuse(code_.size(), "a bracket is not closed");
    }
    void replace(std::size_t from, std::size_t to, std::string const& by)
    {
        text_.replace(from, to - from, by);
        code_.replace(from, to - from, code_of(by));
    }

    void replace_launch(std::size_t at)
    {
        auto const name_end = before_spaces(at);
        auto const name = name_before(name_end);
        auto const before = before_spaces(name);
        auto const ends_in = [&](std::string const& word) {
            return before >= word.size() &&
                   code_.compare(before - word.size(), word.size(), word) == 0;
        };
        if (!(ends_in(";") || ends_in("{") || ends_in("}") || ends_in(")") || ends_in("else")))
            refuse(at, "a launch that is no statement of its own");
        auto shut = at + 3;
        for (int depth = 0; depth > 0 || code_.compare(shut, 3, ">>>") != 0; ++shut) {
            if (shut + 3 >= code_.size() || code_[shut] == ';') refuse(at, "a launch without >>>");
            depth += code_[shut] == '(' ? 1 : code_[shut] == ')' ? -1 : 0;
        }
        auto const open = after_spaces(shut + 3);
        if (open >= code_.size() || code_[open] != '(') refuse(at, "a launch without arguments");
        auto const end = closed(open);
        if (after_spaces(end) >= code_.size() || code_[after_spaces(end)] != ';')
            refuse(at, "a launch that does not end with its arguments");
        auto const part = [&](std::size_t from, std::size_t to) {
            return text_.substr(from, to - from);
        };
        auto const arguments = part(open + 1, end - 1);
        if (arguments.find_first_not_of(" \n") == std::string::npos)
            refuse(at, "a kernel without arguments");
        replace(name, end,
                "::emulated::launch([](auto const&... crx_own) { " + part(name, name_end) +
                    "(crx_own...); }," + part(name_end, at) + "::emulated::config(" +
                    part(at + 3, shut) + ")," + part(shut + 3, open) + arguments + ")");
    }

    void replace_shared(std::size_t at)
    {
        static std::regex const dynamic(
            R"(__shared__\s+(?:__align__\(\d+\)\s+)?([\w:]+)\s+(\w+)\[\])");
        static std::regex const fixed(R"(__shared__\s+((?:typename\s+)?[\w:]+)\s+(\w+))");
        auto const end = code_.find(';', at);
        if (end == std::string::npos) refuse(at, "__shared__ without an end");
        auto const words = text_.substr(at, end - at);
        auto const before = before_spaces(at);
        bool const is_extern = before >= 6 && code_.compare(before - 6, 6, "extern") == 0;
        std::smatch match;
        if (is_extern && std::regex_match(words, match, dynamic))
            return replace(before - 6, end,
                           "auto* const " + match.str(2) + " = static_cast<" + match.str(1) +
                               "*>(::emulated::dynamic_shared())");
        if (is_extern || !std::regex_match(words, match, fixed))
            refuse(at, "shared memory of a kind that is not known: " + words);
        auto const type = match.str(1), name = match.str(2);
        replace(at, end,
                "static char const crx_name_of_" + name + " = 0; auto& " + name +
                    " = *static_cast<" + type + "*>(::emulated::static_shared(&crx_name_of_" +
                    name + ", sizeof(" + type + ")))");
    }

    std::string name_, text_, code_;
};

std::string read(std::filesystem::path const& path)
{
    std::ifstream file(path);
    if (!file) throw std::runtime_error("cannot read " + path.string());
    return {std::istreambuf_iterator<char>(file), {}};
}

void write(std::filesystem::path const& path, std::string const& text)
{
    if (std::filesystem::exists(path) && read(path) == text) return;
    std::filesystem::create_directories(path.parent_path());
    std::ofstream(path) << text;
}

} // namespace

int main(int count, char** words)
try {
    std::filesystem::path const from = words[1], to = words[2];
    for (int k = 3; k < count; ++k) {
        std::string const name = words[k];
        Translation translation(name, read(from / name));
        translation.run();
        write(to / (name.ends_with(".cu") ? name + ".cc" : name),
              "#line 1 \"" + name + "\"\n" + translation.text());
    }
} catch (std::exception const& error) {
    std::cerr << error.what() << '\n';
    return 1;
}
