#include "host/simulate/attempts.hh"

#include "kernels/engines/lists/execute_list.hh"

#include <algorithm>
#include <memory>

namespace crx {

namespace {

/// Follows the arrays that an engine writes, event by event.
class Recorder
{
  public:
    Recorder(std::size_t n, bool cancels_first)
        : start_(n, -1), completion_(n), cancellations_(n), counted_(n),
          cancels_first_(cancels_first)
    {
        for (std::size_t i = 0; i < n; ++i) waiting_.push_back(i);
    }

    ScheduleLog log()
    {
        return {start_.data(), completion_.data(), cancellations_.data(), on_event, this};
    }
    std::vector<CancelledRun> take() { return std::move(found_); }

  private:
    static void on_event(void* recorder, Instant time, Tokens, std::int64_t active, std::int64_t)
    {
        static_cast<Recorder*>(recorder)->look(time, active);
    }

    void look(Instant now, std::int64_t active)
    {
        std::vector<Running> before;
        before.swap(running_);
        for (auto const& run : before)
            if (completion_[run.request] == 0) follow(run.request, run.start, true, now);
        if (cancels_first_ && static_cast<std::int64_t>(running_.size()) >= active) return;
        std::vector<std::size_t> still;
        for (auto const i : waiting_)
            if (start_[i] == now || cancellations_[i] != counted_[i])
                follow(i, 0, false, now, &still);
            else
                still.push_back(i);
        waiting_.swap(still);
    }

    /// What happened to a request in this event. One that started before `now` ran until now; one
    /// that starts now may be cancelled in the same event by a policy that cancels twice in it.
    void follow(std::size_t i, Instant since, bool ran, Instant now,
                std::vector<std::size_t>* waits = nullptr)
    {
        auto const cancelled = cancellations_[i] - counted_[i];
        counted_[i] = cancellations_[i];
        bool const starts = start_[i] == now && !(ran && since == now);
        auto const changes = (ran ? 1 : 0) + (starts ? 1 : 0);
        bool const passed_at_once = cancelled > (cancels_first_ ? 1 : changes);
        if (ran && cancelled > 0 && !passed_at_once) found_.push_back({i, since, now});
        bool const runs = cancels_first_ ? starts || (ran && cancelled == 0) : changes > cancelled;
        if (!ran && starts && !runs && !passed_at_once) found_.push_back({i, now, now});
        if (runs)
            running_.push_back({i, start_[i]});
        else
            (waits != nullptr ? *waits : waiting_).push_back(i);
    }

    struct Running
    {
        std::size_t request;
        Instant start;
    };
    std::vector<Instant> start_, completion_;
    std::vector<std::int32_t> cancellations_, counted_;
    std::vector<std::size_t> waiting_;
    std::vector<Running> running_;
    std::vector<CancelledRun> found_;
    bool cancels_first_; ///< in an event all cancellations come before all starts
};

} // namespace

std::vector<CancelledRun> cancelled_runs(PolicySpec const& spec, OwnedInstance const& given,
                                         std::uint64_t seed, std::int64_t number)
{
    auto instance = given;
    auto const requests = requests_of(instance);
    auto const bytes = host_engine_bytes(spec, requests.n);
    auto const block = std::make_unique_for_overwrite<std::byte[]>(bytes);
    std::vector<CancelledRun> found;
    with_policy(spec, [&]<class P>(P const& policy) {
        if constexpr (P::kind == Clear::kind) return;
        Recorder recorder(static_cast<std::size_t>(requests.n),
                          P::outlived != Outlived::weightless);
        execute_on_host(policy, requests, seed, static_cast<std::uint64_t>(number), block.get(),
                        bytes, recorder.log());
        found = recorder.take();
    });
    return found;
}

} // namespace crx
