#pragma once

#include "analysis/laws/clipped_laws.hh"

#include <array>
#include <string_view>

namespace crx {

/// Whose subset of LMSYS-Chat-1M (Zheng et al. 2023) a law stands in for. None of the subsets is
/// published; what the papers say of them is.
enum class LmsysSource : std::uint8_t
{
    chen,    ///< CHEN section 6: 2,000 conversations
    jaillet, ///< JAILLET section 5.2: 10,000 conversations
    ao       ///< AO section 6.2: 50,000 conversations, outputs in ten bins
};

enum class LmsysPart : std::uint8_t
{
    prompt,
    output
};

/// A stand-in law with all that goes into it.
struct LmsysLaw
{
    LmsysSource source;
    LmsysPart part;
    std::string_view id; ///< of the source, as experiments name it
    int conversations;   ///< in the source's sample
    LengthFigures published;
    /// Which of the figures come from elsewhere, and from where; empty: none.
    std::string_view borrowed;
    FitStart start; ///< of the fit; not used for bins
    /// AO prints outputs as requests in bins of `bin` lengths: uniform inside each.
    std::array<int, 10> bins{};
    std::int32_t bin = 0; ///< 0: no bins, fitted
};

inline constexpr int lmsys_laws = 6;
inline constexpr std::array<LmsysLaw, lmsys_laws> lmsys_catalogue{{
    {LmsysSource::chen, LmsysPart::prompt, "chen", 2000, {468, 41, 4961, 11}, "", {0.1, 190, 0.9}},
    {LmsysSource::chen, LmsysPart::output, "chen", 2000, {883, 85, 9702, 43}, "", {0.3, 360, 4}},
    {LmsysSource::jaillet,
     LmsysPart::prompt,
     "jaillet",
     10000,
     {468, 40.62, 4961, 11},
     "largest and variance from CHEN's sample of the same data",
     {0.1, 140, 0.8}},
    {LmsysSource::jaillet,
     LmsysPart::output,
     "jaillet",
     10000,
     {883, 85.32, 9702, 45},
     "largest and variance from CHEN's sample of the same data",
     {0.3, 340, 3}},
    {LmsysSource::ao,
     LmsysPart::prompt,
     "ao",
     50000,
     {499, 60, 7785, 21},
     "largest, variance and median from the sample published with AO's experiments",
     {0.2, 260, 1.2}},
    {LmsysSource::ao,
     LmsysPart::output,
     "ao",
     50000,
     {500, 0, 0, 0},
     "",
     {},
     {23, 11, 8, 7, 6, 4, 3, 2, 1, 1},
     50},
}};

/// The entry of the catalogue.
LmsysLaw const& lmsys_law(LmsysSource source, LmsysPart part);

/// The parameters of an entry that is fitted; computed once a process.
GeneralisedGamma const& lmsys_fit(LmsysLaw const& law);

/// The law, tabulated. Prompts and outputs are independent: no source prints how they go together.
TabulatedLaw const& tabulate_lmsys(LmsysSource source, LmsysPart part);

} // namespace crx
