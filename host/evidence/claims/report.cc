#include "host/evidence/claims/report.hh"

#include "host/error.hh"
#include "host/input/accepted.hh"
#include "host/json_number.hh"
#include "host/shell_word.hh"
#include "kernels/base/counted.hh"

#include <algorithm>
#include <cctype>
#include <fmt/format.h>

namespace crx::claims {

namespace {

namespace fs = std::filesystem;

bool is_path(std::string const& argument)
{
    std::error_code none;
    return argument.find('/') != argument.npos || argument.ends_with(".toml") ||
           fs::is_directory(argument, none);
}

/// "J-4.3" is J-4.3a and J-4.3b.
bool is_part_of(std::string_view id, std::string_view whole)
{
    return id.size() == whole.size() + 1 && id.starts_with(whole) && id.back() >= 'a';
}

std::vector<Claim> named_by(std::string const& argument)
{
    if (is_path(argument)) {
        std::error_code none;
        auto own = fs::is_directory(argument, none) ? read_claims(argument)
                                                    : std::vector{read_claim(argument)};
        for (auto& claim : own) // an id names a file of the program's
            if (claim.command == "crx claims " + claim.id + " --run")
                claim.command = "crx claims " + shell_word(claim.file.string()) + " --run";
        return own;
    }
    auto capitals = argument;
    for (auto& letter : capitals)
        letter = static_cast<char>(std::toupper(static_cast<unsigned char>(letter)));
    std::vector<Claim> found, parts;
    std::vector<std::string> accepted{"JAILLET", "WANG", "CHEN", "AO"};
    for (auto const& claim : all_claims()) {
        if (claim.id == argument || claim.paper == capitals) found.push_back(claim);
        if (is_part_of(claim.id, argument)) parts.push_back(claim);
        accepted.emplace_back(claim.id);
    }
    if (!found.empty()) return found;
    if (!parts.empty()) return parts;
    auto const nearest = nearest_name(capitals, accepted);
    throw ConfigError("claims", "id", argument,
                      "a file, a folder, JAILLET, WANG, CHEN, AO or an id that crx claims lists" +
                          (nearest.empty() ? "" : "; did you mean " + nearest + "?"));
}

std::string interval_text(Interval const& of)
{
    if (of.low == of.high) return fmt::format("{:.6g}", of.value);
    return fmt::format("{:.4g} [{:.4g}, {:.4g}]", of.value, of.low, of.high);
}

nlohmann::ordered_json interval_json(Interval const& of)
{
    return {{"value", number_or_null(of.value)},
            {"low", number_or_null(of.low)},
            {"high", number_or_null(of.high)}};
}

constexpr std::string_view role_words[] = {"statement", "correction", "sharper", "tight"};

} // namespace

std::vector<Claim> chosen_claims(std::vector<std::string> const& arguments)
{
    if (arguments.empty()) return all_claims();
    std::vector<Claim> list;
    for (auto const& argument : arguments)
        for (auto& claim : named_by(argument))
            if (std::ranges::find(list, claim.file, &Claim::file) == list.end())
                list.push_back(std::move(claim));
    return list;
}

nlohmann::ordered_json claim_as_json(Claim const& claim)
{
    auto hypotheses = nlohmann::ordered_json::array();
    for (auto const& text : claim.hypotheses)
        hypotheses.push_back({{"text", text}, {"checked_on_instances", false}});
    return {{"id", claim.id},
            {"paper", claim.paper},
            {"place", claim.place},
            {"statement", claim.statement},
            {"hypotheses", hypotheses},
            {"reading", claim.reading},
            {"method", claim.method},
            {"verdict", name_of(claim.verdict)},
            {"evidence", claim.evidence},
            {"command", claim.command},
            {"page", claim.page},
            {"witness", claim.witness},
            {"short_form", !claim.trials.empty()},
            {"version", claim.version},
            {"not_printed", claim.unprinted},
            {"file", claim.file.string()}};
}

void add_findings(nlohmann::ordered_json& row, Claim const& claim, Judgement const& judgement)
{
    row["fresh_verdict"] = name_of(judgement.found);
    row["found"] = name_of(judgement.found);
    row["broken_in"] = judgement.broken_in;
    row["figures"] = findings_text(claim, judgement);
    auto trials = nlohmann::ordered_json::array();
    for (std::size_t k = 0; k < judgement.results.size(); ++k) {
        auto const& trial = claim.trials[k];
        auto const& result = judgement.results[k];
        nlohmann::ordered_json one{{"of", role_words[static_cast<int>(trial.role)]},
                                   {"reading", trial.reading},
                                   {"expect", trial.expect.text()},
                                   {"source", trial.source.kind},
                                   {"outcome", name_of(result.outcome)},
                                   {"points", result.points},
                                   {"missed", result.missed},
                                   {"unclear", result.unclear},
                                   {"left_out", result.left_out},
                                   {"left", interval_json(result.nearest.left)},
                                   {"right", interval_json(result.nearest.right)},
                                   {"confidence", trial.confidence}};
        for (auto const& [name, value] : result.at) one["at"][name] = number_or_null(value);
        trials.push_back(std::move(one));
    }
    row["trials"] = std::move(trials);
}

std::string findings_text(Claim const& claim, Judgement const& judgement)
{
    std::string text;
    for (std::size_t k = 0; k < judgement.results.size(); ++k) {
        auto const& trial = claim.trials[k];
        auto const& result = judgement.results[k];
        std::string counts;
        if (result.points > 1)
            counts = fmt::format(", {} of {}",
                                 result.outcome == Outcome::unclear ? result.unclear
                                 : result.outcome == Outcome::missed
                                     ? result.missed
                                     : result.points - result.missed - result.unclear,
                                 counted(result.points, "point"));
        auto const of = trial.role == Role::statement
                            ? std::string()
                            : fmt::format("{}: ", role_words[static_cast<int>(trial.role)]);
        text += fmt::format("{}{}{}{} {}{}: {} against {}", text.empty() ? "" : "; ", of,
                            trial.reading.empty() ? "" : trial.reading + ": ", trial.expect.text(),
                            name_of(result.outcome), counts, interval_text(result.nearest.left),
                            interval_text(result.nearest.right));
    }
    return text;
}

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

/// Links to the page that argues the verdict and to the witness, or nothing.
std::string links_of(Claim const& c)
{
    std::string text;
    if (!c.page.empty()) {
        auto const path = c.page.starts_with("docs/") ? c.page.substr(5) : "../" + c.page;
        text = fmt::format(" [{}]({})", path, path);
    }
    if (!c.witness.empty())
        text += fmt::format("{} [{}](../claims/witnesses/{})", text.empty() ? "" : ",", c.witness,
                            c.witness);
    return text;
}

/// The whole sentences that two lines hold, at least the first; `crx claims ID` prints all.
std::string begin_of(std::string const& text)
{
    std::size_t kept = 0;
    for (auto at = text.find(". "); at != text.npos; at = text.find(". ", at + 1)) {
        auto const next = static_cast<unsigned char>(text[std::min(at + 2, text.size() - 1)]);
        auto const begins = std::isupper(next) != 0 || std::isdigit(next) != 0 || next == '(';
        if (!begins || at == 0 || text[at - 1] == '.') continue; // "1, 2, .., u", "e.g. what"
        if (kept == 0 || at < 2 * width) kept = at + 1;
    }
    return kept == 0 || text.size() <= 2 * width ? text : text.substr(0, kept);
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
    auto const found = fmt::format("**{}**{}. {}{}", name_of(c.verdict), method,
                                   escaped(begin_of(c.evidence)), links_of(c));
    return fmt::format("#### {}\n\n{}\n\n{}\n\n", c.id, wrapped(escaped(claimed), width, ""),
                       wrapped(found, width, ""));
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
