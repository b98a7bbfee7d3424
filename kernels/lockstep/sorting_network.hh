#pragma once

#include "kernels/lockstep/lanes.hh"

#include <utility>
#include <vector>

namespace crx::lockstep {

/// Sorts n vectors so that each lane ascends, by compare-exchanges that do not depend on the data.
/// Source: Batcher's merge exchange, Knuth, The Art of Computer Programming 3, 5.2.2, Algorithm M.
class SortingNetwork
{
  public:
    explicit SortingNetwork(int n);

    void sort(Row* keys) const;

  private:
    std::vector<std::pair<std::int16_t, std::int16_t>> exchanges_;
};

} // namespace crx::lockstep
