#pragma once

#include "kernels/cpu/single.hh"

#include <string>
#include <string_view>
#include <vector>

/// Published statements, their hypotheses, a verdict on each and a short test that gives the
/// verdict anew. docs/claims.md is made from them, and `crx claims` prints them.
namespace crx::claims {

/// By their short names (README.md, "The papers").
enum class Paper
{
    jaillet,
    wang,
    chen,
    ao
};

/// How a claim is tested at its best; its short form may do less and says what it does.
enum class Method
{
    identity,     ///< an exact identity or inequality, checked on a grid
    exhaustion,   ///< every instance up to some size
    search,       ///< a search towards the worst instance
    simulation,   ///< means with confidence intervals
    closed_form,  ///< a formula, evaluated
    proof,        ///< an argument that is written down; its steps are checked on a grid
    reproduction, ///< a published table or figure, run again
};

/// What is known of a claim.
enum class Verdict
{
    holds,             ///< never broken; the evidence says in how many cases, and how near
    proved,            ///< a proof is written down (docs/proofs)
    sharpened,         ///< it holds, and so does a better constant
    broken,            ///< a witness or a simulation breaks it
    broken_as_printed, ///< the letter fails; the evidence says what holds in its place
    loose,             ///< it holds, and the worst that a search reached is far from it
    open,              ///< decided for some cases alone, or in one reading
    not_testable,      ///< a run cannot decide it; the evidence says why
};

/// A condition under which the claim is made. `met` is null where it is no property of an instance:
/// a limit, or a parameter of a law.
struct Hypothesis
{
    std::string_view text;
    bool (*met)(OwnedInstance const&) = nullptr;
};

/// What a short form tests. Anything but the default is a planted falsehood: the tests of this
/// folder state a claim wrongly in these ways and want to see it caught.
struct Stated
{
    int bound_percent = 100; ///< the bound, in per cent of the claim's
    bool hypotheses = true;  ///< false: cases outside the hypotheses count too
};

/// What a run of a short form says.
struct Fresh
{
    Verdict verdict = Verdict::open;
    std::string figures; ///< a sentence or two: how many cases, the closest one
};

using ShortForm = Fresh (*)(Stated const&);

/// One published statement. Texts are plain sentences; docs/claims.md shows them as they are.
struct Claim
{
    std::string_view id; ///< of the ledger: "C-3.3"
    Paper paper = {};
    std::string_view place;     ///< "Theorem 3.3, section 3.2"
    std::string_view statement; ///< one sentence
    std::vector<Hypothesis> hypotheses = {};
    std::string_view reading = {}; ///< where the text leaves one open; empty elsewhere
    Method method = {};
    Verdict verdict = {};
    std::string_view evidence;
    std::string_view command;   ///< shows it in a built tree
    std::string_view page = {}; ///< argues it: a path from the repository's root; may be empty
    std::string_view witness =
        {};                   ///< name of a file in claims/witnesses/; empty where none is needed
    ShortForm test = nullptr; ///< null: `command` is the only way, for want of time
};

} // namespace crx::claims
