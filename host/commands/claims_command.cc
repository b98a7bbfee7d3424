#include "host/commands/command_line.hh"
#include "host/commands/commands.hh"
#include "host/error.hh"
#include "host/evidence/claims/report.hh"
#include "host/output_file.hh"
#include "host/say.hh"
#include "host/sweep/interrupt.hh"
#include "kernels/base/seconds_since.hh"

#include <chrono>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

namespace crx {
namespace {

using claims::Claim;
using claims::wrapped;
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
    auto const of = claim.paper.empty() ? claim.place : claim.paper + ", " + claim.place;
    auto const part = [](std::string_view name, std::string_view text) {
        if (text.empty()) return std::string();
        return wrapped(fmt::format("  {:<11} {}", name, text), 98, "              ") + "\n";
    };
    auto text = fmt::format("{}  {}: {}\n", claim.id, of, claims::name_of(claim.verdict));
    text += part("says", claim.statement);
    for (auto const& h : claim.hypotheses) text += part("if", h);
    text += part("reading", claim.reading) + part("not printed", claim.unprinted) +
            part("tested by", claim.method) + part("evidence", claim.evidence) +
            part("argued in", claim.page);
    for (auto const& trial : claim.trials) text += part("trial", trial.expect.text());
    for (auto const* word : {"eading 1", "eading 2"})
        if (claim.evidence.find(word) != std::string::npos) {
            text += part("words", readings);
            break;
        }
    if (!claim.witness.empty())
        text += fmt::format("  {:<11} claims/witnesses/{}\n", "witness", claim.witness);
    text += part("file", claim.file.string());
    return text + fmt::format("  {:<11} {}\n", "command", claim.command);
}

/// A table of all, or each in full where few are named.
std::string as_text(std::vector<Claim> const& list)
{
    std::string text;
    if (list.size() <= 3) {
        for (auto const& claim : list) text += (text.empty() ? "" : "\n") + in_full(claim);
        return text;
    }
    for (auto const& claim : list)
        text += fmt::format("{:<8} {:<8} {:<23} {}\n", claim.id, claim.paper,
                            claims::name_of(claim.verdict), claim.place);
    return text + fmt::format("{} claims; crx claims ID says what one is and what shows it\n",
                              list.size());
}

/// Runs the trials of a claim.
claims::Judgement run_claim(Claim const& claim)
{
    std::vector<claims::TrialResult> results;
    for (auto const& trial : claim.trials) {
        if (InterruptGuard::asked()) throw Stopped(InterruptGuard::stopped());
        results.push_back(claims::run_trial(trial));
    }
    return claims::judge(claim, std::move(results));
}

/// Runs all trials and prints each claim as it ends. Throws RunError, for exit status 1, where the
/// verdict that is found is not the stated one.
void run_all(ClaimsOptions const& given, std::vector<Claim> const& list)
{
    for (auto const& claim : list) // before the first one runs
        for (auto const& trial : claim.trials) claims::check_trial(trial);
    InterruptGuard const guard;
    auto const begin = std::chrono::steady_clock::now();
    auto rows = OrderedJson::array();
    std::vector<std::string> different;
    std::size_t without = 0, left = 0;
    for (auto const& claim : list) {
        auto row = claims::claim_as_json(claim);
        row["fresh_verdict"] = nullptr;
        row["found"] = nullptr;
        if (claim.trials.empty()) {
            ++without;
            if (!given.json && !given.ids.empty())
                write_stdout(fmt::format("{:<8} not testable\n", claim.id));
        } else if (given.budget > 0 && seconds_since(begin) >= static_cast<double>(given.budget)) {
            ++left;
        } else {
            auto const start = std::chrono::steady_clock::now();
            auto const judgement = run_claim(claim);
            auto const seconds = seconds_since(start);
            auto const same = judgement.found == claim.verdict;
            if (!same) different.emplace_back(claim.id);
            claims::add_findings(row, claim, judgement);
            row["seconds"] = seconds;
            if (!given.json) {
                auto const named =
                    judgement.broken_in.empty() ||
                            judgement.found != claims::Verdict::broken_in_some_readings
                        ? ""
                        : fmt::format(" ({})", fmt::join(judgement.broken_in, "; "));
                write_stdout(fmt::format(
                    "{:<8} {}{}{}, {:.1f} s\n", claim.id, claims::name_of(judgement.found), named,
                    same ? "" : fmt::format(", STATED: {}", claims::name_of(claim.verdict)),
                    seconds));
                write_stdout("         " +
                             wrapped(claims::findings_text(claim, judgement), 98, "         ", 9) +
                             "\n");
            }
        }
        rows.push_back(std::move(row));
    }
    if (given.json)
        write_stdout(rows.dump(2) + "\n");
    else
        write_stdout(fmt::format("{} tested, {} differ, {} not testable, {} left for want of time; "
                                 "{:.0f} s\n",
                                 list.size() - without - left, different.size(), without, left,
                                 seconds_since(begin)));
    if (!different.empty())
        throw RunError(fmt::format("claims: the verdict found is not the stated one: {}",
                                   fmt::join(different, ", ")));
}

void run(ClaimsOptions const& given)
{
    if (given.markdown && (given.run || given.json))
        throw InputError("claims: --markdown prints what files say and is given without --run and "
                         "--json");
    if (given.budget > 0 && !given.run)
        throw ConfigError("command line", "--budget", std::to_string(given.budget),
                          "given with --run");
    auto const list = claims::chosen_claims(given.ids);
    if (given.markdown) return write_stdout(claims::claims_list(list));
    if (given.run) return run_all(given, list);
    if (!given.json) return write_stdout(as_text(list));
    auto rows = OrderedJson::array();
    for (auto const& claim : list) rows.push_back(claims::claim_as_json(claim));
    write_stdout(rows.dump(2) + "\n");
}

} // namespace

void add_claims_command(CLI::App& app)
{
    Command const command(app, "claims",
                          "Every published statement, a verdict on it and what shows it");
    auto const given = std::make_shared<ClaimsOptions>();
    command->add_option(
        "id", given->ids,
        "Claims by id, all of JAILLET, WANG, CHEN or AO, files or folders; else every "
        "one");
    command->add_flag("--run", given->run,
                      "Run the trials; exit status 1 where a verdict found is not the stated one");
    command
        ->add_option("--budget", given->budget, "Seconds after which --run begins no further claim")
        ->check(whole_number<std::int64_t>(1));
    command->add_flag("--json", given->json, "JSON, one object a claim");
    command->add_flag("--markdown", given->markdown, "Markdown, as docs/claims.md lists them");
    command->footer("Examples: crx claims CHEN\n"
                    "          crx claims C-8.4\n"
                    "          crx claims C-8.4 W-Ex1 --run\n"
                    "          crx claims mine.toml --run --json\n" +
                    std::string(readings));
    command->callback([given] { run(*given); });
}

} // namespace crx
