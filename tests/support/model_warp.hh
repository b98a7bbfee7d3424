#pragma once

#include <cstdio>
#include <cstdlib>
#include <functional>
#include <memory>
#include <ucontext.h>

namespace crx_test {

/// The 32 threads of a card's warp as fibres of the CPU: each runs until it comes to a ballot, and
/// goes on when all have come. One that has ended would hang a card: here the program ends with a
/// message.
class ModelWarp
{
  public:
    static constexpr int threads = 32;

    static unsigned ballot(bool mine)
    {
        auto& s = state();
        auto& own = s.fibre[s.thread];
        own.votes = true;
        own.mine = mine;
        swapcontext(&own.context, &s.scheduler);
        return s.bits;
    }

    /// Runs body(thread) in each of them.
    static void run(std::function<void(int)> const& body)
    {
        auto& s = state();
        s.body = &body;
        for (auto& fibre : s.fibre) {
            getcontext(&fibre.context);
            fibre.context.uc_stack.ss_sp = fibre.stack.get();
            fibre.context.uc_stack.ss_size = stack_bytes;
            fibre.context.uc_link = &s.scheduler;
            makecontext(&fibre.context, run_fibre, 0);
        }
        for (;;) {
            unsigned bits = 0;
            int voters = 0;
            for (s.thread = 0; s.thread < threads; ++s.thread) {
                auto& fibre = s.fibre[s.thread];
                fibre.votes = false;
                swapcontext(&s.scheduler, &fibre.context);
                voters += fibre.votes;
                bits |= (fibre.votes && fibre.mine ? 1u : 0u) << s.thread;
            }
            s.bits = bits;
            if (voters == 0) return;
            if (voters < threads) {
                std::fputs("a ballot to which not all threads of the warp come\n", stderr);
                std::abort();
            }
        }
    }

  private:
    static constexpr std::size_t stack_bytes = 256 * 1024;

    struct Fibre
    {
        ucontext_t context;
        std::unique_ptr<char[]> stack{new char[stack_bytes]};
        bool votes = false, mine = false; ///< whether it came to a ballot, and what it said
    };
    struct State
    {
        Fibre fibre[threads];
        ucontext_t scheduler;
        std::function<void(int)> const* body = nullptr;
        int thread = 0;    ///< that runs
        unsigned bits = 0; ///< of the last ballot
    };

    static State& state()
    {
        static auto const own = std::make_unique<State>();
        return *own;
    }
    static void run_fibre() { (*state().body)(state().thread); }
};

} // namespace crx_test
