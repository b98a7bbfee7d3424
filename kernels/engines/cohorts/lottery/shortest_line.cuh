#pragma once

#include "kernels/engines/cohorts/composition.cuh"

namespace crx {

/// Waiting line of mc-sf (H-SF): classes by output length, shortest in front. Equal requests start
/// in closed form, as many as fit. Nothing is random, so the result is the request engine's.
class ShortestLine
{
  public:
    CRX_HD explicit ShortestLine(Composition const& composition) : composition_(composition)
    {
        if (composition_.classes > 0) left_ = composition_.count[0];
    }

    CRX_HD bool empty() const { return front_ == composition_.classes; }
    /// Output length of the request that did not fit. Contract: not empty.
    CRX_HD std::int32_t blocked() const { return composition_.value[front_]; }

    template <class Engine>
    CRX_HD void admit(Rounds t, Engine& engine)
    {
        while (!empty()) {
            auto const o = blocked();
            auto const room = engine.most_copies(t, o);
            auto const started = room < left_ ? room : left_;
            if (started > 0) engine.start(t, o, started);
            left_ -= started;
            if (left_ > 0) return;
            if (++front_ < composition_.classes) left_ = composition_.count[front_];
        }
    }

  private:
    Composition composition_;
    std::int64_t front_ = 0; ///< class in front
    std::int64_t left_ = 0;  ///< requests of it that wait
};

} // namespace crx
