#include "host/sweep/progress.hh"

#include <fmt/core.h>
#include <unistd.h>

namespace crx {

ProgressStyle style_for(std::FILE* stream)
{
    return ::isatty(::fileno(stream)) != 0 ? ProgressStyle::live : ProgressStyle::lines;
}

std::string duration_text(double seconds)
{
    if (seconds < 10) return fmt::format("{:.2g} s", seconds);
    auto const s = static_cast<std::int64_t>(seconds + 0.5);
    if (s < 60) return fmt::format("{} s", s);
    if (s < 3600) return fmt::format("{}:{:02}", s / 60, s % 60);
    return fmt::format("{}:{:02}:{:02}", s / 3600, s / 60 % 60, s % 60);
}

Progress::Progress(std::FILE* stream, ProgressStyle style) : stream_(stream), style_(style) {}

double Progress::seconds() const
{
    return std::chrono::duration<double>(Clock::now() - start_).count();
}

void Progress::clear()
{
    if (line_shown_) fmt::print(stream_, "\r\033[K");
    line_shown_ = false;
}

void Progress::say(std::string const& line)
{
    if (style_ == ProgressStyle::none) return;
    clear();
    fmt::print(stream_, "crx: {}\n", line);
    std::fflush(stream_);
}

void Progress::cell_done(ProgressState const& state, std::string const& what)
{
    if (style_ == ProgressStyle::lines)
        say(fmt::format("{} of {} cells done: {}", state.cells_done, state.cells, what));
}

void Progress::chunk_done(ProgressState const& state)
{
    auto const now = Clock::now();
    if (style_ != ProgressStyle::live || now - drawn_ < std::chrono::milliseconds(100)) return;
    drawn_ = now;
    double const rate = static_cast<double>(state.instances_done) / seconds();
    std::string const left =
        rate > 0 ? duration_text(static_cast<double>(state.instances_left) / rate) : "?";
    fmt::print(stream_, "\r\033[K{} of {} cells, {:.4g} instances/s, {} left", state.cells_done,
               state.cells, rate, left);
    std::fflush(stream_);
    line_shown_ = true;
}

} // namespace crx
