#pragma once

#include "kernels/model/clock.cuh"

namespace crx {

/// The requests of one instance, as arrays of length n (docs/model.md#requests).
struct Requests
{
    std::int64_t n = 0;
    Tokens memory = 0; ///< M
    Instant* arrival = nullptr;
    std::int32_t* prompt = nullptr; ///< s_i >= 0
    std::int32_t* output = nullptr; ///< o_i >= 1, true length; only mc-* and a-random may look
    std::int32_t* lower = nullptr;  ///< l_i <= o_i
    std::int32_t* upper = nullptr;  ///< u_i >= o_i
    Clock clock;
};

/// Where an engine writes what became of each request, and what can interrupt it; null
/// pointers: not asked for.
struct ScheduleLog
{
    Instant* start = nullptr;      ///< start of the run that completed
    Instant* completion = nullptr; ///< end of the round of its last token
    std::int32_t* cancellations = nullptr;
    /// Called with the memory held at each time the engine stops at; null: not asked for.
    void (*on_event)(void*, Instant time, Tokens held, std::int64_t active,
                     std::int64_t waiting) = nullptr;
    void* context = nullptr;
    /// Asked now and then: true ends the run, and its outcome then means nothing. For the CPU.
    bool (*abandon)(void*) = nullptr;
    void* abandon_context = nullptr;

    static constexpr std::int64_t events_between_questions = 1024;
    CRX_HD bool abandons() const { return abandon != nullptr && abandon(abandon_context); }
    /// The same, asked once in so many events.
    CRX_HD bool abandons(std::int64_t events) const
    {
        return abandon != nullptr && events % events_between_questions == 0 &&
               abandon(abandon_context);
    }
};

} // namespace crx
