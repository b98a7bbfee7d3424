#include "analysis/worst/annealing.hh"

#include "kernels/base/parallel.hh"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <mutex>

namespace crx::worst {
namespace {

/// Stream of a chain's words under the search's seed, its number as the instance.
constexpr std::uint32_t chain_stream = 1u << 20;
/// Good members that chains begin with.
constexpr std::size_t most_elite = 8;
constexpr double first_temperature = 0.15;

/// A number in (0, 1].
double uniform(WordStream& words)
{
    return (static_cast<double>(words.next() >> 11) + 1) * 0x1p-53;
}

/// The order of good members: total, so that equal values do not depend on threads.
bool is_better(Found const& a, Found const& b)
{
    if (a.value != b.value) return a.value > b.value;
    auto const key = [](OwnedInstance const& i) {
        return std::tie(i.memory, i.output, i.prompt, i.upper, i.lower, i.arrival);
    };
    if (a.instance.requests() != b.instance.requests())
        return a.instance.requests() < b.instance.requests();
    return key(a.instance) < key(b.instance);
}

class AnnealingRun
{
  public:
    AnnealingRun(InstanceClass const& of, Objective const& objective, AnnealingLimits const& limits,
                 std::function<void(Found const&)> const& on_better)
        : class_(of), objective_(objective), limits_(limits), on_better_(on_better)
    {
    }

    AnnealingResult run(std::vector<OwnedInstance> const& known)
    {
        for (auto const& instance : known)
            if (is_member(class_, instance))
                if (auto found = settled(instance)) keep(std::move(*found));
        AnnealingResult result;
        std::vector<double> ended; // values of chains that began with a random member
        for (; result.generations < limits_.generations && !stopped(); ++result.generations) {
            std::vector<std::optional<Found>> found(chains_a_generation);
            auto const first = static_cast<std::uint64_t>(result.generations) * chains_a_generation;
            crx::parallel_for(
                0, chains_a_generation,
                [&](int k) {
                    found[static_cast<std::size_t>(k)] =
                        chain(first + static_cast<std::uint64_t>(k), k % 2 == 1);
                },
                tbb::simple_partitioner());
            for (std::size_t k = 0; k < found.size(); ++k) {
                if (k % 2 == 0) ended.push_back(found[k] ? found[k]->value : 0);
                if (found[k]) keep(std::move(*found[k]));
            }
        }
        result.restarts = std::ssize(ended);
        if (!elite_.empty()) result.agreeing = std::ranges::count(ended, elite_.front().value);
        result.neighbours = neighbours_;
        if (!elite_.empty()) result.best = elite_.front();
        return result;
    }

  private:
    bool stopped() const { return limits_.stop && limits_.stop(); }

    std::optional<Found> settled(OwnedInstance const& instance)
    {
        auto of = objective_.settle(instance);
        if (!of) return std::nullopt;
        auto const value = objective_.value(instance, of->ratio);
        if (!value) return std::nullopt;
        Found found{instance, *value, std::move(*of)};
        std::lock_guard const lock(mutex_);
        if (!reported_ || is_better(found, *reported_)) {
            reported_ = found;
            if (on_better_) on_better_(found);
        }
        return found;
    }

    void keep(Found found)
    {
        auto const same = [&](Found const& other) {
            return !is_better(found, other) && !is_better(other, found);
        };
        if (std::ranges::any_of(elite_, same)) return;
        elite_.insert(std::ranges::upper_bound(elite_, found, is_better), std::move(found));
        if (elite_.size() > most_elite) elite_.pop_back();
    }

    /// The best member of one chain.
    std::optional<Found> chain(std::uint64_t number, bool from_elite)
    {
        WordStream words(limits_.seed, chain_stream, number);
        auto const begins_well = from_elite && !elite_.empty();
        auto member = begins_well ? elite_[words.bounded(elite_.size())].instance
                                  : random_member(class_, words);
        KnownEstimates estimates(objective_);
        double value = estimates.estimate(member, 0).value_or(0);
        auto best = member;
        auto best_value = value;
        auto const hottest = begins_well ? first_temperature / 3 : first_temperature;
        std::int64_t done = 0;
        for (; done < limits_.neighbours && !stopped(); ++done) {
            auto const temperature =
                hottest * (1 - static_cast<double>(done) / static_cast<double>(limits_.neighbours));
            auto near = neighbour(class_, member, words);
            auto const least = value * std::pow(uniform(words), temperature);
            auto const worth = estimates.estimate(near, least);
            if (!worth) continue;
            member = std::move(near);
            value = *worth;
            if (value <= best_value) continue;
            best = member;
            best_value = value;
            note(best, best_value);
        }
        neighbours_ += done;
        if (best_value <= 0) return std::nullopt;
        return settled(best);
    }

    /// Settles at once what looks better than all before: a kill must not lose it.
    void note(OwnedInstance const& instance, double estimate)
    {
        {
            std::lock_guard const lock(mutex_);
            if (reported_ && estimate <= reported_->value) return;
        }
        settled(instance);
    }

    InstanceClass const& class_;
    Objective const& objective_;
    AnnealingLimits const& limits_;
    std::function<void(Found const&)> const& on_better_;
    std::vector<Found> elite_; ///< the best first; changes between generations alone
    std::atomic<std::int64_t> neighbours_ = 0;
    std::mutex mutex_;
    std::optional<Found> reported_; ///< the last passed to on_better_
};

template <class Value>
void append(std::string& key, std::vector<Value> const& values)
{
    key.append(reinterpret_cast<char const*>(values.data()), values.size() * sizeof(Value));
}

void write_key(std::string& key, OwnedInstance const& instance)
{
    key.assign(reinterpret_cast<char const*>(&instance.memory), sizeof instance.memory);
    append(key, instance.arrival);
    for (auto const* lengths :
         {&instance.prompt, &instance.output, &instance.lower, &instance.upper})
        append(key, *lengths);
}

} // namespace

std::optional<double> KnownEstimates::estimate(OwnedInstance const& instance, double least)
{
    write_key(key_, instance);
    auto& known = known_[key_];
    if (known.value) return *known.value >= least ? known.value : std::nullopt;
    if (least >= known.below) return std::nullopt;
    known = {objective_.estimate(instance, least), least};
    return known.value;
}

AnnealingResult anneal(InstanceClass const& of, Objective const& objective,
                       AnnealingLimits const& limits, std::vector<OwnedInstance> const& known,
                       std::function<void(Found const&)> const& on_better)
{
    CRX_EXPECT(of.requests >= 1 && of.memory >= of.least_memory() && limits.neighbours >= 1);
    return AnnealingRun(of, objective, limits, on_better).run(known);
}

} // namespace crx::worst
