#pragma once

namespace crx {

/// The widest vector registers that this processor has and parts of the program are compiled for.
/// All that is written for them computes the integers of the plain form, so results do not depend
/// on the answer.
enum class LaneWidth
{
    none,
    half,    ///< 32 bytes: x86-64-v3 (AVX2, FMA, BMI2)
    full,    ///< 64 bytes: x86-64-v4 (AVX-512 F, VL, BW, DQ)
    counting ///< and bits counted in lanes: AVX-512 VPOPCNTDQ, VBMI2 (Ice Lake, Zen 4 and later)
};
LaneWidth lane_width();

} // namespace crx
