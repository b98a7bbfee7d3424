#pragma once

#include "kernels/base/host_device.cuh"

namespace crx {

/// A waiting request as one word, its index above its prompt.
struct WaitingMember
{
    /// The most requests, and what prompts are below.
    static constexpr std::int64_t most_requests = 4096;
    static constexpr std::int32_t prompt_limit = 1 << 20;
    static_assert(most_requests * prompt_limit == std::int64_t{1} << 32);

    CRX_HD static std::uint32_t of(RequestId id, std::int32_t prompt)
    {
        return id * static_cast<std::uint32_t>(prompt_limit) | static_cast<std::uint32_t>(prompt);
    }
    CRX_HD static std::int32_t prompt_of(std::uint32_t member)
    {
        return static_cast<std::int32_t>(member % prompt_limit);
    }
    CRX_HD static RequestId id_of(std::uint32_t member) { return member / prompt_limit; }
};

/// Those with one working length in an array of waiting requests, up to `end`: from the end of the
/// class before it.
struct WaitingClass
{
    std::int32_t length, end;
};

/// A class that is covered by another one, and the least prompt in it; written and read as one.
struct alignas(16) WaitingLayer
{
    WaitingClass of;
    std::int32_t least_prompt;
};

/// Arrays for n waiting requests.
struct WaitingArrays
{
    std::uint32_t* member;     ///< n
    WaitingClass* classes;     ///< n + 1: the one behind the last has a length that nothing reaches
    std::uint32_t* scratch[2]; ///< n each
};

} // namespace crx
