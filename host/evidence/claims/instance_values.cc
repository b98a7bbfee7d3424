#include "host/evidence/claims/instance_values.hh"

#include "analysis/adversary/grouped_run.hh"
#include "analysis/baseline/hindsight.hh"
#include "analysis/baseline/identical_dual.hh"
#include "analysis/sorted_f/transformed.hh"
#include "analysis/sorted_f/two_groups.hh"
#include "host/error.hh"
#include "kernels/policies/policy_info.hh"

#include <algorithm>
#include <array>
#include <numeric>

namespace crx::claims {

namespace {

using sorted_f::Selector;

/// "a-min-evict" of "a_min_evict"; null where there is no such policy.
PolicyInfo const* policy_of(std::string name)
{
    for (auto& c : name)
        if (c == '_') c = '-';
    return find_policy(name);
}

constexpr std::array<std::pair<std::string_view, Selector>, 4> selectors{
    {{"exact", Selector::exact},
     {"scaled", Selector::scaled},
     {"swap", Selector::swap},
     {"quantile", Selector::quantile}}};

/// "NAME_SELECTOR" or, of the exact selector, NAME; none where it is another name.
std::optional<Selector> selector_of(std::string const& name, std::string const& stem)
{
    if (name == stem) return Selector::exact;
    for (auto const& [id, selector] : selectors)
        if (name == stem + "_" + std::string(id)) return selector;
    return std::nullopt;
}

constexpr std::array<std::string_view, 8> by_selector{
    "sorted_f",     "separate",     "group",         "align",
    "lemma_1_kept", "later_starts", "terminal_room", "last_batch"};
constexpr std::array<std::string_view, 22> plain{"n",
                                                 "M",
                                                 "optimum",
                                                 "volume",
                                                 "outputs",
                                                 "dual",
                                                 "pairs",
                                                 "largest_peak",
                                                 "equal_prompts",
                                                 "identical",
                                                 "scheduled",
                                                 "feasible",
                                                 "opt_align",
                                                 "opt_align_windows",
                                                 "group_growth",
                                                 "groups_apart",
                                                 "last_group_first",
                                                 "lemma_2_broken",
                                                 "most_output",
                                                 "starts_as_given",
                                                 "no_prompts",
                                                 "least_output"};

double to_double(sorted_f::Fraction const& value) { return value.convert_to<double>(); }

/// OPT_align of a schedule in which group g starts no earlier than 6 b_g - 3 delta_(g-1), b_g the
/// sum of the delta before it: WANG Theorem 7's "time-window scaling" (docs/proofs/align.md).
double windows_align(OwnedInstance const& instance, baseline::Starts const& starts)
{
    auto const made = sorted_f::transform_schedule(instance, starts);
    sorted_f::Fraction now = 0, total = 0;
    std::size_t group = 0;
    for (auto const& batch : made.batches) {
        auto const end = starts[batch.front()] + instance.output[batch.front()];
        for (; end > made.ends[group]; ++group) {
            auto const before = made.ends[group];
            auto const delta = before - (group > 0 ? made.ends[group - 1] : 0);
            now = std::max(now, sorted_f::Fraction(6 * before - 3 * delta));
        }
        std::int64_t outputs = 0;
        for (auto const i : batch) outputs += instance.output[i];
        total += std::ssize(batch) * now + outputs;
        now += sorted_f::Fraction(outputs, std::ssize(batch));
    }
    return to_double(total);
}

} // namespace

struct InstanceValues::Detail
{
    TrialInstance const& of;
    std::map<std::string, double> known = {};
    std::optional<baseline::Hindsight> best = {};
    std::map<Selector, std::vector<sorted_f::Batch>> made = {};

    OwnedInstance const& one_by_one() const
    {
        if (of.instance.output.empty())
            throw RunError("this number needs the requests one by one, and there are more than " +
                           std::to_string(most_single_requests));
        return of.instance;
    }

    baseline::Hindsight const& optimum()
    {
        if (!best) best = baseline::hindsight(one_by_one(), {.seconds = 60});
        if (!best->optimal()) throw RunError("the optimum of an instance was not proven in time");
        return *best;
    }
    baseline::Starts schedule()
    {
        if (of.starts) return *of.starts;
        return optimum().best().starts;
    }

    std::vector<sorted_f::Batch> const& batches(Selector selector)
    {
        auto const [place, is_new] = made.try_emplace(selector);
        if (is_new) {
            auto made_here = sorted_f::batches(one_by_one(), {selector, 6, 1, of.number});
            if (!made_here) throw RunError("the table of Sorted-F is too large");
            place->second = std::move(*made_here);
        }
        return place->second;
    }

    double total(PolicyInfo const& info, Tokens memory)
    {
        PolicySpec spec;
        spec.kind = info.kind;
        if (of.instance.output.empty())
            return static_cast<double>(run_grouped(spec, of.groups, memory).total_latency);
        auto instance = of.instance;
        instance.memory = memory;
        auto const run = execute_single(spec, instance, 1, static_cast<std::int64_t>(of.number));
        return static_cast<double>(run.outcome.total_latency);
    }

    /// Mean over all orders of the requests, each with the same draws: exact for a policy whose
    /// only draw is one random order.
    double mean_over_orders(PolicyInfo const& info, Tokens memory)
    {
        auto instance = one_by_one();
        if (instance.requests() > 8)
            throw RunError("a mean over all orders takes at most 8 requests");
        instance.memory = memory;
        PolicySpec spec;
        spec.kind = info.kind;
        std::vector<std::size_t> order(instance.output.size());
        std::iota(order.begin(), order.end(), std::size_t{0});
        std::int64_t sum = 0, orders = 0;
        do {
            auto one = instance;
            for (std::size_t i = 0; i < order.size(); ++i) {
                one.prompt[i] = instance.prompt[order[i]];
                one.output[i] = instance.output[order[i]];
                one.lower[i] = instance.lower[order[i]];
                one.upper[i] = instance.upper[order[i]];
            }
            sum += execute_single(spec, one, 1, 0).outcome.total_latency;
            ++orders;
        } while (std::ranges::next_permutation(order).found);
        return static_cast<double>(sum) / static_cast<double>(orders);
    }

    /// TEL of the prefix rule with the groups in an order.
    double in_group_order(std::vector<std::size_t> const& order)
    {
        if (of.instance.output.empty()) {
            std::vector<sorted_f::Segment> segments;
            for (auto const g : order) segments.push_back({g, of.groups[g].count});
            return static_cast<double>(
                sorted_f::run_segments(of.groups, of.instance.memory, segments).total_latency);
        }
        std::vector<std::size_t> requests;
        for (auto const g : order) {
            std::size_t first = 0;
            for (std::size_t k = 0; k < g; ++k)
                first += static_cast<std::size_t>(of.groups[k].count);
            for (std::int64_t k = 0; k < of.groups[g].count; ++k)
                requests.push_back(first + static_cast<std::size_t>(k));
        }
        return static_cast<double>(execute_in_order(of.instance, requests).outcome.total_latency);
    }
    std::vector<std::size_t> group_order() const
    {
        std::vector<std::size_t> order(of.groups.size());
        std::iota(order.begin(), order.end(), std::size_t{0});
        return order;
    }
    double last_group_first()
    {
        auto order = group_order();
        std::ranges::rotate(order, order.end() - 1);
        return in_group_order(order);
    }
    double groups_apart()
    {
        if (of.groups.size() > 6) throw RunError("groups_apart takes at most six groups");
        auto order = group_order();
        double least = in_group_order(order);
        while (std::ranges::next_permutation(order).found)
            least = std::min(least, in_group_order(order));
        return least;
    }

    /// sum over pairs o' <= o of s o' + o'(o'+1)/2, as JAILLET Lemmas 4.4 and 4.7 sum it.
    double pairs() const
    {
        double sum = 0;
        auto const& i = one_by_one();
        for (auto const o : i.output)
            for (auto const other : i.output)
                if (other <= o)
                    sum +=
                        static_cast<double>(i.prompt.front()) * other + 0.5 * other * (other + 1.);
        return sum;
    }

    double of_selector(std::string_view stem, Selector selector)
    {
        auto const& instance = one_by_one();
        auto const& batches_made = batches(selector);
        if (stem == "lemma_1_kept")
            return std::ranges::all_of(batches_made, [&](auto const& batch) {
                return sorted_f::keeps_lemma_1(instance, batch);
            });
        auto const run = execute_in_order(instance, sorted_f::order_of(batches_made));
        if (stem == "sorted_f") return static_cast<double>(run.outcome.total_latency);
        if (stem == "later_starts") { // than in batches one after another
            auto const separate = sorted_f::separate_starts(instance, batches_made);
            double later = 0;
            for (std::size_t i = 0; i < separate.size(); ++i) later += run.start[i] > separate[i];
            return later;
        }
        auto const parts = sorted_f::transform(instance, batches_made);
        if (stem == "separate") return static_cast<double>(parts.separate);
        auto const held = [&](sorted_f::Batch const& batch) {
            double tokens = 0;
            for (auto const i : batch) tokens += instance.prompt[i] + instance.output[i];
            return tokens;
        };
        if (stem == "last_batch") return held(batches_made.back());
        if (stem == "terminal_room") { // less the shortest of the next batch; negative: none fits
            double most = -static_cast<double>(instance.memory);
            for (auto const k : parts.terminal) {
                if (k + 1 == batches_made.size()) continue;
                auto const first = batches_made[k + 1].front();
                most = std::max(most, static_cast<double>(instance.memory) - held(batches_made[k]) -
                                          instance.prompt[first] - instance.output[first]);
            }
            return most;
        }
        return stem == "group" ? static_cast<double>(parts.group) : to_double(parts.align);
    }

    sorted_f::GroupGrowth growth(Selector selector)
    {
        auto const& instance = one_by_one();
        auto const& of_batches = batches(selector);
        return sorted_f::group_growth(instance, of_batches,
                                      sorted_f::transform(instance, of_batches).terminal);
    }

    std::optional<double> plain_value(std::string const& name)
    {
        if (name == "n") {
            std::int64_t n = 0;
            for (auto const& g : of.groups) n += g.count;
            return static_cast<double>(n);
        }
        if (name == "M") return static_cast<double>(of.instance.memory);
        if (name == "groups_apart") return groups_apart();
        if (name == "last_group_first") return last_group_first();
        if (name == "volume")
            return static_cast<double>(volume_of_groups(of.groups, of.instance.memory));
        double outputs = 0, peak = 0, most = 0, least = 1e18;
        bool equal_prompts = true, identical = true, no_prompts = true;
        auto const& first = of.groups.front();
        for (auto const& g : of.groups) {
            outputs += static_cast<double>(g.count) * g.output;
            peak = std::max(peak, static_cast<double>(g.prompt) + g.output);
            most = std::max(most, static_cast<double>(g.output));
            least = std::min(least, static_cast<double>(g.output));
            equal_prompts = equal_prompts && g.prompt == first.prompt;
            identical = identical && g.prompt == first.prompt && g.output == first.output;
            no_prompts = no_prompts && g.prompt == 0;
        }
        if (name == "outputs") return outputs;
        if (name == "largest_peak") return peak;
        if (name == "most_output") return most;
        if (name == "least_output") return least;
        if (name == "equal_prompts") return equal_prompts;
        if (name == "identical") return identical;
        if (name == "no_prompts") return no_prompts;
        if (name == "optimum") return static_cast<double>(optimum().upper);
        if (name == "dual")
            return static_cast<double>(baseline::identical_dual_bound(one_by_one()).value_or(0));
        if (name == "pairs") return pairs();
        if (name == "scheduled")
            return static_cast<double>(baseline::total_latency(one_by_one(), schedule()));
        if (name == "feasible") return !baseline::schedule_fault(one_by_one(), schedule());
        if (name == "starts_as_given") { // by MC-SF
            PolicySpec spec;
            spec.kind = find_policy("mc-sf")->kind;
            auto const run = execute_single(spec, one_by_one(), 1, 0);
            return std::equal(run.start.begin(), run.start.end(), schedule().begin());
        }
        if (name == "opt_align")
            return to_double(sorted_f::transform_schedule(one_by_one(), schedule()).align);
        if (name == "opt_align_windows") return windows_align(one_by_one(), schedule());
        return std::nullopt;
    }

    double value(std::string const& name)
    {
        if (auto const found = plain_value(name)) return *found;
        for (auto const stem : by_selector)
            if (auto const selector = selector_of(name, std::string(stem)))
                return of_selector(stem, *selector);
        if (auto const selector = selector_of(name, "group_growth"))
            return growth(*selector).largest;
        if (auto const selector = selector_of(name, "lemma_2_broken"))
            return static_cast<double>(growth(*selector).broken);
        auto const other = name.ends_with("_other");
        auto const memory = other ? of.other_memory : of.instance.memory;
        auto const id = other ? name.substr(0, name.size() - 6) : name;
        if (id.starts_with("mean_")) return mean_over_orders(*policy_of(id.substr(5)), memory);
        return total(*policy_of(id), memory);
    }
};

InstanceValues::InstanceValues(TrialInstance const& of) : detail_(new Detail{of}) {}
InstanceValues::~InstanceValues() = default;

double InstanceValues::operator()(std::string const& name)
{
    auto const [place, is_new] = detail_->known.try_emplace(name, 0);
    if (is_new) place->second = detail_->value(name);
    return place->second;
}

bool InstanceValues::has(std::string const& name)
{
    if (std::ranges::find(plain, name) != plain.end()) return true;
    for (auto const stem : by_selector)
        if (selector_of(name, std::string(stem))) return true;
    for (auto const* stem : {"group_growth", "lemma_2_broken"})
        if (selector_of(name, stem)) return true;
    auto id = name.ends_with("_other") ? name.substr(0, name.size() - 6) : name;
    if (id.starts_with("mean_")) id = id.substr(5);
    return policy_of(id) != nullptr;
}

std::vector<std::string> InstanceValues::names()
{
    std::vector<std::string> all(plain.begin(), plain.end());
    for (auto const stem : by_selector) all.emplace_back(stem);
    return all;
}

} // namespace crx::claims
