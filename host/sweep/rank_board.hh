#pragma once

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <filesystem>
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <thread>

namespace crx {

/// Where a process stands among those that mpirun or srun started together.
struct RankPlace
{
    int rank = 0, size = 1;
    int local_rank = 0, local_size = 1; ///< among those of its machine
};

/// This process's place, as the environment says it that Open MPI's mpirun, MPICH's and srun give
/// to each; rank 0 of 1 where it was started alone. Throws InputError where a launcher started it
/// that does not say how many there are.
RankPlace place_of_process();

/// Threads of a rank whose user asked for none: the processors that the launcher gave it alone, or
/// an equal share of those that all ranks of its machine may run on. At least 1.
int threads_of(RankPlace const& place);

/// What a rank lets the others know.
struct RankState
{
    std::string run;          ///< which run it takes part in: a text that its rank 0 has drawn
    std::int64_t round = 0;   ///< of work: the last that rank 0 gave out, or that this one began
    bool is_done = false;     ///< with its part of that round
    int status = -1;          ///< the exit status with which it ends; -1: it goes on
    std::string message = {}; ///< why, where that is not 0
    std::string host = {};    ///< its machine; filled in by RankBoard
};

/// Keeps a process's state in a file that the others read, and reads theirs: rank 0 those of all,
/// the others that of rank 0. A thread writes the file again every two seconds or sooner, with
/// another number each time: a file that does not change is of a process that died, hangs or does
/// not see the folder. Nothing but whole files that take their names at once is needed of the file
/// system: no locks, no equal clocks.
class RankBoard
{
  public:
    /// Makes the folder where it is not there. A rank whose file does not change for `timeout`
    /// counts as silent. Throws InputError where the folder cannot be made.
    RankBoard(std::filesystem::path folder, RankPlace const& place, std::chrono::seconds timeout);
    RankBoard(RankBoard const&) = delete;
    /// The file stays where a status above 0 was posted, for rank 0 to read why.
    ~RankBoard();

    std::filesystem::path const& folder() const { return folder_; }
    RankPlace const& place() const { return place_; }
    std::chrono::seconds timeout() const { return timeout_; }

    /// Lets the others know.
    void post(RankState state);
    /// What another one has let know since this process began; nothing: no word of it yet.
    std::optional<RankState> latest(int rank) const;
    /// Whether a rank was there and has left with nothing to tell: rank 0 prints why it ends.
    bool has_left(int rank) const;
    /// Whether one ended before this process did, or is silent: none is to go on. Costs nothing.
    bool is_over() const { return is_over_; }
    /// The first rank that is silent.
    std::optional<int> silent() const;
    /// "rank 2 of 4 on node7"
    std::string name(int rank) const;

  private:
    using Clock = std::chrono::steady_clock;
    struct Peer
    {
        std::string text;        ///< as last read
        bool is_current = false; ///< it changed since this process began
        bool has_left = false;
        Clock::time_point heard_of = Clock::now();
        RankState state;
    };

    std::filesystem::path file_of(int rank) const;
    std::string read(int rank) const;
    void write();
    void look();
    bool has_ended(int rank, Peer const& peer) const;
    bool is_silent(int rank, Peer const& peer) const;
    void run();

    std::filesystem::path folder_;
    RankPlace place_;
    std::chrono::seconds timeout_;
    mutable std::mutex mutex_;
    std::condition_variable wake_;
    RankState own_;
    Clock::time_point posted_ = Clock::now();
    std::int64_t beat_ = 0;
    bool ending_ = false, has_news_ = true;
    std::atomic<bool> is_over_ = false;
    std::map<int, Peer> peers_;
    std::thread thread_; ///< last: it uses all the others
};

} // namespace crx
