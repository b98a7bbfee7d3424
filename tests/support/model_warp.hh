#pragma once

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <memory>
#include <ucontext.h>

namespace crx_test {

/// The 32 threads of a card's warp as fibres of the CPU, for ThreadLanes: each runs until it has to
/// meet the others, and goes on when all have come. Threads that wait for different things, or for
/// one that has ended, would hang a card: here the program ends with a message.
class ModelWarp
{
  public:
    static int lane() { return state().lane; }
    static unsigned ballot(bool mine) { return ask(Question::ballot, mine ? 1 : 0); }
    static unsigned all_or(unsigned mine) { return ask(Question::all_or, mine); }
    static unsigned all_max(unsigned mine) { return ask(Question::all_max, mine); }

    /// Runs `thread` in each of them; how often they have met.
    static std::int64_t run(std::function<void()> const& thread)
    {
        auto& s = state();
        s.thread = &thread;
        for (auto& fibre : s.fibre) {
            getcontext(&fibre.context);
            fibre.context.uc_stack.ss_sp = fibre.stack.get();
            fibre.context.uc_stack.ss_size = stack_bytes;
            fibre.context.uc_link = &s.scheduler;
            makecontext(&fibre.context, run_fibre, 0);
        }
        for (std::int64_t met = 0;; ++met) {
            for (s.lane = 0; s.lane < lanes; ++s.lane)
                swapcontext(&s.scheduler, &s.fibre[s.lane].context);
            for (auto const& fibre : s.fibre)
                if (fibre.question != s.fibre[0].question) {
                    std::fputs("threads of a warp wait for different things\n", stderr);
                    std::abort();
                }
            if (s.fibre[0].question == Question::ended) return met;
            answer(s);
        }
    }

  private:
    static constexpr int lanes = 32;
    static constexpr std::size_t stack_bytes = 256 * 1024;

    enum class Question
    {
        ended,
        ballot,
        all_or,
        all_max
    };

    /// A thread: its stack, and what it asks the others.
    struct Fibre
    {
        ucontext_t context;
        std::unique_ptr<char[]> stack{new char[stack_bytes]};
        Question question = Question::ended;
        unsigned mine = 0;
    };
    struct State
    {
        Fibre fibre[lanes];
        ucontext_t scheduler;
        std::function<void()> const* thread = nullptr;
        int lane = 0;        ///< that runs
        unsigned answer = 0; ///< to the last question
    };

    static State& state()
    {
        static auto const own = std::make_unique<State>();
        return *own;
    }

    static void run_fibre()
    {
        auto& s = state();
        (*s.thread)();
        s.fibre[s.lane].question = Question::ended;
    }

    static unsigned ask(Question question, unsigned mine)
    {
        auto& s = state();
        auto& own = s.fibre[s.lane];
        own.question = question;
        own.mine = mine;
        swapcontext(&own.context, &s.scheduler);
        return s.answer;
    }

    static void answer(State& s)
    {
        unsigned bits = 0, all = 0, most = 0;
        for (int j = 0; j < lanes; ++j) {
            auto const mine = s.fibre[j].mine;
            bits |= (mine != 0 ? 1u : 0u) << j;
            all |= mine;
            most = mine > most ? mine : most;
        }
        auto const question = s.fibre[0].question;
        s.answer = question == Question::ballot ? bits : question == Question::all_or ? all : most;
    }
};

} // namespace crx_test
