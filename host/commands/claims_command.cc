#include "analysis/claims/page.hh"
#include "analysis/claims/words.hh"
#include "host/commands/command_line.hh"
#include "host/commands/commands.hh"
#include "host/error.hh"
#include "host/evidence/claim_report.hh"
#include "host/output_file.hh"
#include "kernels/base/seconds_since.hh"

#include <chrono>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

namespace crx {
namespace {

using namespace claims;
using OrderedJson = nlohmann::ordered_json;

struct ClaimsOptions
{
    std::vector<std::string> ids;
    bool run = false, json = false, markdown = false;
    std::int64_t budget = 0; ///< seconds; 0: no end
};

/// What the words mean that the texts of some claims use.
constexpr char const* readings =
    "Reading 1 of A_min is a-min, reading 2 a-min-evict; exceeded is learns = \"exceeded\".";

std::string in_full(Claim const& claim)
{
    auto const part = [](std::string_view name, std::string_view text) {
        if (text.empty()) return std::string();
        return wrapped(fmt::format("  {:<11}{}", name, text), 98, "             ") + "\n";
    };
    auto text = fmt::format("{}  {}, {}: {}\n", claim.id, name_of(claim.paper), claim.place,
                            name_of(claim.verdict));
    text += part("says", claim.statement);
    for (auto const& h : claim.hypotheses) text += part("if", h.text);
    text += part("reading", claim.reading) + part("tested by", name_of(claim.method)) +
            part("evidence", claim.evidence) + part("argued in", claim.page);
    for (auto const* word : {"eading 1", "eading 2"})
        if (claim.evidence.find(word) != std::string_view::npos) {
            text += part("words", readings);
            break;
        }
    if (!claim.witness.empty())
        text += fmt::format("  {:<11}claims/witnesses/{}\n", "witness", claim.witness);
    return text + fmt::format("  {:<11}{}\n", "command", claim.command);
}

/// A table of all, or each in full where few are named.
std::string as_text(std::vector<Claim const*> const& list)
{
    std::string text;
    if (list.size() <= 3) {
        for (auto const* claim : list) text += (text.empty() ? "" : "\n") + in_full(*claim);
        return text;
    }
    for (auto const* claim : list)
        text += fmt::format("{:<8} {:<8} {:<18} {}\n", claim->id, name_of(claim->paper),
                            name_of(claim->verdict), claim->place);
    return text + fmt::format("{} claims; crx claims ID says what one is and what shows it\n",
                              list.size());
}

/// Runs the short forms and prints each as it ends. Throws std::runtime_error, for exit status 1,
/// where a fresh verdict is not the recorded one.
void run_all(ClaimsOptions const& given, std::vector<Claim const*> const& list)
{
    auto const begin = std::chrono::steady_clock::now();
    auto rows = OrderedJson::array();
    std::vector<std::string> different;
    std::size_t without = 0, left = 0;
    for (auto const* claim : list) {
        auto row = claim_as_json(*claim);
        row["fresh_verdict"] = nullptr;
        if (claim->test == nullptr) {
            ++without;
            if (!given.json && !given.ids.empty())
                write_stdout(fmt::format("{:<8} no short form: {}\n", claim->id, claim->command));
        } else if (given.budget > 0 && seconds_since(begin) >= static_cast<double>(given.budget)) {
            ++left;
        } else {
            auto const start = std::chrono::steady_clock::now();
            auto const fresh = claim->test({});
            auto const seconds = seconds_since(start);
            auto const same = fresh.verdict == claim->verdict;
            if (!same) different.emplace_back(claim->id);
            row["fresh_verdict"] = name_of(fresh.verdict);
            row["figures"] = fresh.figures;
            row["seconds"] = seconds;
            if (!given.json)
                write_stdout(fmt::format(
                    "{:<8} {:<18} {:>5.1f} s  {}{}\n", claim->id, name_of(fresh.verdict), seconds,
                    same ? "" : fmt::format("RECORDED: {}; ", name_of(claim->verdict)),
                    wrapped(fresh.figures, 98, std::string(37, ' '), same ? 37 : 70)));
        }
        rows.push_back(std::move(row));
    }
    if (given.json)
        write_stdout(rows.dump(2) + "\n");
    else
        write_stdout(fmt::format("{} tested, {} differ, {} without a short form, {} left for want "
                                 "of time; {:.0f} s\n",
                                 list.size() - without - left, different.size(), without, left,
                                 seconds_since(begin)));
    if (!different.empty())
        throw std::runtime_error(fmt::format(
            "claims: the fresh verdict is not the recorded one: {}", fmt::join(different, ", ")));
}

void run(ClaimsOptions const& given)
{
    if (given.markdown && (!given.ids.empty() || given.run || given.json))
        throw InputError("claims: --markdown makes the whole page and is given alone");
    if (given.budget > 0 && !given.run)
        throw ConfigError("command line", "--budget", std::to_string(given.budget),
                          "given with --run");
    if (given.markdown) return write_stdout(claims_page());
    auto const list = chosen_claims(given.ids);
    if (given.run) return run_all(given, list);
    if (!given.json) return write_stdout(as_text(list));
    auto rows = OrderedJson::array();
    for (auto const* claim : list) rows.push_back(claim_as_json(*claim));
    write_stdout(rows.dump(2) + "\n");
}

} // namespace

void add_claims_command(CLI::App& app)
{
    Command const command(app, "claims",
                          "Every published statement, a verdict on it and what shows it");
    auto const given = std::make_shared<ClaimsOptions>();
    command->add_option("id", given->ids,
                        "Claims by id, or all of JAILLET, WANG, CHEN or AO; else every one");
    command->add_flag("--run", given->run,
                      "Test anew, in short forms; exit status 1 where a verdict differs");
    command
        ->add_option("--budget", given->budget, "Seconds after which --run begins no further claim")
        ->check(whole_number<std::int64_t>(1));
    command->add_flag("--json", given->json, "JSON, one object a claim");
    command->add_flag("--markdown", given->markdown, "docs/claims.md as it should be");
    command->footer("Examples: crx claims CHEN\n"
                    "          crx claims C-8.4\n"
                    "          crx claims C-8.4 W-Ex1 --run\n" +
                    std::string(readings));
    command->callback([given] { run(*given); });
}

} // namespace crx
