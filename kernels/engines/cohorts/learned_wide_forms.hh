#pragma once

#include "kernels/engines/cohorts/learned_wide.hh"

// CPU only: the forms of LearnedWide that there may be; GCC compiles them.
#if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__)
#define CRX_LEARNED_WIDE 1
#endif

namespace crx {

/// Memory up to which floats hold every number of it.
inline constexpr Tokens learned_wide_most_memory = (Tokens{1} << 24) - 1;

#ifdef CRX_LEARNED_WIDE
extern LearnedWide const learned_wide_avx512, learned_wide_avx2;
#endif

} // namespace crx
