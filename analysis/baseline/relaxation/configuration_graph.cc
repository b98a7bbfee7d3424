#include "analysis/baseline/relaxation/configuration_graph.hh"

#include <algorithm>
#include <array>
#include <bit>
#include <unordered_map>

namespace crx::baseline {
namespace {

/// An active request of a node.
struct ActiveRequest
{
    std::int32_t start;
    std::uint8_t request;
    bool loose; ///< could have started earlier, and nothing holds it back yet
};

/// The active requests, by index; what is not used is 0.
struct Configuration
{
    static constexpr std::size_t most = 8;
    std::array<std::uint64_t, most> active{};
    std::int64_t held = 0;   ///< at the time of the round; 0 unless `whole`
    std::uint32_t guide = 0; ///< node of the guide

    bool operator==(Configuration const&) const = default;
    std::uint64_t hash() const
    {
        auto h = (static_cast<std::uint64_t>(held) << 32 | guide) * 0x9E3779B97F4A7C15u;
        for (auto const a : active) {
            if (a == 0) break;
            h = (h ^ a) * 0xBF58476D1CE4E5B9u;
            h ^= h >> 31;
        }
        return (h ^ (h >> 29)) * 0x94D049BB133111EBu;
    }
};

inline std::uint64_t packed(ActiveRequest a)
{
    return std::uint64_t{1} << 63 | std::uint64_t{a.loose} << 40 | std::uint64_t{a.request} << 32 |
           static_cast<std::uint32_t>(a.start);
}

inline ActiveRequest unpacked(std::uint64_t word)
{
    return {static_cast<std::int32_t>(word & 0xFFFFFFFFu),
            static_cast<std::uint8_t>(word >> 32 & 0xFF), (word >> 40 & 1) != 0};
}

/// The configurations of one round, each once.
class ConfigurationsOfRound
{
  public:
    ConfigurationsOfRound() : slot_(256, empty) {}
    void clear()
    {
        std::ranges::fill(slot_, empty);
        configuration.clear();
        extra.clear();
        guided.clear();
    }
    std::uint32_t number(Configuration const& c, double cost, std::int64_t by_guide)
    {
        if (2 * configuration.size() >= slot_.size()) grow();
        auto place = c.hash() & (slot_.size() - 1);
        for (;; place = (place + 1) & (slot_.size() - 1)) {
            auto const k = slot_[place];
            if (k == empty) break;
            if (configuration[k] == c) {
                extra[k] = std::min(extra[k], cost);
                guided[k] = std::min(guided[k], by_guide);
                return k;
            }
        }
        slot_[place] = static_cast<std::uint32_t>(configuration.size());
        configuration.push_back(c);
        extra.push_back(cost);
        guided.push_back(by_guide);
        return slot_[place];
    }

    std::vector<Configuration> configuration;
    std::vector<double> extra;        ///< least, of the paths to it
    std::vector<std::int64_t> guided; ///< least cost by the guide

  private:
    static constexpr auto empty = ~std::uint32_t{0};
    void grow()
    {
        slot_.assign(4 * slot_.size(), empty);
        for (std::uint32_t k = 0; k < configuration.size(); ++k) {
            auto place = configuration[k].hash() & (slot_.size() - 1);
            while (slot_[place] != empty) place = (place + 1) & (slot_.size() - 1);
            slot_[place] = k;
        }
    }
    std::vector<std::uint32_t> slot_;
};

/// From a configuration of a round to one of the next, by the starts of a set.
struct FoundArc
{
    std::uint32_t from, to, set;
};

/// All ways on from the configurations of a round.
class ConfigurationSteps
{
  public:
    ConfigurationSteps(OwnedInstance const& instance, std::vector<RequestGroup> const& groups,
                       StartDomain const& tracked, ConfigurationGraph::Settings const& settings)
        : instance_(instance), tracked_(tracked), settings_(settings),
          group_of_(instance.output.size()), before_(instance.output.size())
    {
        std::int32_t longest = 0;
        for (std::size_t g = 0; g < groups.size(); ++g) {
            longest = std::max(longest, groups[g].output);
            auto before = groups[g].members[0];
            for (auto const i : groups[g].members) {
                group_of_[i] = g;
                before_[i] = before;
                before = i;
            }
        }
        held_.assign(static_cast<std::size_t>(longest) + 1, 0);
    }

    /// Those of round t into the next one; false: too many.
    bool round(std::int32_t t, ConfigurationsOfRound const& now, ConfigurationsOfRound& next,
               std::vector<FoundArc>& arcs, std::vector<ConfigurationGraph::StartSet>& sets,
               std::size_t most_arcs)
    {
        t_ = t;
        next_ = &next;
        arcs_ = &arcs;
        sets_ = &sets;
        most_arcs_ = most_arcs;
        set_of_.clear();
        candidates_.clear();
        candidate_set_ = 0;
        if (t < tracked_.starts())
            for (std::size_t i = 0; i < group_of_.size(); ++i)
                if (tracked_.allows(group_of_[i], t)) {
                    candidates_.push_back(i);
                    candidate_set_ |= std::uint64_t{1} << i;
                }
        for (from_ = 0; from_ < now.configuration.size(); ++from_) {
            begin(now.configuration[from_]);
            if (settings_.guide != nullptr)
                follow(now.configuration[from_].guide, now.guided[from_], now.extra[from_]);
            else
                choose(0, now.extra[from_], 0);
            if (arcs.size() > most_arcs || stopped_) return false;
        }
        return true;
    }
    bool forgetful() const { return forgetful_; }

  private:
    std::int32_t output(std::size_t i) const { return instance_.output[i]; }
    std::int32_t prompt(std::size_t i) const { return instance_.prompt[i]; }

    /// held_[j]: at time t + j by the configuration's requests.
    void begin(Configuration const& c)
    {
        std::ranges::fill(held_, 0);
        active_.clear();
        running_ = 0;
        held_[0] = c.held;
        for (auto const word : c.active) {
            if (word == 0) break;
            auto const a = unpacked(word);
            active_.push_back(a);
            running_ |= std::uint64_t{1} << a.request;
            for (auto j = t_ + 1; j <= a.start + output(a.request); ++j)
                held_[static_cast<std::size_t>(j - t_)] += prompt(a.request) + j - a.start;
        }
    }

    /// Counts a set that is looked at; false: too many, or time is over.
    bool visit()
    {
        if (++visits_ % 65536 == 0 && settings_.limit.over()) stopped_ = true;
        if (visits_ > 30 * settings_.most_arcs) stopped_ = true;
        return !stopped_;
    }

    double extra_of(std::size_t i) const
    {
        return settings_.extra.empty()
                   ? 0.0
                   : double{settings_.extra[group_of_[i]][static_cast<std::size_t>(t_)]};
    }

    void start(std::size_t i)
    {
        active_.push_back({t_, static_cast<std::uint8_t>(i), settings_.whole && is_loose(i)});
        for (std::int32_t j = 1; j <= output(i); ++j)
            held_[static_cast<std::size_t>(j)] += prompt(i) + j;
    }

    void take_back()
    {
        auto const i = active_.back().request;
        active_.pop_back();
        for (std::int32_t j = 1; j <= output(i); ++j)
            held_[static_cast<std::size_t>(j)] -= prompt(i) + j;
    }

    /// Every set of candidates.
    void choose(std::size_t next_candidate, double extra, std::uint64_t started)
    {
        if (!visit()) return;
        go_on(extra, started, 0, 0);
        for (auto c = next_candidate; c < candidates_.size(); ++c) {
            auto const i = candidates_[c];
            if ((running_ >> i & 1) != 0) continue;
            auto const more = extra + extra_of(i);
            if (more > settings_.most_extra || !in_turn(i) || !fits(i)) continue;
            start(i);
            choose(c + 1, more, started | std::uint64_t{1} << i);
            take_back();
            if (arcs_->size() > most_arcs_ || stopped_) return;
        }
    }

    /// The sets that the guide starts at its node, reached at cost `guided`.
    void follow(std::uint32_t node, std::int64_t guided, double extra)
    {
        settings_.guide->each_arc(
            node, [&](std::uint64_t set, std::uint32_t to, std::int64_t cost) {
                if (!visit() || !settings_.guide->allows(guided + cost, to)) return;
                if ((set & (running_ | ~candidate_set_)) != 0) return;
                auto const before = active_.size();
                auto more = extra;
                bool fit = true;
                for (auto rest = set; rest != 0 && fit; rest &= rest - 1) {
                    auto const i = static_cast<std::size_t>(std::countr_zero(rest));
                    more += extra_of(i);
                    fit = more <= settings_.most_extra && in_turn(i) && fits(i);
                    if (fit) start(i);
                }
                if (fit) go_on(more, set, to, guided + cost);
                while (active_.size() > before) take_back();
            });
    }

    /// Equal requests start in the order of their index, so those active have neighbouring ones
    /// and, of those, the largest are remembered: what starts beside them is the next.
    bool in_turn(std::size_t i) const
    {
        bool beside = false, next = false;
        for (auto const& a : active_) {
            if (group_of_[a.request] != group_of_[i]) continue;
            beside = true;
            if (a.request > i) return false;
            next = next || a.request == before_[i];
        }
        return next || !beside;
    }

    bool fits(std::size_t i) const
    {
        for (auto j = output(i); j >= 1; --j)
            if (held_[static_cast<std::size_t>(j)] + prompt(i) + j > instance_.memory) return false;
        return true;
    }

    bool is_loose(std::size_t i) const
    {
        if (t_ == instance_.arrival[i] || held_[0] + prompt(i) + 1 > instance_.memory) return false;
        for (std::int32_t j = 1; j < output(i); ++j)
            if (held_[static_cast<std::size_t>(j)] + prompt(i) + j == instance_.memory)
                return false;
        return true;
    }

    /// To the next round with those chosen.
    void go_on(double extra, std::uint64_t started, std::uint32_t guide, std::int64_t guided)
    {
        auto const held = held_.size() > 1 ? held_[1] : 0;
        if (settings_.whole)
            extra += static_cast<double>(instance_.memory - held) *
                     double{settings_.extra_free[static_cast<std::size_t>(t_) + 1]};
        if (extra > settings_.most_extra) return;
        Configuration c;
        c.guide = guide;
        left_.clear();
        for (auto a : active_) {
            auto const end = a.start + output(a.request);
            if (a.loose) {
                if (held == instance_.memory && t_ + 1 < end)
                    a.loose = false;
                else if (t_ + 1 >= end - 1)
                    return;
            }
            if (t_ + 1 < end) left_.push_back(a);
        }
        // Of equal ends the lower number is forgotten.
        std::ranges::sort(left_, {}, &ActiveRequest::request);
        while (left_.size() > std::min(Configuration::most, settings_.most_active)) {
            forgetful_ = true;
            left_.erase(std::ranges::min_element(
                left_, {}, [&](ActiveRequest a) { return a.start + output(a.request); }));
        }
        for (std::size_t k = 0; k < left_.size(); ++k) c.active[k] = packed(left_[k]);
        if (settings_.whole) c.held = held;
        auto const to = next_->number(c, extra, guided);
        auto const [at, fresh] =
            set_of_.try_emplace(started, static_cast<std::uint32_t>(sets_->size()));
        if (fresh) sets_->push_back({t_, started});
        arcs_->push_back({static_cast<std::uint32_t>(from_), to, at->second});
    }

    OwnedInstance const& instance_;
    StartDomain const& tracked_;
    ConfigurationGraph::Settings const& settings_;
    std::vector<std::size_t> group_of_, before_, candidates_; ///< before_: the equal one before
    std::vector<Tokens> held_;
    std::vector<ActiveRequest> active_, left_;
    std::uint64_t running_ = 0, candidate_set_ = 0;
    std::int32_t t_ = 0;
    std::size_t from_ = 0, most_arcs_ = 0;
    ConfigurationsOfRound* next_ = nullptr;
    std::vector<FoundArc>* arcs_ = nullptr;
    std::vector<ConfigurationGraph::StartSet>* sets_ = nullptr;
    std::unordered_map<std::uint64_t, std::uint32_t> set_of_;
    std::size_t visits_ = 0;
    bool forgetful_ = false, stopped_ = false;
};

} // namespace

ConfigurationGraph::ConfigurationGraph(OwnedInstance const& instance,
                                       std::vector<RequestGroup> const& groups,
                                       StartDomain const& tracked, Settings const& settings)
{
    CRX_EXPECT(instance.output.size() <= 64);
    ConfigurationSteps steps(instance, groups, tracked, settings);
    std::int32_t last = 0; // time of the last token of any tracked start
    for (std::size_t g = 0; g < groups.size(); ++g)
        for (auto k = tracked.starts(); k-- > 0;)
            if (tracked.allows(g, k)) {
                last = std::max(last, static_cast<std::int32_t>(k) + groups[g].output);
                break;
            }
    ConfigurationsOfRound now, next;
    now.number({}, 0, 0);
    first_ = {0, 0};
    std::uint32_t base = 0; // number of the round's first node
    std::vector<FoundArc> found;
    std::vector<std::uint32_t> place;
    for (std::int32_t t = 0; t < last; ++t) {
        if (settings.limit.over()) return;
        found.clear();
        next.clear();
        if (!steps.round(t, now, next, found, sets_, settings.most_arcs - arcs_.size())) return;
        auto const count = next.configuration.size();
        place.assign(count + 1, 0);
        for (auto const& arc : found) ++place[arc.to + 1];
        for (std::size_t k = 0; k < count; ++k) place[k + 1] += place[k];
        auto const begin = static_cast<std::uint32_t>(arcs_.size());
        for (std::size_t k = 0; k < count; ++k) first_.push_back(begin + place[k + 1]);
        arcs_.resize(begin + found.size());
        for (auto const& arc : found) arcs_[begin + place[arc.to]++] = {base + arc.from, arc.set};
        base += static_cast<std::uint32_t>(now.configuration.size());
        std::swap(now, next);
        if (now.configuration.empty()) break;
    }
    for (std::uint32_t k = 0; k < now.configuration.size(); ++k) ends_.push_back(base + k);
    forgetful_ = steps.forgetful();
    built_ = true;
}

ConfigurationGraph::Guide::Guide(ConfigurationGraph const& graph,
                                 std::vector<std::int64_t> set_cost, std::int64_t limit)
    : sets_(graph.sets_), cost_(std::move(set_cost)), most_(limit)
{
    graph.to_end(cost_, remaining_);
    std::vector<std::uint32_t> order, to;
    graph.arcs_out(out_, order, to);
    arcs_.reserve(order.size());
    for (auto const arc : order) arcs_.push_back({to[arc], graph.arcs_[arc].set});
}

void ConfigurationGraph::arcs_out(std::vector<std::uint32_t>& out,
                                  std::vector<std::uint32_t>& order,
                                  std::vector<std::uint32_t>& to) const
{
    out.assign(nodes() + 1, 0);
    order.resize(arcs_.size());
    to.resize(arcs_.size());
    for (auto const& arc : arcs_) ++out[arc.from + 1];
    for (std::size_t k = 0; k < nodes(); ++k) out[k + 1] += out[k];
    auto at = out;
    for (std::size_t node = 1; node < nodes(); ++node)
        for (auto a = first_[node]; a < first_[node + 1]; ++a) {
            order[at[arcs_[a].from]++] = a;
            to[a] = static_cast<std::uint32_t>(node);
        }
}

} // namespace crx::baseline
