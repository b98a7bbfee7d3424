#include "host/evidence/claims/claim.hh"

#include <algorithm>
#include <array>

namespace crx::claims {

namespace {

constexpr std::array<std::pair<Verdict, std::string_view>, 9> verdict_names{{
    {Verdict::proved, "proved"},
    {Verdict::sharpened, "sharpened"},
    {Verdict::holds, "holds"},
    {Verdict::loose, "loose"},
    {Verdict::open, "open"},
    {Verdict::broken_in_some_readings, "broken in some readings"},
    {Verdict::broken_as_printed, "broken as printed"},
    {Verdict::broken, "broken"},
    {Verdict::not_testable, "not testable"},
}};

/// Outcomes of all trials of a role, in one reading where one is given.
struct Tally
{
    int trials = 0, kept = 0, missed = 0;

    Tally(Claim const& claim, std::vector<TrialResult> const& results, Role role,
          std::string const* reading = nullptr)
    {
        for (std::size_t k = 0; k < results.size(); ++k) {
            if (claim.trials[k].role != role) continue;
            if (reading != nullptr && claim.trials[k].reading != *reading) continue;
            ++trials;
            kept += results[k].outcome == Outcome::kept ? 1 : 0;
            missed += results[k].outcome == Outcome::missed ? 1 : 0;
        }
    }
    bool all_kept() const { return trials > 0 && kept == trials; }
};

} // namespace

std::string_view name_of(Verdict verdict)
{
    return std::ranges::find(verdict_names, verdict, &std::pair<Verdict, std::string_view>::first)
        ->second;
}

std::vector<Verdict> const& all_verdicts()
{
    static std::vector<Verdict> const all = [] {
        std::vector<Verdict> list;
        for (auto const& [verdict, name] : verdict_names) list.push_back(verdict);
        return list;
    }();
    return all;
}

Judgement judge(Claim const& claim, std::vector<TrialResult> results)
{
    Judgement out;
    std::vector<std::string> readings;
    for (auto const& trial : claim.trials)
        if (trial.role == Role::statement &&
            std::ranges::find(readings, trial.reading) == readings.end())
            readings.push_back(trial.reading);
    int kept = 0;
    for (auto const& reading : readings) {
        Tally const in(claim, results, Role::statement, &reading);
        if (in.missed > 0) out.broken_in.push_back(reading);
        if (in.all_kept()) ++kept;
    }
    Tally const correction(claim, results, Role::correction),
        sharper(claim, results, Role::sharper), tight(claim, results, Role::tight);
    auto const missed = std::ssize(out.broken_in), all = std::ssize(readings);
    auto const corrected = correction.all_kept();
    if (claim.trials.empty())
        out.found = claim.verdict == Verdict::not_testable ? Verdict::not_testable : Verdict::open;
    else if (missed > 0 && missed == all)
        out.found = corrected ? Verdict::broken_as_printed : Verdict::broken;
    else if (missed > 0)
        out.found = claim.unprinted.empty() ? Verdict::broken_in_some_readings : Verdict::open;
    else if (kept < all || correction.missed > 0 || sharper.missed > 0)
        out.found = Verdict::open;
    else if (sharper.all_kept())
        out.found = Verdict::sharpened;
    else if (claim.method == "proof")
        out.found = Verdict::proved;
    else
        out.found = tight.missed > 0 ? Verdict::loose : Verdict::holds;
    out.results = std::move(results);
    return out;
}

} // namespace crx::claims
