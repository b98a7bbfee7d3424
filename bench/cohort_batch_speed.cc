// h-sf, a-ell, a-max, a-min or a-min-evict by cohorts side by side
// (kernels/engines/cohorts/{fixed_length,a_max,a_min}_batch), in each width that the processor has,
// beside the engine alone, in turns: processor time an instance, the best of all turns, and the
// median of the ratio of a turn. docs/performance.md.
//   cohort_batch_speed [POLICY] [N] [M] [L] [U] [TURNS] [LENGTHS]
// Equally many requests of so many lengths from L to U; without LENGTHS of these two.
#include "kernels/engines/cohorts/cohort.hh"
#include "kernels/engines/cohorts/instance_batch.hh"
#include "kernels/policies/ladder.cuh"
#include "kernels/policies/max_length.cuh"
#include "kernels/policies/min_length.cuh"
#include "kernels/policies/shortest_first.cuh"

#include <algorithm>
#include <cstddef>
#include <cstdlib>
#include <ctime>
#include <fmt/format.h>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

namespace {

using namespace crx;

constexpr int instances = 48; ///< a turn, of each

double microseconds_now()
{
    timespec now{};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return 1e6 * static_cast<double>(now.tv_sec) + 1e-3 * static_cast<double>(now.tv_nsec);
}

Workload spread(std::int64_t n, std::int64_t memory, std::int32_t l, std::int32_t u,
                std::int32_t lengths)
{
    Workload w;
    w.requests = n;
    w.memory = memory;
    w.output_kind = OutputKind::composition;
    for (std::int32_t k = 0; k < lengths; ++k) {
        w.output_value.push_back(l + (u - l) * k / (lengths - 1));
        w.output_count.push_back(n * (k + 1) / lengths - n * k / lengths);
    }
    w.interval = {IntervalKind::common, l, u, 100, 0, 1};
    return w;
}

/// Microseconds an instance, of each turn.
struct Times
{
    std::vector<double> of_turn;

    template <class Run>
    void add(Run run)
    {
        auto const begin = microseconds_now();
        run();
        of_turn.push_back((microseconds_now() - begin) / instances);
    }
    double best() const { return *std::ranges::min_element(of_turn); }
    double median_below(Times const& other) const
    {
        std::vector<double> ratio;
        for (std::size_t k = 0; k < of_turn.size(); ++k)
            ratio.push_back(other.of_turn[k] / of_turn[k]);
        std::ranges::nth_element(ratio,
                                 ratio.begin() + static_cast<std::ptrdiff_t>(ratio.size() / 2));
        return ratio[ratio.size() / 2];
    }
};

std::optional<PolicyKind> kind_of(std::string_view name)
{
    constexpr std::pair<std::string_view, PolicyKind> kinds[] = {
        {"h-sf", ShortestFirst::kind},
        {"a-ell", PromoteLower::kind},
        {"a-max", MaxLength::kind},
        {"a-min", MinLength::kind},
        {"a-min-evict", MinLengthEvict::kind}};
    for (auto const& [known, kind] : kinds)
        if (name == known) return kind;
    return std::nullopt;
}

/// Those that start together leave together.
bool ends_together(PolicyKind kind)
{
    return kind == ShortestFirst::kind || kind == PromoteLower::kind;
}

} // namespace

int main(int argc, char** argv)
{
    auto const argument = [&](int k, long long otherwise) {
        return argc > k ? std::atoll(argv[k]) : otherwise;
    };
    auto const workload = spread(
        argument(2, 10'000), argument(3, 10'000), static_cast<std::int32_t>(argument(4, 10)),
        static_cast<std::int32_t>(argument(5, 100)), static_cast<std::int32_t>(argument(7, 2)));
    auto const view = view_of(workload);
    std::string_view const name = argc > 1 ? argv[1] : "a-max";
    auto const kind = kind_of(name);
    if (!kind) return fmt::print(stderr, "{}: no policy that is run side by side\n", name), 2;
    PolicySpec const policy{*kind, {}};
    auto const lanes_of = [&](WorkloadView const& w, SimdLevel width) {
        if (policy.kind == MaxLength::kind) return a_max_batch(w, width);
        return ends_together(policy.kind) ? fixed_length_batch(policy, w, width)
                                          : a_min_batch(policy.kind, w, width);
    };
    std::vector<std::max_align_t> block(cohort_bytes(policy, view) / sizeof(std::max_align_t) + 1);
    struct Form
    {
        char const* name;
        std::unique_ptr<InstanceBatch> lanes;
        Times times;
    };
    Form forms[] = {{"AVX-512", lanes_of(view, SimdLevel::avx512), {}},
                    {"AVX2", lanes_of(view, SimdLevel::avx2), {}}};
    Times alone;
    std::int64_t sum_alone = 0;
    std::int64_t first = 0; // of a turn: others each time, as branches that were met are learnt
    for (auto turn = argument(6, 201); turn > 0; --turn, first += instances) {
        alone.add([&] {
            for (int k = 0; k < instances; ++k)
                sum_alone += execute_cohort(policy, view, workload.output_count.data(), first + k,
                                            block.data(), block.size() * sizeof block[0])
                                 .total_latency;
        });
        for (auto& form : forms) {
            if (form.lanes == nullptr) continue;
            auto const lanes = form.lanes->lanes();
            std::vector<std::int64_t> counts;
            for (int k = 0; k < lanes; ++k)
                counts.insert(counts.end(), workload.output_count.begin(),
                              workload.output_count.end());
            std::int64_t sum = 0;
            form.times.add([&] {
                for (int k = 0; k < instances; k += lanes) {
                    form.lanes->execute(first + k, lanes, counts.data());
                    for (int j = 0; j < lanes; ++j) sum += form.lanes->outcome(j).total_latency;
                }
            });
            if (sum != sum_alone) return fmt::print("{}: other integers\n", form.name), 1;
        }
        sum_alone = 0;
    }
    fmt::print("alone: {:.2f} us\n", alone.best());
    for (auto const& form : forms)
        if (form.lanes != nullptr)
            fmt::print("{}, {} lanes: {:.2f} us, {:.2f} times as fast as alone\n", form.name,
                       form.lanes->lanes(), form.times.best(), form.times.median_below(alone));
}
