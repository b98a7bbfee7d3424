#pragma once

#include "kernels/base/arena.cuh"

namespace crx {

/// A prompt that is told from the others, while it is in the system.
struct QueuedPrompt
{
    std::int32_t type = 0;
    std::int32_t older = -1, newer = -1; ///< its neighbours in the group, by arrival
    std::int32_t leaves_before = -1;     ///< the prompt before it among those of its exit
    std::int32_t segment = -1;           ///< it entered last; -1: none, it waits at stage 0
    bool seen = false;                   ///< its first token has been out once
    std::int64_t exit_run = 0;           ///< run of that segment in which it leaves it
    std::int64_t number = 0;             ///< how many prompts arrived before it
};

/// The prompts of one group in order of arrival. Those that have completed are not in it.
struct PromptOrder
{
    std::int32_t oldest = -1, newest = -1;
};

/// Places for prompts and the orders that are made of them. -1 stands for no prompt.
class PromptPool
{
  public:
    CRX_HD PromptPool(std::int64_t room, Arena& arena)
        : prompts_(arena.take<QueuedPrompt>(room)), room_(room)
    {
    }

    CRX_HD QueuedPrompt& operator[](std::int32_t id) { return prompts_[id]; }
    CRX_HD QueuedPrompt const& operator[](std::int32_t id) const { return prompts_[id]; }

    /// The number of the newest of the order, or -1 where no place is left.
    CRX_HD std::int32_t append(PromptOrder& order, std::int32_t type)
    {
        auto id = free_;
        if (id >= 0)
            free_ = prompts_[id].newer;
        else if (used_ < room_)
            id = static_cast<std::int32_t>(used_++);
        else
            return -1;
        auto& prompt = prompts_[id];
        prompt = QueuedPrompt{};
        prompt.type = type;
        prompt.older = order.newest;
        prompt.number = arrived_++;
        (order.newest >= 0 ? prompts_[order.newest].newer : order.oldest) = id;
        order.newest = id;
        return id;
    }

    CRX_HD void remove(PromptOrder& order, std::int32_t id)
    {
        auto& prompt = prompts_[id];
        (prompt.older >= 0 ? prompts_[prompt.older].newer : order.oldest) = prompt.newer;
        (prompt.newer >= 0 ? prompts_[prompt.newer].older : order.newest) = prompt.older;
        prompt.newer = free_;
        free_ = id;
    }

  private:
    QueuedPrompt* prompts_;
    std::int64_t room_;
    std::int64_t used_ = 0;    ///< places that were ever taken
    std::int64_t arrived_ = 0; ///< prompts so far
    std::int32_t free_ = -1;   ///< a place given back; its `newer` is the next one
};

} // namespace crx
