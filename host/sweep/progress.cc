#include "host/sweep/progress.hh"

#include "analysis/statistics/baseline_name.hh"
#include "host/say.hh"
#include "kernels/base/seconds_since.hh"

#include <fmt/core.h>
#include <sys/ioctl.h>
#include <system_error>
#include <unistd.h>

namespace crx {

namespace {

/// The text cut to the terminal's width: a line that wraps cannot be written over.
std::string fitting(std::string const& text, std::FILE* stream)
{
    winsize size{};
    if (::ioctl(::fileno(stream), TIOCGWINSZ, &size) != 0 || size.ws_col == 0) return text;
    return first_characters(text, size.ws_col - std::size_t{1});
}

} // namespace

ProgressStyle style_for(std::FILE* stream)
{
    return ::isatty(::fileno(stream)) != 0 ? ProgressStyle::live : ProgressStyle::lines;
}

std::string first_characters(std::string const& text, std::size_t most)
{
    std::size_t end = 0;
    for (std::size_t count = 0; end < text.size(); ++end) {
        bool const continues = (static_cast<unsigned char>(text[end]) & 0xc0u) == 0x80u;
        if (!continues && ++count > most) break;
    }
    return text.substr(0, end);
}

std::string duration_text(double seconds)
{
    if (seconds < 10) return fmt::format("{:.2g} s", seconds);
    auto const s = static_cast<std::int64_t>(seconds + 0.5);
    if (s < 60) return fmt::format("{} s", s);
    if (s < 3600) return fmt::format("{}:{:02}", s / 60, s % 60);
    return fmt::format("{}:{:02}:{:02}", s / 3600, s / 60 % 60, s % 60);
}

Progress::Progress(std::FILE* stream, ProgressStyle style, Clock::duration every,
                   Clock::duration long_chunk)
    : stream_(stream), style_(style), long_chunk_(long_chunk)
{
    if (style == ProgressStyle::none) return;
    auto const wait = style == ProgressStyle::live ? std::chrono::milliseconds(200) : every;
    try {
        ticker_ = std::thread([this, wait] { run(wait); });
    } catch (std::system_error const&) {
        // No memory or no thread is left for it: the work goes on without being shown.
    }
}

Progress::~Progress()
{
    {
        std::lock_guard const lock(mutex_);
        ending_ = true;
    }
    wake_.notify_all();
    if (ticker_.joinable()) ticker_.join();
    clear();
}

double Progress::seconds() const { return seconds_since(start_); }

void Progress::clear()
{
    if (line_shown_) write_message(stream_, "\r\033[K");
    line_shown_ = false;
}

void Progress::say(std::string const& line)
{
    if (style_ == ProgressStyle::none) return;
    std::lock_guard const lock(mutex_);
    clear();
    write_message(stream_, fmt::format("crx: {}\n", line));
}

void Progress::update(ProgressState const& state)
{
    std::lock_guard const lock(mutex_);
    state_ = state;
}

double Progress::Running::seconds() const { return seconds_since(since); }

std::int64_t Progress::begin(AllRunning& all, std::string const& what)
{
    std::lock_guard const lock(mutex_);
    all.emplace(next_, Running{what, Clock::now()});
    return next_++;
}

void Progress::end(AllRunning& all, std::int64_t number)
{
    std::lock_guard const lock(mutex_);
    all.erase(number);
}

std::int64_t Progress::begin(std::string const& chunk) { return begin(running_, chunk); }
void Progress::end(std::int64_t number) { end(running_, number); }
std::int64_t Progress::begin_part(std::string const& part) { return begin(parts_, part); }
void Progress::end_part(std::int64_t number) { end(parts_, number); }

std::string Progress::text() const
{
    double const rate = static_cast<double>(state_.instances_done) / seconds();
    auto text = fmt::format("{} of {} cells done", state_.cells_done, state_.cells);
    if (rate > 0)
        text +=
            fmt::format(", {:.4g} instances/s, {}{} left", rate, state_.may_grow ? "at least " : "",
                        duration_text(static_cast<double>(state_.instances_left) / rate));
    if (running_.empty()) return text;
    auto const& chunk = running_.begin()->second;
    auto const is_long = [&](Running const& it) { return Clock::now() - it.since >= long_chunk_; };
    if (!is_long(chunk)) return text;
    text += fmt::format("; running for {}: {}", duration_text(chunk.seconds()), chunk.what);
    if (!parts_.empty() && is_long(parts_.begin()->second))
        text += fmt::format(", {} in {}", duration_text(parts_.begin()->second.seconds()),
                            parts_.begin()->second.what);
    return text;
}

void Progress::run(Clock::duration every)
{
    std::unique_lock lock(mutex_);
    while (!wake_.wait_for(lock, every, [this] { return ending_; })) {
        if (state_.cells == 0) continue; // nothing has begun
        line_shown_ = style_ == ProgressStyle::live;
        write_message(stream_,
                      line_shown_ ? "\r\033[K" + fitting(text(), stream_)
                                  : fmt::format("crx: {}: {}\n", duration_text(seconds()), text()));
    }
}

namespace {

class WatchedBaselines : public HostBaselines
{
  public:
    WatchedBaselines(std::shared_ptr<HostBaselines const> baselines, std::string name,
                     Progress& progress)
        : baselines_(std::move(baselines)), name_(std::move(name)), progress_(progress)
    {
    }

    void evaluate(Requests const& requests, std::function<bool()> const& stop,
                  std::int64_t* value) const override
    {
        Part const part{progress_, progress_.begin_part(name_)};
        baselines_->evaluate(requests, stop, value);
    }
    std::vector<std::pair<std::string, std::string>> identity() const override
    {
        return baselines_->identity();
    }

  private:
    /// Ends however the search does.
    struct Part
    {
        Progress& progress;
        std::int64_t number;
        ~Part() { progress.end_part(number); }
    };

    std::shared_ptr<HostBaselines const> baselines_;
    std::string name_;
    Progress& progress_;
};

} // namespace

Plan with_watched_baselines(Plan plan, Progress& progress)
{
    std::string names;
    for (auto const kind : plan.baselines)
        if (static_cast<int>(kind) >= engine_baselines)
            names += (names.empty() ? "the search for " : ", ") + std::string(name_of(kind).id);
    if (names.empty()) return plan;
    auto const watched = [names, &progress](std::shared_ptr<HostBaselines const> baselines) {
        std::shared_ptr<HostBaselines const> outer;
        if (baselines != nullptr)
            outer = std::make_shared<WatchedBaselines>(std::move(baselines), names, progress);
        return outer;
    };
    plan.make_cell = [make = plan.make_cell, watched](std::string const& sweep,
                                                      Coordinates const& coordinates) {
        auto planned = make(sweep, coordinates);
        planned.cell.host_baselines = watched(planned.cell.host_baselines);
        return planned;
    };
    plan.host_baselines = [make = plan.host_baselines,
                           watched](std::vector<BaselineKind> const& kinds) {
        return watched(make(kinds));
    };
    return plan;
}

} // namespace crx
