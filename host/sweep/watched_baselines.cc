#include "host/sweep/watched_baselines.hh"

#include "analysis/statistics/baseline_name.hh"

namespace crx {

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
