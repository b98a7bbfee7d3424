#pragma once

#include "host/evidence/claims/trial.hh"

#include <filesystem>

namespace crx::claims {

/// What is known of a statement.
enum class Verdict
{
    proved,                  ///< a proof is written down; its steps are tried on a grid
    sharpened,               ///< likewise, with a better constant
    holds,                   ///< never missed in the cases that the evidence names
    loose,                   ///< it holds, and the worst case found is far from it
    open,                    ///< neither is decided
    broken_in_some_readings, ///< refuted in the readings that the file names, not in all
    broken_as_printed,       ///< false to the letter; what the evidence says instead holds
    broken,                  ///< refuted in every reading tried
    not_testable             ///< no run can decide it
};

/// "broken as printed", ...
std::string_view name_of(Verdict verdict);
/// In the order of a page: the best first.
std::vector<Verdict> const& all_verdicts();

/// One published statement and the trials that decide it: a file of claims/ or of a user's own.
/// Texts are plain sentences; docs/claims.md shows those of the program as they are.
struct Claim
{
    std::string id;    ///< "C-3.3"
    std::string paper; ///< "CHEN"
    std::string place; ///< "Theorem 3.3"
    std::string statement;
    std::vector<std::string> hypotheses;
    std::string reading;   ///< where the text leaves one open
    std::string version;   ///< of the paper
    std::string unprinted; ///< what the figure rests on and the paper does not say
    Verdict verdict = {};
    std::string method; ///< "proof", "search", ...
    std::string evidence;
    std::string command; ///< shows it at full size; `crx claims ID --run` where none is given
    std::string page;    ///< argues it: a path from the repository's root
    std::string witness; ///< a file beside the claim's, in witnesses/
    std::vector<Trial> trials;
    std::filesystem::path file;
};

/// Reads and checks one file. Throws ConfigError or InputError with file, line, key, value and what
/// is accepted: unknown keys, and trials that nothing measured could miss, are refused.
Claim read_claim(std::filesystem::path const& file);
/// The same of a text; `file` stands for it in messages, and relative paths start at its folder.
Claim parse_claim(std::string const& text, std::filesystem::path const& file);

/// The folder of the claims that come with the program: beside it, in the prefix that it is
/// installed in, or in its clone. Throws InputError where there is none.
std::filesystem::path claims_folder();

/// Every claim of a folder and of those in it: paper by paper, the program's four first, by id with
/// numbers as numbers. Throws as read_claim, and where two have one id.
std::vector<Claim> read_claims(std::filesystem::path const& folder);
/// Those of claims_folder(), read once.
std::vector<Claim> const& all_claims();

/// What trials say of a claim.
struct Judgement
{
    Verdict found = Verdict::open;
    std::vector<std::string> broken_in; ///< readings in which it is missed
    std::vector<TrialResult> results;   ///< one a trial
};

/// The verdict that the trials' outcomes make:
/// - the statement is missed where a trial of it in a reading misses; kept where all of them are;
/// - missed in every reading: `broken`, or `broken as printed` where a correction is there and all
///   of its trials are kept; missed in some: `broken in some readings`, or `open` where the paper
///   does not print what the trials differ in (`unprinted`);
/// - kept in all: `proved` if the method is a proof, `sharpened` if a sharper bound is kept too,
///   `loose` if a trial whose role is `tight` is missed, else `holds`;
/// - undecided, or of no trial: `open`; of a claim that is not testable: `not testable`.
Judgement judge(Claim const& claim, std::vector<TrialResult> results);

} // namespace crx::claims
