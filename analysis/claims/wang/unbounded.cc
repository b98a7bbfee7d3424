#include "analysis/adversary/volume_of_groups.hh"
#include "analysis/adversary/wang_family.hh"
#include "analysis/claims/tools/runs.hh"
#include "analysis/claims/trial.hh"
#include "analysis/claims/wang/claims.hh"
#include "analysis/sorted_f/two_groups.hh"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

namespace crx::claims {
namespace {

/// TEL of the policy over the best of its own schedule and the two groups one after the other.
double ratio_at_least(std::string_view id, std::vector<RequestGroup> const& groups, Tokens memory)
{
    auto const total = run_grouped(policy(id), groups, memory).total_latency;
    auto best = total;
    for (std::size_t first : {0, 1}) {
        std::vector<sorted_f::Segment> const order{{first, groups[first].count},
                                                   {1 - first, groups[1 - first].count}};
        best = std::min(best, sorted_f::run_segments(groups, memory, order).total_latency);
    }
    return static_cast<double>(total) / static_cast<double>(best);
}

/// The claimed multiple of sqrt M at M = 10^4, 250,000 and 10^8 on the family that has it, and on
/// the printed one a ratio below 4.
Fresh test_family(Stated const& stated, std::string_view id, std::string_view good,
                  std::string_view printed, double coefficient)
{
    Trial trial(stated);
    bool bounded = true;
    double last = 0;
    for (std::int64_t const root : {100, 2'500, 10'000}) {
        auto const groups = find_wang_family(good)->make(root);
        last = ratio_at_least(id, groups, root * root);
        trial.at_most(coefficient * static_cast<double>(root), last);
        bounded =
            bounded && ratio_at_least(id, find_wang_family(printed)->make(root), root * root) < 4;
    }
    auto fresh = trial.verdict(Verdict::broken_as_printed,
                               fmt::format("ratio at least {:.6g} at M = 10^8", last));
    if (trial.kept() && !bounded) fresh.verdict = Verdict::holds;
    return fresh;
}

Fresh test_1(Stated const& stated)
{
    return test_family(stated, "mc-sf", "theorem-1-full", "theorem-1", 2. / 13);
}

Fresh test_ec_1(Stated const& stated)
{
    return test_family(stated, "mc-sf-total", "theorem-ec-1-full", "theorem-ec-1", 2. / 3);
}

Fresh test_fcfs(Stated const& stated)
{
    Trial trial(stated);
    double last = 0;
    for (std::int64_t const root : {100, 2'500, 10'000}) {
        auto groups = find_wang_family("theorem-1-full")->make(root);
        std::ranges::sort(groups, std::ranges::greater{}, &RequestGroup::prompt);
        last = ratio_at_least("mc-benchmark", groups, root * root);
        trial.at_most(2. / 13 * static_cast<double>(root), last);
    }
    return trial.verdict(Verdict::proved, fmt::format("ratio at least {:.6g} at M = 10^8", last));
}

} // namespace

Claim wang_theorem_1()
{
    return {
        .id = "W-1",
        .paper = Paper::wang,
        .place = "Theorem 1",
        .statement = "With prompts that vary MC-SF's ratio is unbounded: at least (2/13) sqrt M on "
                     "the printed family.",
        .hypotheses = {{"all at 0; s, o >= 1"}},
        .method = Method::closed_form,
        .verdict = Verdict::broken_as_printed,
        .evidence = "The printed family tends to 4/3. On sqrt M of (M - 1, 1) and M of (1, 2) it "
                    "holds for every square M (proof).",
        .command = "crx instance theorem-1 theorem-1-fewer theorem-1-full",
        .page = "docs/proofs/unbounded.md",
        .test = test_1,
    };
}

Claim wang_theorem_ec_1()
{
    return {
        .id = "W-EC1",
        .paper = Paper::wang,
        .place = "Theorem EC.1, companion",
        .statement = "Serving the smallest s + o first is unbounded too: at least (2/3) sqrt M on "
                     "the printed family.",
        .hypotheses = {{"all at 0; s, o >= 1"}},
        .method = Method::closed_form,
        .verdict = Verdict::broken_as_printed,
        .evidence = "The printed family tends to 3. One (1, M - 2) and sqrt M of (M - 1, 1) have "
                    "at least (2/3) sqrt M for every square M from 9 on (proof).",
        .command = "crx instance theorem-ec-1 theorem-ec-1-fewer theorem-ec-1-full",
        .page = "docs/proofs/unbounded.md",
        .test = test_ec_1,
    };
}

Claim wang_fcfs()
{
    return {
        .id = "W-FCFS",
        .paper = Paper::wang,
        .place = "Section 2.1, stated without proof",
        .statement = "First come, first served has an unbounded ratio.",
        .hypotheses = {{"all at 0, the order is the adversary's"}},
        .method = Method::proof,
        .verdict = Verdict::proved,
        .evidence = "At least (2/13) sqrt M with the large requests first in W-1's corrected "
                    "family (proof): 2,222.8 at M = 10^8.",
        .command = "crx instance theorem-1-full --policy mc-benchmark",
        .page = "docs/proofs/unbounded.md",
        .test = test_fcfs,
    };
}

} // namespace crx::claims
