#include "analysis/claims/page.hh"

#include "analysis/claims/registry.hh"
#include "analysis/claims/words.hh"

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

constexpr Verdict verdicts[] = {Verdict::proved, Verdict::sharpened,   Verdict::holds,
                                Verdict::loose,  Verdict::open,        Verdict::broken_as_printed,
                                Verdict::broken, Verdict::not_testable};

/// A line for each verdict that the paper's claims have: how many, and links to them.
std::string index_of(Paper paper)
{
    std::string text;
    for (auto const verdict : verdicts) {
        int count = 0;
        std::string links;
        for (auto const& c : all_claims())
            if (c.paper == paper && c.verdict == verdict) {
                links += fmt::format("{}[{}](#{})", count == 0 ? "" : ", ", c.id, anchor(c.id));
                ++count;
            }
        if (count > 0)
            text +=
                wrapped(fmt::format("- {} {}: {}", count, name_of(verdict), links), width, "  ") +
                "\n";
    }
    return text;
}

/// Links to the page that argues the verdict and to the witness, as a sentence, or nothing.
std::string links_of(Claim const& c)
{
    std::string text;
    if (!c.page.empty()) {
        auto const path = c.page.substr(std::string_view("docs/").size());
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
        hypotheses += fmt::format("{}{}", hypotheses.empty() ? " If: " : "; ", h.text);
    if (!hypotheses.empty()) claimed += hypotheses + ".";
    if (!c.reading.empty()) claimed += fmt::format(" Reading: {}", c.reading);
    auto const method = c.method == Method::proof ? "" : fmt::format(" ({})", name_of(c.method));
    auto const found =
        fmt::format("**{}**{}. {}{}{}", name_of(c.verdict), method, escaped(c.evidence),
                    links_of(c), c.test == nullptr ? " No short form." : "");
    auto const usual = c.command == fmt::format("crx claims {} --run", c.id);
    return fmt::format("#### {}\n\n{}\n\n{}\n\n{}", c.id, wrapped(escaped(claimed), width, ""),
                       wrapped(found, width, ""),
                       usual ? "" : fmt::format("    {}\n\n", c.command));
}

constexpr std::string_view opening = R"(# Every published statement, and what became of it

For readers of the four papers. Printed by `crx claims --markdown` from `analysis/claims/`.
`crx claims --run` tests all anew in short forms, in 80 seconds of processor time, and names
verdicts that differ.

| verdict | means |
|---|---|
| proved | a proof is written down, its steps checked on a grid |
| sharpened | it holds with a better constant |
| holds | never broken in the cases that the evidence names |
| loose | it holds, and the worst case found is far from it |
| open | decided for some cases or one reading only |
| broken as printed | false to the letter; the evidence says what holds instead |
| broken | a witness or a simulation refutes it, in the reading that the entry names |
| not testable | no run can decide it |

An entry: statement, hypotheses, reading; verdict, method, evidence; command, typed in the
repository's root (`crx claims ID --run` where none is given). Reading 1 of A_min is `a-min`,
reading 2 `a-min-evict`; *exceeded* is `learns = "exceeded"`. Intervals are 95 %. Where the full
experiment reads a trace of conversations, the short form draws lengths from a law.
)";

} // namespace

std::string claims_page()
{
    std::string text(opening);
    for (auto const paper : {Paper::jaillet, Paper::wang, Paper::chen, Paper::ao}) {
        text += fmt::format("\n## {}\n\n{}\n", name_of(paper), index_of(paper));
        for (auto const& c : all_claims())
            if (c.paper == paper) text += details_of(c);
    }
    while (text.ends_with("\n\n")) text.pop_back();
    return text;
}

} // namespace crx::claims
