#include "kernels/engines/cohorts/execute_cohort.cuh"
#include "kernels/engines/cohorts/learned_wide_forms.hh"
#include "kernels/random/words_ahead.hh"

#ifdef CRX_LEARNED_WIDE
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wpsabi" // all is inlined, so it does not matter how it is passed
#pragma GCC push_options
#pragma GCC target("avx2,fma,bmi,bmi2,lzcnt,popcnt")
#define CRX_WIDE_BYTES 32
#include "kernels/engines/cohorts/learned_wide_form.hh"
#pragma GCC pop_options
#pragma GCC diagnostic pop

namespace crx {
LearnedWide const learned_wide_avx2{"AVX2", form_bytes, execute_form};
} // namespace crx
#endif
