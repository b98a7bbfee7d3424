#pragma once

#include <chrono>
#include <cstdint>
#include <cstdio>
#include <string>

namespace crx {

/// How a sweep says how far it is.
enum class ProgressStyle
{
    none,
    live, ///< one line that is written again and again, for a terminal
    lines ///< a line a finished cell, for a file
};

/// `live` on a terminal, else `lines`.
ProgressStyle style_for(std::FILE* stream);

/// How far a sweep is.
struct ProgressState
{
    std::int64_t cells = 0, cells_done = 0;
    std::int64_t instances_left = 0; ///< up to the targets as they are known now
    std::int64_t instances_done = 0; ///< in this run
};

class Progress
{
  public:
    Progress(std::FILE* stream, ProgressStyle style);
    Progress(Progress const&) = delete;
    ~Progress() { clear(); }

    /// A line of its own, above the live one.
    void say(std::string const& line);
    void cell_done(ProgressState const& state, std::string const& what);
    void chunk_done(ProgressState const& state);
    double seconds() const; ///< since the start

  private:
    void clear();
    using Clock = std::chrono::steady_clock;
    std::FILE* stream_;
    ProgressStyle style_;
    Clock::time_point start_ = Clock::now(), drawn_{};
    bool line_shown_ = false;
};

/// "1:02:03", "4:05" or "6 s"
std::string duration_text(double seconds);

} // namespace crx
