#include "emulated_gpu/threads.hh"

#include "emulated_gpu/memory.hh"

#include <csetjmp>
#include <deque>
#include <map>
#include <memory>
#include <ucontext.h>
#include <vector>

namespace emulated {
namespace {

constexpr int warp_size = 32;
constexpr std::size_t few = 40;
constexpr std::size_t stack_bytes = std::size_t{1} << 18;

struct Fiber
{
    GuardedPages stack{stack_bytes};
    ucontext_t first; ///< where it begins
    jmp_buf place;    ///< where it goes on
    bool begun = false;
};

struct Block;

struct Thread
{
    Block* block = nullptr;
    unsigned index = 0;
    Fiber* fiber = nullptr; ///< null: not begun
};

/// Where the threads of a warp meet.
struct Warp
{
    int arrived = 0, ended = 0;
    std::array<char const*, warp_size> point{};
    std::array<bool, warp_size> phase{};
    std::array<WarpValues, 2> values{}; ///< the first to go on may be at the next point
};

struct Block
{
    Index index;
    std::vector<Thread> threads;
    std::vector<Warp> warps;
    std::size_t arrived = 0, ended = 0;
    std::unique_ptr<GuardedPages> dynamic;
    std::map<void const*, GuardedPages> variables;
};

class Scheduler
{
  public:
    bool run(Config const& config, std::function<void()> const& body)
    {
        if (current_ != nullptr) fail("a kernel launches a kernel");
        config_ = config;
        body_ = &body;
        next_block_ = 0;
        backwards_ = any_word() % 2 != 0;
        blockDim = {static_cast<unsigned>(config.threads), 1, 1};
        gridDim = {static_cast<unsigned>(config.blocks), 1, 1};
        auto const most = std::int64_t{gpu().processors} * gpu().blocks_a_processor;
        auto const resident = 1 + static_cast<std::int64_t>(any_word() % most);
        while (next_block_ < std::min(resident, config.blocks)) begin_block();
        auto const how = _setjmp(home_);
        if (how == 0) go_to(next());
        current_ = nullptr;
        if (how == returned) return true;
        // What the threads had on their stacks is lost.
        runnable_.clear();
        blocks_.clear();
        idle_.clear();
        fibers_.clear();
        return false;
    }
    [[noreturn]] void end_kernel()
    {
        (void)thread();
        _longjmp(home_, ended);
    }

    bool running() const { return current_ != nullptr; }
    Block& block() const { return *thread().block; }
    std::size_t shared_bytes() const { return config_.shared; }

    WarpValues const& meet_warp(char const* point, std::uint64_t value)
    {
        auto& warp = this_warp();
        auto const lane = thread().index % warp_size;
        auto const phase = warp.phase[lane];
        warp.phase[lane] = !phase;
        warp.values[phase][lane] = value;
        warp.point[lane] = point;
        if (warp.ended > 0)
            fail(std::string("threads of a warp have returned, others wait at ") + point);
        if (++warp.arrived < warp_size) return leave(), warp.values[phase];
        for (auto const* other : warp.point)
            if (other != point && std::string_view(other) != point)
                fail(std::string("threads of a warp wait at ") + point + " and at " + other);
        warp.arrived = 0;
        auto const first = thread().index - lane;
        for (unsigned k = 0; k < warp_size; ++k) may_run(block().threads[first + k]);
        leave();
        return warp.values[phase];
    }
    void meet_block()
    {
        auto& here = block();
        if (here.ended > 0) fail("threads of a block have returned, others wait at __syncthreads");
        if (++here.arrived == here.threads.size()) {
            here.arrived = 0;
            for (auto& other : here.threads) may_run(other);
        }
        leave();
    }
    void let_others_run()
    {
        may_run(thread());
        leave();
    }

  private:
    static constexpr int returned = 1, ended = 2; ///< how home_ is come back to

    Thread& thread() const
    {
        if (current_ == nullptr) fail("the host calls what only kernels may");
        return *current_;
    }
    Warp& this_warp()
    {
        auto& here = block();
        if (here.threads.size() % warp_size != 0) fail("a warp that is not whole meets");
        return here.warps[thread().index / warp_size];
    }
    void may_run(Thread& which) { runnable_.push_back(&which); }

    void begin_block()
    {
        auto const number = backwards_ ? config_.blocks - 1 - next_block_ : next_block_;
        ++next_block_;
        auto& block = *blocks_.emplace(number, std::make_unique<Block>()).first->second;
        block.index.x = static_cast<unsigned>(number);
        block.threads.resize(static_cast<std::size_t>(config_.threads));
        block.warps.resize((block.threads.size() + warp_size - 1) / warp_size);
        for (std::size_t k = 0; k < block.threads.size(); ++k) {
            block.threads[k] = {&block, static_cast<unsigned>(k), nullptr};
            may_run(block.threads[k]);
        }
    }
    /// Any thread that does not wait; null where all have returned.
    Thread* next()
    {
        if (runnable_.empty()) {
            if (!blocks_.empty()) fail("threads wait for others that do not come");
            return nullptr;
        }
        // Mostly one of the last few, a warp that has just met say: their stacks are in the caches.
        auto const word = any_word();
        auto const from = word >> 58 == 0 ? runnable_.size() : std::min(runnable_.size(), few);
        auto const back = static_cast<std::uint32_t>(word) * from >> 32;
        std::swap(runnable_[runnable_.size() - 1 - back], runnable_.back());
        auto* const chosen = runnable_.back();
        runnable_.pop_back();
        return chosen;
    }
    void make_current(Thread& which)
    {
        current_ = &which;
        threadIdx.x = which.index;
        blockIdx = which.block->index;
    }
    /// The running thread goes on when its turn comes.
    void leave()
    {
        auto* const own = current_;
        auto* const other = next();
        if (other == own) return;
        if (_setjmp(own->fiber->place) == 0) go_to(other);
        make_current(*own);
    }
    [[noreturn]] void go_to(Thread* which)
    {
        if (which == nullptr) _longjmp(home_, returned);
        make_current(*which);
        if (which->fiber == nullptr) which->fiber = idle_fiber();
        if (which->fiber->begun) _longjmp(which->fiber->place, 1);
        which->fiber->begun = true;
        setcontext(&which->fiber->first);
        fail("setcontext failed");
    }
    Fiber* idle_fiber()
    {
        if (!idle_.empty()) {
            auto* const fiber = idle_.back();
            idle_.pop_back();
            return fiber;
        }
        auto& fiber = fibers_.emplace_back();
        getcontext(&fiber.first);
        fiber.first.uc_stack.ss_sp = fiber.stack.begin();
        // Stacks that all end alike would lie in the same few places of the processor's caches.
        fiber.first.uc_stack.ss_size = fiber.stack.bytes() - fibers_.size() % 61 * 1088;
        fiber.first.uc_link = nullptr;
        makecontext(&fiber.first, &Scheduler::run_fiber, 0);
        return &fiber;
    }
    static void run_fiber();

    /// Runs one thread after the other, as long as the next has not begun elsewhere.
    [[noreturn]] void run_threads()
    {
        for (;;) {
            auto* const fiber = current_->fiber;
            (*body_)();
            end_thread();
            auto* const other = next();
            if (other != nullptr && other->fiber == nullptr) {
                other->fiber = fiber;
                make_current(*other);
                continue;
            }
            idle_.push_back(fiber);
            if (_setjmp(fiber->place) == 0) go_to(other);
        }
    }
    void end_thread()
    {
        auto& block = *current_->block;
        auto& warp = block.warps[current_->index / warp_size];
        if (warp.arrived > 0) fail("threads of a warp return while others wait");
        if (block.arrived > 0) fail("threads of a block return while others wait");
        ++warp.ended;
        if (++block.ended < block.threads.size()) return;
        blocks_.erase(static_cast<std::int64_t>(block.index.x));
        if (next_block_ < config_.blocks) begin_block();
    }

    Config config_;
    std::function<void()> const* body_ = nullptr;
    std::int64_t next_block_ = 0; ///< how many have begun
    bool backwards_ = false;
    std::map<std::int64_t, std::unique_ptr<Block>> blocks_; ///< that run
    std::vector<Thread*> runnable_;
    Thread* current_ = nullptr;
    std::deque<Fiber> fibers_;
    std::vector<Fiber*> idle_;
    jmp_buf home_;
};

Scheduler& scheduler()
{
    static auto* const the_scheduler = new Scheduler;
    return *the_scheduler;
}

void Scheduler::run_fiber() { scheduler().run_threads(); }

std::uint64_t word_number = 1;

} // namespace

bool run_threads(Config const& config, std::function<void()> const& body)
{
    return scheduler().run(config, body);
}
void end_kernel() { scheduler().end_kernel(); }
void seed_order(std::uint64_t seed) { word_number = seed << 32; }
std::uint64_t any_word()
{
    // Steele, Lea and Flood (2014), doi:10.1145/2660193.2660195, section 3.
    auto word = ++word_number * 0x9e3779b97f4a7c15;
    word = (word ^ word >> 30) * 0xbf58476d1ce4e5b9;
    word = (word ^ word >> 27) * 0x94d049bb133111eb;
    return word ^ word >> 31;
}
bool in_kernel() { return scheduler().running(); }
std::string where()
{
    if (!in_kernel()) return {};
    return "block " + std::to_string(blockIdx.x) + ", thread " + std::to_string(threadIdx.x);
}

WarpValues const& meet_warp(char const* point, unsigned mask, std::uint64_t value)
{
    if (mask != ~0u) fail("a part of a warp meets");
    return scheduler().meet_warp(point, value);
}
void meet_block() { scheduler().meet_block(); }
void let_others_run() { scheduler().let_others_run(); }

void* dynamic_shared()
{
    auto const bytes = scheduler().shared_bytes();
    auto& pages = scheduler().block().dynamic;
    if (!pages) {
        pages = std::make_unique<GuardedPages>(bytes + 1);
        fill_with_garbage(pages->begin(), pages->bytes());
    }
    return pages->last(bytes);
}
void* static_shared(void const* name, std::size_t bytes)
{
    auto& variables = scheduler().block().variables;
    auto const [at, fresh] = variables.try_emplace(name, bytes);
    if (fresh) fill_with_garbage(at->second.begin(), at->second.bytes());
    return at->second.last(bytes);
}

} // namespace emulated
