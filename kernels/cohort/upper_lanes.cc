#include "kernels/cohort/upper_lanes.hh"

#include "kernels/cohort/upper_lane_engine.hh"

namespace crx {

#ifdef CRX_NUMBER_LANES
namespace {

constexpr double two_to(int k) { return static_cast<double>(std::int64_t{1} << k); }

/// Most rounds until all have completed: while some wait, at least as many run as fit whatever
/// their age, and each of the n runs u rounds at most.
double most_rounds(WorkloadView const& w)
{
    auto const u = std::int64_t{w.interval.upper};
    auto const together = w.memory / (w.prompt_constant + u);
    return static_cast<double>(w.requests) * static_cast<double>(u) /
               static_cast<double>(together) +
           static_cast<double>(u) + 1;
}

/// Whether whole numbers below 2^bits hold all that is computed of a cohort: a room times the time
/// to an end, a time, n; and a quotient of a room rounds down exactly.
bool holds(int bits, WorkloadView const& w)
{
    auto const memory = static_cast<double>(w.memory);
    auto const reach = static_cast<double>(w.prompt_constant) + w.interval.upper;
    return 2 * memory < two_to(bits) && memory * reach < two_to(bits) &&
           most_rounds(w) + reach < two_to(bits) && static_cast<double>(w.requests) < two_to(bits);
}

// Two sizes: what is known of two classes stays in registers.
template <class T>
__attribute__((target("arch=x86-64-v4"), flatten)) void run_two(UpperLaneEngine<T>& engine)
{
    engine.template run<2>();
}
template <class T>
__attribute__((target("arch=x86-64-v4"), flatten)) void run_most(UpperLaneEngine<T>& engine)
{
    engine.template run<UpperLaneEngine<T>::most_classes>();
}

template <class T>
class LanesOf final : public UpperLanes
{
  public:
    explicit LanesOf(WorkloadView const& w)
        : UpperLanes(UpperLaneEngine<T>::lanes), workload_(w), engine_(w)
    {
    }

    void execute(std::int64_t first, int instances, std::int64_t const* counts) override
    {
        auto const& values = workload_.output_value;
        engine_.open(workload_, first, instances, counts);
        if (values.size() <= 2)
            run_two(engine_);
        else
            run_most(engine_);
        for (int j = 0; j < instances; ++j, counts += values.size())
            keep(j, engine_.outcome(j), workload_, counts);
    }

  private:
    WorkloadView workload_;
    UpperLaneEngine<T> engine_;
};

} // namespace

std::unique_ptr<UpperLanes> UpperLanes::serving(WorkloadView const& w)
{
    constexpr double most_steps = 1 << 18; // some tenths of a second
    if (__builtin_cpu_supports("x86-64-v4") == 0 || w.requests == 0 ||
        w.output_value.size() > UpperLaneEngine<float>::most_classes || most_rounds(w) > most_steps)
        return nullptr;
    if (holds(24, w)) return std::make_unique<LanesOf<float>>(w);
    if (holds(52, w)) return std::make_unique<LanesOf<double>>(w);
    return nullptr;
}

#else

std::unique_ptr<UpperLanes> UpperLanes::serving(WorkloadView const&) { return nullptr; }

#endif

} // namespace crx
