#include "host/evidence/claim_report.hh"

#include "host/error.hh"
#include "host/input/accepted.hh"
#include "host/json_number.hh"
#include "host/shell_word.hh"
#include "kernels/base/counted.hh"

#include <algorithm>
#include <fmt/format.h>

namespace crx {

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

std::vector<claims::Claim> named_by(std::string const& argument)
{
    if (is_path(argument)) {
        std::error_code none;
        auto own = fs::is_directory(argument, none) ? claims::read_claims(argument)
                                                    : std::vector{claims::read_claim(argument)};
        for (auto& claim : own) // an id names a file of the program's
            if (claim.command == "crx claims " + claim.id + " --run")
                claim.command = "crx claims " + shell_word(claim.file.string()) + " --run";
        return own;
    }
    auto capitals = argument;
    for (auto& letter : capitals)
        letter = static_cast<char>(std::toupper(static_cast<unsigned char>(letter)));
    std::vector<claims::Claim> found, parts;
    std::vector<std::string> accepted{"JAILLET", "WANG", "CHEN", "AO"};
    for (auto const& claim : claims::all_claims()) {
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

std::string interval_text(claims::Interval const& of)
{
    if (of.low == of.high) return fmt::format("{:.6g}", of.value);
    return fmt::format("{:.4g} [{:.4g}, {:.4g}]", of.value, of.low, of.high);
}

nlohmann::ordered_json interval_json(claims::Interval const& of)
{
    return {{"value", number_or_null(of.value)},
            {"low", number_or_null(of.low)},
            {"high", number_or_null(of.high)}};
}

constexpr std::string_view role_names[] = {"statement", "correction", "sharper", "tight"};

} // namespace

std::vector<claims::Claim> chosen_claims(std::vector<std::string> const& arguments)
{
    if (arguments.empty()) return claims::all_claims();
    std::vector<claims::Claim> list;
    for (auto const& argument : arguments)
        for (auto& claim : named_by(argument))
            if (std::ranges::find(list, claim.file, &claims::Claim::file) == list.end())
                list.push_back(std::move(claim));
    return list;
}

nlohmann::ordered_json claim_as_json(claims::Claim const& claim)
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
            {"verdict", claims::name_of(claim.verdict)},
            {"evidence", claim.evidence},
            {"command", claim.command},
            {"page", claim.page},
            {"witness", claim.witness},
            {"short_form", !claim.trials.empty()},
            {"version", claim.version},
            {"not_printed", claim.unprinted},
            {"file", claim.file.string()}};
}

void add_findings(nlohmann::ordered_json& row, claims::Claim const& claim,
                  claims::Judgement const& judgement)
{
    row["fresh_verdict"] = claims::name_of(judgement.found);
    row["found"] = claims::name_of(judgement.found);
    row["broken_in"] = judgement.broken_in;
    row["figures"] = findings_text(claim, judgement);
    auto trials = nlohmann::ordered_json::array();
    for (std::size_t k = 0; k < judgement.results.size(); ++k) {
        auto const& trial = claim.trials[k];
        auto const& result = judgement.results[k];
        nlohmann::ordered_json one{{"of", role_names[static_cast<int>(trial.role)]},
                                   {"reading", trial.reading},
                                   {"expect", trial.expect.text()},
                                   {"source", trial.source.kind},
                                   {"outcome", claims::name_of(result.outcome)},
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

std::string findings_text(claims::Claim const& claim, claims::Judgement const& judgement)
{
    std::string text;
    for (std::size_t k = 0; k < judgement.results.size(); ++k) {
        auto const& trial = claim.trials[k];
        auto const& result = judgement.results[k];
        std::string counts;
        if (result.points > 1)
            counts = fmt::format(", {} of {}",
                                 result.outcome == claims::Outcome::unclear ? result.unclear
                                 : result.outcome == claims::Outcome::missed
                                     ? result.missed
                                     : result.points - result.missed - result.unclear,
                                 counted(result.points, "point"));
        auto const of = trial.role == claims::Role::statement
                            ? std::string()
                            : fmt::format("{}: ", role_names[static_cast<int>(trial.role)]);
        text +=
            fmt::format("{}{}{}{} {}{}: {} against {}", text.empty() ? "" : "; ", of,
                        trial.reading.empty() ? "" : trial.reading + ": ", trial.expect.text(),
                        claims::name_of(result.outcome), counts, interval_text(result.nearest.left),
                        interval_text(result.nearest.right));
    }
    return text;
}

} // namespace crx
