#include "analysis/claims/page.hh"

#include "analysis/claims/registry.hh"
#include "analysis/claims/words.hh"

#include <algorithm>
#include <cctype>
#include <fmt/format.h>

namespace crx::claims {

std::string wrapped(std::string_view text, std::size_t width, std::string_view indent,
                    std::size_t column)
{
    std::string lines;
    bool first = true; // of its line
    while (!text.empty()) {
        auto const end = std::min(text.find(' '), text.size());
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

std::string paragraph(std::string_view name, std::string_view text)
{
    return wrapped(fmt::format("- {}: {}", name, escaped(text)), width, "  ") + "\n";
}

/// "CHEN: 28 statements, 3 hold, 12 broken, .." of all claims of a paper.
std::string count_of(Paper paper)
{
    std::string text;
    int all = 0;
    for (auto const verdict :
         {Verdict::proved, Verdict::sharpened, Verdict::holds, Verdict::loose, Verdict::open,
          Verdict::broken_as_printed, Verdict::broken, Verdict::not_testable}) {
        auto const count = std::ranges::count_if(
            all_claims(), [&](Claim const& c) { return c.paper == paper && c.verdict == verdict; });
        all += static_cast<int>(count);
        if (count > 0) text += fmt::format(", {} {}", count, name_of(verdict));
    }
    return fmt::format("{} statements: {}.", all, text.substr(2));
}

std::string table_of(Paper paper)
{
    std::string text = "| id | where | statement | verdict |\n|---|---|---|---|\n";
    for (auto const& c : all_claims())
        if (c.paper == paper)
            text += fmt::format("| [{}](#{}) | {} | {} | **{}** |\n", c.id, anchor(c.id),
                                escaped(c.place), escaped(c.statement), name_of(c.verdict));
    return text;
}

std::string details_of(Claim const& c)
{
    auto text = fmt::format("#### {}\n\n", c.id);
    text += wrapped(fmt::format("**{}.** {} {}", name_of(c.verdict), escaped(c.place) + ".",
                                escaped(c.statement)),
                    width, "") +
            "\n\n";
    for (auto const& h : c.hypotheses) text += paragraph("hypothesis", h.text);
    if (!c.reading.empty()) text += paragraph("reading", c.reading);
    text += paragraph("tested by", name_of(c.method));
    text += paragraph("evidence", c.evidence);
    if (!c.page.empty()) {
        auto const path = c.page.substr(std::string_view("docs/").size());
        text += fmt::format("- argued in: [{}]({})\n", path, path);
    }
    if (!c.witness.empty())
        text += fmt::format("- witness: [{}](../witnesses/{})\n", c.witness, c.witness);
    if (c.test == nullptr) text += "- no short form: only the command below shows it\n";
    return text + "\n    " + std::string(c.command) + "\n\n";
}

constexpr std::string_view opening = R"(# Every published statement, and what became of it

For readers of the four papers. `crx claims --markdown` makes this page from the registry in
`analysis/claims/`; a test fails where it is stale. `crx claims` prints the same at the terminal,
and `crx claims --run` tests each statement anew in a short form and says where the verdict differs
from the one written here.

| verdict | means |
|---|---|
| proved | a proof is written down, and its steps are checked on a grid |
| sharpened | it holds, and so does a better constant, which is given |
| holds | never broken; the evidence says in how many cases, and how near |
| loose | it holds, and the worst that a search reached is far from it |
| open | decided for some cases alone, or in one reading |
| broken as printed | the letter fails; the evidence says what holds in its place |
| broken | a witness or a simulation breaks it |
| not testable | no run can decide it; the evidence says why |

The copies of the papers that were read have no page numbers, so rows name the section. "Reading 1"
of A_min is `a-min`, "reading 2" `a-min-evict`. Intervals are 95 %. Commands are typed in the
repository's root with `crx` standing for the built program: `build/program/crx` after
`scripts/demo`, `build/cpu/crx` after a build of the preset `cpu`. `crx claims --run` takes 80
seconds of processor time for all of them, and prints the time of each. Short forms need no trace:
where a figure is of real conversations, they take lengths by a law that stands in for them, and
say so.
)";

} // namespace

std::string claims_page()
{
    std::string text(opening);
    for (auto const paper : {Paper::jaillet, Paper::wang, Paper::chen, Paper::ao}) {
        text +=
            fmt::format("\n## {}\n\n{}\n\n{}\n", name_of(paper), count_of(paper), table_of(paper));
        for (auto const& c : all_claims())
            if (c.paper == paper) text += details_of(c);
    }
    while (text.ends_with("\n\n")) text.pop_back();
    return text;
}

} // namespace crx::claims
