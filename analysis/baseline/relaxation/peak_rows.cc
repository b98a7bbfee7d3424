#include "analysis/baseline/relaxation/peak_rows.hh"

#include "kernels/base/host_device.cuh"

#include <algorithm>
#include <set>

namespace crx::baseline {
namespace {

std::vector<PeakRows::Span> spans_of(RequestGroup const& group, Tokens memory, std::int64_t k,
                                     Tokens largest_prompt)
{
    std::vector<PeakRows::Span> spans;
    if (group.prompt > largest_prompt) return spans;
    auto const most_after = std::max<Rounds>(2 * memory / (k + 1) - 2 * largest_prompt, 0);
    for (std::int64_t j = 1; (k + 1) * group.peak() > j * memory; ++j) {
        // (k+1) (2 P + d) > 2 j M, and past the start
        auto const first = std::max<Rounds>(2 * j * memory / (k + 1) - 2 * group.peak() + 1,
                                            1 - 2 * Rounds{group.output});
        // (k+1) (2 P - k d) > 2 j M
        auto const after = (2 * (k + 1) * group.peak() - 2 * j * memory - 1) / (k * (k + 1));
        spans.push_back({first, std::min(after, most_after) + 1});
    }
    return spans;
}

} // namespace

PeakRows::PeakRows(std::vector<RequestGroup> const& groups, Tokens memory, std::int32_t k) : k_(k)
{
    CRX_EXPECT(k >= 1);
    std::set<Tokens> prompts;
    for (auto const& group : groups) prompts.insert(group.prompt);
    Rounds most = -1;
    for (auto const prompt : prompts) {
        std::vector<std::vector<Span>> spans;
        Rounds occupied = 0;
        for (auto const& group : groups) {
            spans.push_back(spans_of(group, memory, k, prompt));
            for (auto const& span : spans.back())
                occupied += group.count() * (span.last - span.first);
        }
        if (occupied <= most) continue;
        most = occupied;
        largest_prompt_ = prompt;
        spans_ = std::move(spans);
    }
    for (std::size_t g = 0; g < groups.size(); ++g)
        for (auto const& span : spans_[g])
            reach_ = std::max(reach_, 2 * Rounds{groups[g].output} + span.last);
}

std::size_t PeakRows::instants(Rounds starts) const
{
    return static_cast<std::size_t>(2 * starts + reach_);
}

} // namespace crx::baseline
