#pragma once

#include "kernels/model/requests.cuh"
#include "kernels/model/workload.cuh"

/// Instances whose total latency is about 2^62, and TEL in 128 bits.
namespace crx_test {

inline constexpr crx::Unsigned128 latency_limit = crx::Unsigned128{1} << 62;

/// A request of length v, then n of length o, with memory o and o / 2 < v <= o, by mc-sf. The first
/// of the n starts in round 2 v - o, when the short one leaves room, the others one after the
/// other: they complete at 2 v + j o, j = 0 .. n - 1.
struct OneByOne
{
    std::int32_t v, o;
    std::int64_t n;

    crx::Unsigned128 latency() const
    {
        auto const wide = [](std::int64_t x) { return static_cast<crx::Unsigned128>(x); };
        return wide(v) + 2 * wide(v) * wide(n) + wide(o) * wide(n) * wide(n - 1) / 2;
    }
    crx::Workload workload() const
    {
        crx::Workload w;
        w.output_kind = crx::OutputKind::composition;
        w.requests = n + (v == o ? 0 : 1);
        w.memory = o;
        w.output_value = {v, o};
        w.output_count = {1, n};
        w.interval = {crx::IntervalKind::common, v, o, 100, 0, 1};
        return w;
    }
};

/// One of them with this TEL, which is about 2^62.
inline OneByOne one_by_one(crx::Unsigned128 latency)
{
    for (std::int64_t n = 65'600;; ++n) {
        auto const others = static_cast<crx::Unsigned128>(n) * static_cast<unsigned>(n - 1) / 2;
        auto const each = static_cast<crx::Unsigned128>(2 * n + 1);
        for (auto o = latency / (others + each) + 1; o <= INT32_MAX && 2 * others * o < 2 * latency;
             ++o) {
            auto const rest = latency - others * o;
            if (2 * (rest / each) <= o) break;
            if (rest % each == 0 && rest / each < o)
                return {static_cast<std::int32_t>(rest / each), static_cast<std::int32_t>(o), n};
        }
    }
}

/// Adds up how many requests are there, round by round: where all are from 0 on, that is TEL.
class ExactLatency
{
  public:
    crx::ScheduleLog log() { return {nullptr, nullptr, nullptr, add, this}; }
    crx::Unsigned128 total() const { return total_; }

  private:
    static void add(void* self, crx::Instant time, crx::Tokens, std::int64_t active,
                    std::int64_t waiting)
    {
        auto& exact = *static_cast<ExactLatency*>(self);
        exact.total_ += static_cast<crx::Unsigned128>(time - exact.time_) *
                        static_cast<crx::Unsigned128>(exact.there_);
        exact.time_ = time;
        exact.there_ = active + waiting;
    }

    crx::Unsigned128 total_ = 0;
    crx::Instant time_ = 0;
    std::int64_t there_ = 0;
};

} // namespace crx_test
