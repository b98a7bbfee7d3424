#include "kernels/cohort/learned_wide_forms.hh"

#include <vector>

namespace crx {
namespace {

std::vector<LearnedWide> find_forms()
{
    std::vector<LearnedWide> forms;
#ifdef CRX_LEARNED_WIDE
    bool const avx2 = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") &&
                      __builtin_cpu_supports("bmi2");
    if (avx2 && __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512vl") &&
        __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512dq"))
        forms.push_back(learned_wide_avx512);
    if (avx2) forms.push_back(learned_wide_avx2);
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
