#include "kernels/engines/cohorts/learned_wide_forms.hh"

#include "kernels/simd/processor.hh"

#include <vector>

namespace crx {
namespace {

std::vector<LearnedWide> find_forms()
{
    std::vector<LearnedWide> forms;
#ifdef CRX_LEARNED_WIDE
    if (lane_width() >= LaneWidth::full) forms.push_back(learned_wide_avx512);
    if (lane_width() != LaneWidth::none) forms.push_back(learned_wide_avx2);
#endif
    return forms;
}

} // namespace

std::span<LearnedWide const> learned_wide_forms()
{
    static std::vector<LearnedWide> const forms = find_forms();
    return forms;
}

bool has_learned_wide(WorkloadView const& w)
{
    return !learned_wide_forms().empty() && w.memory <= learned_wide_most_memory &&
           w.interval.upper <= 512 && w.requests < std::int64_t{1} << 31;
}

} // namespace crx
