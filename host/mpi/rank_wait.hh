#pragma once

#include <algorithm>
#include <chrono>
#include <string>
#include <thread>

namespace crx {

/// Pauses between two looks for messages: short after one that moved something, then longer, so
/// that looking takes next to nothing of a processor.
class RankWait
{
  public:
    void after(bool moved)
    {
        constexpr std::chrono::microseconds least{50}, most{1000};
        pause_ = moved ? least : std::min(most, 2 * pause_);
        if (!moved) std::this_thread::sleep_for(pause_);
    }

  private:
    std::chrono::microseconds pause_{50};
};

/// The name of this machine.
std::string this_machine();

} // namespace crx
