#pragma once

#include "host/mpi/communicator.hh"
#include "host/mpi/messages.hh"

#include <chrono>
#include <map>
#include <vector>

namespace crx {

/// Rank 0's side of a run of several ranks: deals chunks to the others and gets their sums.
class RankWorkers final : public RemoteWorkers
{
  public:
    /// Ranks say that they are there every two seconds. One that is silent for longer than
    /// `timeout` counts as dead, and all ranks end.
    RankWorkers(Communicator& ranks, std::chrono::seconds timeout);
    /// Tells all ranks that the run is over.
    ~RankWorkers() override;

    /// Tells all ranks what the run is and waits until each is ready. Throws InputError where one
    /// cannot take part.
    void begin(BeginRun const& run, Experiment const& experiment);
    void work(Desk const& desk) override;

    /// "4 ranks on 2 machines, with 16 threads beside those of rank 0"
    std::string text() const;

  private:
    using Clock = std::chrono::steady_clock;
    struct Rank
    {
        RankReady ready;
        bool is_ready = false, has_left = false;
        Clock::time_point heard_of = Clock::now();
        std::map<std::int64_t, Job> dealt; ///< chunks that it runs, by number
    };

    bool take_messages(Desk const& desk);
    void take(Desk const& desk, Rank& rank, ChunkEnded const& ended);
    bool deal(Desk const& desk);
    void expect_all_there();
    void send_all(RankMessage const& message);
    bool all_back() const;
    std::string name(std::size_t rank) const;

    Communicator& ranks_;
    std::chrono::seconds timeout_;
    std::vector<PolicyEntry> policies_;
    std::vector<std::string> baselines_;
    std::vector<Rank> rank_; ///< by number; 0: this one, which is dealt nothing here
    std::int64_t next_number_ = 0;
};

} // namespace crx
