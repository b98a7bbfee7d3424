#include "host/evidence/claims/page.hh"

#include <algorithm>
#include <cctype>
#include <fmt/format.h>

namespace crx::claims {

namespace {

/// Whether Markdown reads the word as markup where it begins a line: a list's mark or number, a
/// quotation, a heading, its underline, a table.
bool begins_markup(std::string_view word)
{
    auto const number = word.find_first_not_of("0123456789");
    auto const numbered = number > 0 && number < word.size() && number + 1 == word.size() &&
                          (word[number] == '.' || word[number] == ')');
    auto const underline =
        !word.empty() && word.find_first_not_of(word[0] == '=' ? '=' : '-') == word.npos;
    return numbered || underline || word == "+" || word == "*" || word.starts_with('#') ||
           word.starts_with('>') || word.starts_with('|');
}

/// The length of the text's next piece: a word, with those behind it that may not begin a line.
std::size_t piece_length(std::string_view text)
{
    auto end = std::min(text.find(' '), text.size());
    while (end < text.size()) {
        auto const next = std::min(text.find(' ', end + 1), text.size());
        if (!begins_markup(text.substr(end + 1, next - end - 1))) break;
        end = next;
    }
    return end;
}

} // namespace

std::string wrapped(std::string_view text, std::size_t width, std::string_view indent,
                    std::size_t column)
{
    std::string lines;
    bool first = true; // of its line
    while (!text.empty()) {
        auto const end = piece_length(text);
        if (!first && column + 1 + end > width) {
            lines += '\n';
            lines += indent;
            column = indent.size();
        } else if (!first) {
            lines += ' ';
            ++column;
        }
        lines += text.substr(0, end);
        column += end;
        first = false;
        text.remove_prefix(std::min(end + 1, text.size()));
    }
    return lines;
}

namespace {

constexpr std::size_t width = 98;

/// Markdown takes * and _ between letters, < and | for its own.
std::string escaped(std::string_view text)
{
    std::string out;
    for (auto const c : text) {
        if (c == '*' || c == '_' || c == '<' || c == '|') out += '\\';
        out += c;
    }
    return out;
}

/// "c-33": the heading's anchor, as code hosts make it of "C-3.3".
std::string anchor(std::string_view id)
{
    std::string out;
    for (auto const c : id)
        if (std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '-')
            out += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    return out;
}

std::string index_line(std::vector<Claim> const& list, std::string const& paper, Verdict verdict)
{
    int count = 0;
    std::string links;
    for (auto const& c : list)
        if (c.paper == paper && c.verdict == verdict) {
            links += fmt::format("{}[{}](#{})", count == 0 ? "" : ", ", c.id, anchor(c.id));
            ++count;
        }
    if (count == 0) return {};
    return wrapped(fmt::format("- {} {}: {}", count, name_of(verdict), links), width, "  ") + "\n";
}

/// Links to the page that argues the verdict and to the witness, as a sentence, or nothing.
std::string links_of(Claim const& c)
{
    std::string text;
    if (!c.page.empty()) {
        auto const path = c.page.starts_with("docs/") ? c.page.substr(5) : "../" + c.page;
        text = fmt::format(" See [{}]({})", path, path);
    }
    if (!c.witness.empty())
        text += fmt::format("{} [{}](../claims/witnesses/{})", text.empty() ? " See" : " and",
                            c.witness, c.witness);
    return text.empty() ? text : text + ".";
}

std::string details_of(Claim const& c)
{
    auto claimed = fmt::format("{}: {}", c.place, c.statement);
    std::string hypotheses;
    for (auto const& h : c.hypotheses)
        hypotheses += fmt::format("{}{}", hypotheses.empty() ? " If: " : "; ", h);
    if (!hypotheses.empty()) claimed += hypotheses + ".";
    if (!c.reading.empty()) claimed += fmt::format(" Reading: {}", c.reading);
    if (!c.unprinted.empty()) claimed += fmt::format(" Not printed: {}.", c.unprinted);
    auto const method = c.method == "proof" ? "" : fmt::format(" ({})", c.method);
    auto const found =
        fmt::format("**{}**{}. {}{}", name_of(c.verdict), method, escaped(c.evidence), links_of(c));
    auto const usual = c.command == fmt::format("crx claims {} --run", c.id);
    return fmt::format("#### {}\n\n{}\n\n{}\n\n{}", c.id, wrapped(escaped(claimed), width, ""),
                       wrapped(found, width, ""),
                       usual ? "" : fmt::format("    {}\n\n", c.command));
}

} // namespace

std::string claims_list(std::vector<Claim> const& list)
{
    std::string text;
    std::vector<std::string> papers;
    for (auto const& c : list)
        if (std::ranges::find(papers, c.paper) == papers.end()) papers.push_back(c.paper);
    for (auto const& paper : papers) {
        text += fmt::format("{}## {}\n\n", text.empty() ? "" : "\n", paper);
        for (auto const verdict : all_verdicts()) text += index_line(list, paper, verdict);
        text += "\n";
        for (auto const& c : list)
            if (c.paper == paper) text += details_of(c);
    }
    while (text.ends_with("\n\n")) text.pop_back();
    return text;
}

} // namespace crx::claims
