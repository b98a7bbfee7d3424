#include "kernels/engines/cohorts/execute_cohort.cuh"
#include "kernels/engines/cohorts/learned_wide_forms.hh"
#include "kernels/random/words_ahead.hh"

#ifdef CRX_LEARNED_WIDE
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wpsabi" // all is inlined, so it does not matter how it is passed
#pragma GCC diagnostic ignored "-Wuninitialized"
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized" // what GCC's own intrinsics leave undefined
#pragma GCC push_options
#pragma GCC target("avx512f,avx512vl,avx512bw,avx512dq,avx2,fma,bmi,bmi2,lzcnt,popcnt")
#define CRX_WIDE_BYTES 64
#include "kernels/engines/cohorts/learned_wide_form.hh"
#pragma GCC pop_options
#pragma GCC diagnostic pop

namespace crx {
LearnedWide const learned_wide_avx512{"AVX-512", form_bytes, execute_form};
} // namespace crx
#endif
