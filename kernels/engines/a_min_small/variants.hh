#pragma once

#include "kernels/engines/a_min_small/a_min_small.hh"
#include "kernels/random/buffered_words.hh"
#include "kernels/simd/processor.hh"

#include <span>

// The engines for few active requests are written once and compiled for several kinds of
// processors; GCC alone takes vector instructions for a part of a program as it is done here.
#if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__)
#define CRX_FEW_FORMS 1
#endif

namespace crx {

/// execute_few_active and execute_few_group for one kind of processor.
struct AMinSmallVariant
{
    char const* name; ///< of letters and digits
    LaneWidth width;  ///< of its vectors
    /// As a_min_small_bytes, for any n.
    std::size_t (*arena_bytes)(std::int64_t n);
    /// As execute_few_active, of an instance within the limits there, with the words of its stream.
    std::optional<Outcome> (*alone)(Outlived outlived, Requests const& requests,
                                    BufferedWords const& words, ScheduleLog const& log,
                                    Arena& arena);
    /// As execute_few_group.
    void (*together)(Requests const* requests, int count, std::uint64_t seed, std::uint32_t stream,
                     std::uint64_t first, ScheduleLog const& ask, ScheduleLog const* logs,
                     Arena& arena, std::optional<Outcome>* outcomes);
};

#ifdef CRX_FEW_FORMS
extern AMinSmallVariant const a_min_small_avx512, a_min_small_avx2;
#endif

/// Those that this processor is of, the widest vectors first.
std::span<AMinSmallVariant const* const> a_min_small_variants();

} // namespace crx
