#include "analysis/fluid/critical_load.hh"

#include "kernels/engines/iterations/poisson_arrivals.cuh"

#include <algorithm>
#include <cmath>
#include <fmt/core.h>
#include <memory>
#include <numbers>
#include <stdexcept>

namespace crx::fluid {

Tokens tokens_of_all_stages(PromptType const& type)
{
    return (type.output + 1) * type.prompt + type.output * (type.output + 1) / 2;
}

double utilisation(Load const& load)
{
    auto const require = [](bool holds, std::string const& what, double value,
                            char const* accepted) {
        if (!holds)
            throw std::domain_error(
                fmt::format("{} = {} is not accepted: must be {}", what, value, accepted));
    };
    require(load.overhead > 0 && std::isfinite(load.overhead), "d0", load.overhead, "positive");
    require(load.per_token >= 0 && std::isfinite(load.per_token), "d1", load.per_token,
            "at least 0");
    require(!load.types.empty() && load.types.size() == load.rate.size(), "number of types",
            static_cast<double>(load.types.size()), "at least 1, with a rate each");
    double sum = 0;
    for (std::size_t j = 0; j < load.types.size(); ++j) {
        require(load.rate[j] > 0 && std::isfinite(load.rate[j]), fmt::format("rate of type {}", j),
                load.rate[j], "positive");
        sum += load.rate[j] * static_cast<double>(tokens_of_all_stages(load.types[j]));
    }
    return load.per_token * sum;
}

Equilibrium equilibrium(Load const& load)
{
    Equilibrium e{};
    e.utilisation = utilisation(load);
    if (!(e.utilisation < 1))
        throw std::domain_error(fmt::format(
            "unstable: D = d1 sum lambda_j (l'_j+1)(l_j + l'_j/2) = {:.6g}, must be below 1",
            e.utilisation));
    e.iteration = load.overhead / (1 - e.utilisation);
    for (std::size_t j = 0; j < load.types.size(); ++j) {
        auto const output = static_cast<double>(load.types[j].output);
        e.memory += load.rate[j] * static_cast<double>(tokens_of_all_stages(load.types[j]));
        e.throughput += load.rate[j] * output;
        e.throughput_as_in_8 += load.rate[j] * (output + 1);
        e.at_stage.push_back(load.rate[j] * e.iteration);
    }
    e.memory *= e.iteration;
    return e;
}

namespace {

/// The workload of a queue whose server works off `speed` units a nanosecond.
class Workload
{
  public:
    explicit Workload(Unsigned128 speed) : speed_(speed) {}
    void go_on_to(Nanoseconds now)
    {
        auto const before = static_cast<long double>(level_);
        auto const length = static_cast<Unsigned128>(now - now_);
        auto const done = speed_ * length;
        auto const busy = level_ > done;
        level_ = busy ? level_ - done : 0;
        area_ += busy ? (before + static_cast<long double>(level_)) / 2 *
                            static_cast<long double>(length)
                      : before * before / 2 / static_cast<long double>(speed_);
        now_ = now;
    }
    void add(Unsigned128 work) { level_ += work; }
    Unsigned128 level() const { return level_; }
    long double area() const { return area_; } ///< units times nanoseconds

  private:
    Unsigned128 speed_, level_ = 0;
    Nanoseconds now_ = 0;
    long double area_ = 0;
};

} // namespace

std::vector<WorkLeft> work_left_at_least(IterationCell const& cell, Tokens memory,
                                         std::int64_t path)
{
    CRX_EXPECT(memory >= 1 && cell.time.overhead > memory);
    auto const make = [&](Arena& arena) {
        return PoissonArrivals(cell.arrivals.table(), cell.seed, static_cast<std::uint64_t>(path),
                               nullptr, nullptr, 0, arena);
    };
    Arena counter(nullptr, 0);
    make(counter);
    auto const block = std::make_unique_for_overwrite<std::byte[]>(counter.bytes_used());
    Arena arena(block.get(), counter.bytes_used());
    auto arrivals = make(arena);

    // In units of 1 / (time of a full batch) tokens all is whole.
    auto const full = static_cast<Unsigned128>(cell.time.of(memory));
    Workload workload(static_cast<Unsigned128>(memory));
    std::vector<WorkLeft> left;
    for (auto const until : cell.checkpoints) {
        for (; arrivals.time() <= until; arrivals.advance()) {
            workload.go_on_to(arrivals.time());
            auto const& type = cell.types[static_cast<std::size_t>(arrivals.type())];
            workload.add(static_cast<Unsigned128>(tokens_of_all_stages(type)) * full);
        }
        workload.go_on_to(until);
        auto const unit = static_cast<long double>(full);
        left.push_back({until,
                        static_cast<double>(static_cast<long double>(workload.level()) / unit),
                        static_cast<double>(workload.area() / unit * 1e-9L)});
    }
    return left;
}

double CriticalLoad::work(double t) const
{
    return deviation * std::sqrt(2 * t * std::numbers::inv_pi);
}
double CriticalLoad::latency(double t) const { return 2 * work(t) / (3 * rate * work_per_prompt); }
double CriticalLoad::gap(double t) const { return work(t) / (work_per_token * t); }

CriticalLoad critical_load(Load const& load)
{
    CriticalLoad out;
    double variance = 0;
    for (std::size_t j = 0; j < load.types.size(); ++j) {
        auto const work = static_cast<double>(tokens_of_all_stages(load.types[j]));
        variance += load.rate[j] * work * work;
        out.rate += load.rate[j];
        out.work_per_prompt = std::max(out.work_per_prompt, work);
        out.work_per_token =
            std::max(out.work_per_token, work / static_cast<double>(load.types[j].output));
    }
    out.deviation = std::sqrt(variance);
    return out;
}

} // namespace crx::fluid
