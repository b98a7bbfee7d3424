#pragma once

#include "host/sweep/plan.hh"

#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <cstdio>
#include <map>
#include <mutex>
#include <string>
#include <thread>

namespace crx {

/// How a sweep says how far it is.
enum class ProgressStyle
{
    none,
    live, ///< one line that is written again and again, for a terminal
    lines ///< a new line every ten seconds, for a file
};

/// `live` on a terminal, else `lines`.
ProgressStyle style_for(std::FILE* stream);

/// How far a sweep is.
struct ProgressState
{
    std::int64_t cells = 0, cells_done = 0;
    std::int64_t instances_left = 0; ///< up to the targets as they are known now
    std::int64_t instances_done = 0; ///< in this run
    bool may_grow = false;           ///< whether these targets may still grow
};

/// Says how far a sweep is, by the clock and from a thread of its own: also while one instance
/// takes minutes. For calls from several threads.
class Progress
{
  public:
    using Clock = std::chrono::steady_clock;

    /// `every`: time between two lines of style `lines`. A chunk that runs for longer than
    /// `long_chunk` is named, as no count moves meanwhile.
    Progress(std::FILE* stream, ProgressStyle style,
             Clock::duration every = std::chrono::seconds(10),
             Clock::duration long_chunk = std::chrono::seconds(3));
    Progress(Progress const&) = delete;
    ~Progress();

    /// A line of its own, above the live one.
    void say(std::string const& line);
    /// How far the sweep is from now on.
    void update(ProgressState const& state);
    /// A chunk begins ("alpha w=0.5, instance 0"); the number is that of its end.
    std::int64_t begin(std::string const& chunk);
    void end(std::int64_t number);
    /// Something inside a chunk that may take minutes begins ("the search for best-found").
    std::int64_t begin_part(std::string const& part);
    void end_part(std::int64_t number);
    double seconds() const; ///< since the start

  private:
    struct Running
    {
        std::string what;
        Clock::time_point since;

        double seconds() const;
    };
    /// Ascending: the first began first.
    using AllRunning = std::map<std::int64_t, Running>;

    std::int64_t begin(AllRunning& all, std::string const& what);
    void end(AllRunning& all, std::int64_t number);

    void run(Clock::duration every);
    std::string text() const; ///< contract: locked
    void clear();             ///< contract: locked

    std::FILE* stream_;
    ProgressStyle style_;
    Clock::duration long_chunk_;
    Clock::time_point start_ = Clock::now();
    mutable std::mutex mutex_;
    std::condition_variable wake_;
    bool ending_ = false, line_shown_ = false;
    ProgressState state_;
    AllRunning running_, parts_;
    std::int64_t next_ = 0;
    std::thread ticker_; ///< last: it uses all the others
};

/// As much of a UTF-8 text as has at most so many characters; none is cut in the middle.
std::string first_characters(std::string const& text, std::size_t most);

/// "1:02:03", "4:05" or "6 s"
std::string duration_text(double seconds);

/// The plan with denominators that tell `progress` while they are searched for or solved, one
/// instance of which may take minutes. Contract: progress outlives it.
Plan with_watched_baselines(Plan plan, Progress& progress);

} // namespace crx
