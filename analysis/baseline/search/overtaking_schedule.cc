#include "analysis/baseline/search/overtaking_schedule.hh"

#include <algorithm>
#include <cstring>

namespace crx::baseline {
namespace {

template <class Held>
struct Vector
{
    typedef Held Lanes __attribute__((vector_size(16)));
};

template <class Held>
auto load(Held const* from)
{
    typename Vector<Held>::Lanes lane;
    std::memcpy(&lane, from, sizeof lane);
    return lane;
}

template <class Mask>
bool any(Mask const& mask)
{
    std::uint64_t word[sizeof mask / 8], all = 0;
    std::memcpy(word, &mask, sizeof mask);
    for (auto const w : word) all |= w;
    return all != 0;
}

} // namespace

template <class Held>
OvertakingSchedule<Held>::OvertakingSchedule(OwnedInstance const& instance, std::size_t stride)
    : instance_(instance), stride_(stride)
{
    CRX_EXPECT(stride >= 1);
    CRX_EXPECT(instance.memory <= most_memory);
    Rounds longest = 0;
    for (std::size_t i = 0; i < instance.output.size(); ++i) {
        last_arrival_ = std::max(last_arrival_, instance.arrival[i]);
        longest = std::max<Rounds>(longest, instance.output[i]);
        total_output_ += instance.output[i];
        auto& ramp = ramp_.emplace_back(
            (static_cast<std::size_t>(instance.output[i]) + lanes - 1) / lanes * lanes, Held{0});
        for (std::int32_t j = 1; j <= instance.output[i]; ++j)
            ramp[static_cast<std::size_t>(j) - 1] = static_cast<Held>(instance.prompt[i] + j);
    }
    // With releases up to latest_release() no start is past twice that.
    auto const width = static_cast<std::size_t>(2 * latest_release() + longest) + 2 * lanes;
    snapshots_.resize(instance.output.size() / stride_ + 1);
    work_.assign(width, 0);
    latency_.assign(instance.output.size() + 1, 0);
    busy_until_.assign(instance.output.size() + 1, 0);
    start_.assign(instance.output.size(), 0);
}

template <class Held>
double OvertakingSchedule<Held>::bytes_needed(OwnedInstance const& instance, std::size_t stride)
{
    double times = 0;
    for (std::size_t i = 0; i < instance.output.size(); ++i)
        times = std::max(times, static_cast<double>(instance.arrival[i]));
    for (auto const output : instance.output) times += output;
    // Starts lie before twice these times.
    return 2 * sizeof(Held) * times * (static_cast<double>(instance.output.size() / stride) + 2);
}

/// The least start >= from at which the request fits. Where it does not, because at time t more is
/// used than is left beside s + (t - start), no start below t - (M - used - s) fits either.
template <class Held>
Rounds OvertakingSchedule<Held>::earliest(Held const* used, std::int32_t request, Rounds from) const
{
    auto const& ramp = ramp_[static_cast<std::size_t>(request)];
    auto const memory = static_cast<Held>(instance_.memory);
    auto const prompt = instance_.prompt[static_cast<std::size_t>(request)];
    auto start = from;
    for (bool moved = true; moved;) {
        moved = false;
        for (auto block = ramp.size(); block > 0 && !moved; block -= lanes) {
            auto const* const at = used + start + 1 + static_cast<std::ptrdiff_t>(block - lanes);
            auto const grown = load(ramp.data() + block - lanes);
            if (!any((load(at) > memory - grown) & (grown > 0))) continue;
            // The last time in the block that is too full decides how far to move.
            for (auto j = lanes; j-- > 0;) {
                auto const grows = ramp[block - lanes + j];
                if (grows == 0 || at[j] <= memory - grows) continue;
                auto const time = start + 1 + static_cast<Rounds>(block - lanes + j);
                auto const age = std::max<Rounds>(memory - at[j] - prompt, 0);
                start = std::max(start + 1, time - age);
                moved = true;
                break;
            }
        }
    }
    return start;
}

template <class Held>
void OvertakingSchedule<Held>::place(Held* used, std::int32_t request, Rounds start) const
{
    auto const& ramp = ramp_[static_cast<std::size_t>(request)];
    for (std::size_t block = 0; block < ramp.size(); block += lanes) {
        auto* const at = used + start + 1 + static_cast<std::ptrdiff_t>(block);
        auto const sum = load(at) + load(ramp.data() + block);
        std::memcpy(at, &sum, sizeof sum);
    }
}

/// work_ becomes what those before place `from` use, as in the last call of `keep`.
template <class Held>
void OvertakingSchedule<Held>::restore(Order const& order, std::size_t from)
{
    auto const k = from / stride_;
    auto const& saved = snapshots_[k];
    std::ranges::copy(saved, work_.begin());
    if (work_end_ > saved.size())
        std::fill(work_.data() + saved.size(), work_.data() + work_end_, 0);
    for (auto at = k * stride_; at < from; ++at)
        place(work_.data(), order[at], start_[static_cast<std::size_t>(order[at])]);
}

template <class Held>
void OvertakingSchedule<Held>::save(std::size_t place, Rounds busy)
{
    if (place % stride_ == 0) // memory is used up to time busy
        snapshots_[place / stride_].assign(work_.data(), work_.data() + busy + 1);
}

template <class Held>
Rounds OvertakingSchedule<Held>::run(Order const& order, Releases const& release, std::size_t from,
                                     Rounds stop_at, bool keep)
{
    auto const n = order.size();
    auto latency = latency_[from];
    auto busy = busy_until_[from];
    restore(order, from);
    Rounds outputs = 0;
    for (auto place_at = from; place_at < n; ++place_at)
        outputs += instance_.output[static_cast<std::size_t>(order[place_at])];
    for (auto at = from; at < n; ++at) {
        auto const request = order[at];
        auto const r = static_cast<std::size_t>(request);
        auto const output = instance_.output[r];
        auto const start =
            earliest(work_.data(), request, std::max<Rounds>(instance_.arrival[r], release[r]));
        latency += start + output - instance_.arrival[r];
        outputs -= output;
        if (latency + outputs >= stop_at && !keep) {
            latency = stop_at;
            break;
        }
        busy = std::max(busy, start + output);
        place(work_.data(), request, start);
        if (keep) {
            start_[r] = static_cast<std::int32_t>(start);
            latency_[at + 1] = latency;
            busy_until_[at + 1] = busy;
            save(at + 1, busy);
        }
    }
    work_end_ = static_cast<std::size_t>(busy) + 1;
    return latency;
}

template <class Held>
Rounds OvertakingSchedule<Held>::evaluate(Order const& order, Releases const& release,
                                          std::size_t from, Rounds stop_at)
{
    return run(order, release, from, stop_at, false);
}

template <class Held>
Rounds OvertakingSchedule<Held>::keep(Order const& order, Releases const& release, std::size_t from)
{
    return run(order, release, from, INT64_MAX, true);
}

template <class Held>
Starts OvertakingSchedule<Held>::starts() const
{
    return {start_.begin(), start_.end()};
}

template class OvertakingSchedule<std::int16_t>;
template class OvertakingSchedule<std::int32_t>;

} // namespace crx::baseline
