#include "analysis/baseline/branch_and_bound.hh"

#include <algorithm>
#include <array>
#include <bit>

namespace crx::baseline {
namespace {

using Mask = LateStarts::Mask;
constexpr auto one = std::int64_t{1} << Prices::fraction_bits;

/// What decides the future at the start of a round: which requests have started, and the starts of
/// those still active. Only states with few active requests are remembered.
struct StateKey
{
    static constexpr std::size_t most_active = 8;
    Mask waiting = 0;
    std::int32_t round = -1;
    std::array<std::uint8_t, most_active> active{};
    std::array<std::int32_t, most_active> age{};

    bool operator==(StateKey const&) const = default;
    std::uint64_t hash() const
    {
        auto h = waiting * 0x9E3779B97F4A7C15u + static_cast<std::uint64_t>(round);
        for (std::size_t a = 0; a < most_active; ++a) {
            h = (h ^ (h >> 29)) * 0xBF58476D1CE4E5B9u;
            h += static_cast<std::uint64_t>(active[a]) * 0x10001u +
                 static_cast<std::uint64_t>(age[a]);
        }
        return (h ^ (h >> 32)) * 0x94D049BB133111EBu;
    }
};

struct StateEntry
{
    StateKey key;
    Rounds latency = 0;
};

/// The starts of all groups as bits, each group's in ascending order of cost and from a new word
/// on, so the cheapest start still possible is the first bit.
struct ColumnTable
{
    std::vector<std::size_t> first_word; ///< of each group; one more at the end
    std::vector<std::int32_t> start;     ///< of each bit; -1: no column
    std::vector<std::int64_t> cost;
    std::vector<std::vector<std::int32_t>> bit_of; ///< [group][k], -1: no column
    std::vector<std::vector<Mask>> compatible;     ///< of each bit, filled on first use
    LateStarts late;

    std::size_t words() const { return first_word.back(); }
    /// The cheapest possible start of a group in a round >= t, with `from` = late.row(t); -1: none.
    std::int64_t cheapest(std::size_t group, std::vector<Mask> const& possible,
                          std::vector<Mask> const& from, Rounds t) const
    {
        for (auto word = first_word[group]; word < first_word[group + 1]; ++word)
            for (auto rest = possible[word] & from[word]; rest != 0; rest &= rest - 1) {
                auto const bit = 64 * word + static_cast<std::size_t>(std::countr_zero(rest));
                if (start[bit] >= t) return static_cast<std::int64_t>(bit);
            }
        return -1;
    }
};

class Search
{
  public:
    Search(OwnedInstance const& instance, std::vector<RequestGroup> const& groups,
           CliqueBound const& bound, Rounds upper, SearchLimit const& limit)
        : instance_(instance), groups_(groups),
          prices_(instance, groups, bound.prices, bound.domain.starts()),
          starts_end_(bound.domain.starts()), upper_(upper), limit_(limit)
    {
        stopped_ = !tabulate(bound.domain);
        if (stopped_) return;
        Rounds longest = 0;
        for (std::size_t g = 0; g < groups.size(); ++g) {
            longest = std::max<Rounds>(longest, groups[g].output);
            for (auto const member : groups[g].members) {
                group_of_.push_back(static_cast<std::int32_t>(g));
                request_.push_back(member);
            }
        }
        held_.assign(static_cast<std::size_t>(starts_end_ + longest + 2), 0);
        start_.assign(group_of_.size(), 0);
        table_.resize(std::size_t{1} << (group_of_.size() < 10 ? 14 : 18));
        possible_.assign(group_of_.size() + 1, std::vector<Mask>(columns_.words(), 0));
        scratch_.assign(columns_.words(), 0);
        for (std::size_t bit = 0; bit < columns_.start.size(); ++bit)
            if (columns_.start[bit] >= 0) possible_[0][bit / 64] |= Mask{1} << (bit % 64);
    }

    SearchOutcome run()
    {
        if (stopped_) return {};
        auto const n = group_of_.size();
        auto const all = n == 64 ? ~Mask{0} : (Mask{1} << n) - 1;
        descend({0, 0, -1, all, 0, prices_.constant(), 0});
        outcome_.complete = !stopped_;
        return std::move(outcome_);
    }

  private:
    struct Node
    {
        std::size_t depth; // requests started
        Rounds round;      // being decided
        std::int32_t last; // group that started last in this round; later ones have no less
        Mask waiting;      // places in group_of_
        Mask loose;        // active, could have started earlier, nothing holds them back yet
        std::int64_t paid; // bound without the waiting requests, 2^-20 rounds
        Rounds latency;    // of the requests started
    };

    /// False if time was over before the end.
    bool tabulate(StartDomain const& domain);
    std::vector<Mask> const& compatible(std::size_t bit);
    void count_work(std::size_t steps);
    bool fits(RequestGroup const& group, Rounds start) const;
    bool held_back(RequestGroup const& group, Rounds start) const;
    void hold(RequestGroup const& group, Rounds start, Tokens sign);
    bool settle_loose(Node& node) const;
    bool seen_before(Node const& node);
    void accept(Rounds latency);
    void descend(Node node);

    OwnedInstance const& instance_;
    std::vector<RequestGroup> const& groups_;
    Lagrangian prices_;
    Rounds starts_end_, upper_;
    SearchLimit limit_;
    ColumnTable columns_;
    std::vector<std::int32_t> group_of_; // of each place; places go by group
    std::vector<std::size_t> request_;   // of each place
    std::vector<Rounds> start_;          // of each place that started
    std::vector<Tokens> held_;           // held_[t] by those that started
    std::vector<std::vector<Mask>> possible_;
    std::vector<StateEntry> table_; // states seen, the last of each hash; size a power of two
    SearchOutcome outcome_;
    std::vector<Mask> scratch_;  // a row of `compatible` that is not kept
    std::size_t kept_words_ = 0; // of the rows of `compatible`
    std::size_t work_ = 0;       // since the clock was asked
    bool stopped_ = false;
};

/// Rows of `compatible` are kept up to so many words, 1 GiB, and made anew past them.
constexpr std::size_t most_kept_words = std::size_t{1} << 27;

/// Nodes cost from nanoseconds to milliseconds, by the words of a row.
void Search::count_work(std::size_t steps)
{
    constexpr std::size_t between = std::size_t{1} << 23;
    work_ += steps;
    if (work_ < between) return;
    work_ = 0;
    if (limit_.time.over()) stopped_ = true;
}

bool Search::tabulate(StartDomain const& domain)
{
    for (std::size_t g = 0; g < groups_.size(); ++g) {
        if (limit_.time.over()) return false;
        columns_.first_word.push_back(columns_.start.size() / 64);
        std::vector<std::int32_t> starts;
        for (auto k = groups_[g].arrival; k < starts_end_; ++k)
            if (domain.allows(g, k)) starts.push_back(static_cast<std::int32_t>(k));
        std::ranges::stable_sort(starts, {}, [&](std::int32_t k) { return prices_.cost(g, k); });
        columns_.bit_of.emplace_back(static_cast<std::size_t>(starts_end_), -1);
        for (auto const k : starts) {
            columns_.bit_of[g][static_cast<std::size_t>(k)] =
                static_cast<std::int32_t>(columns_.start.size());
            columns_.start.push_back(k);
            columns_.cost.push_back(prices_.cost(g, k));
        }
        while (columns_.start.size() % 64 != 0) {
            columns_.start.push_back(-1);
            columns_.cost.push_back(0);
        }
    }
    columns_.first_word.push_back(columns_.start.size() / 64);
    columns_.compatible.resize(columns_.start.size());
    return columns_.late.tabulate(columns_.start, limit_.time, limit_.table_words);
}

std::vector<Mask> const& Search::compatible(std::size_t bit)
{
    auto& kept = columns_.compatible[bit];
    if (!kept.empty()) return kept;
    auto const keep = kept_words_ + columns_.words() <= most_kept_words;
    if (keep) kept_words_ += columns_.words();
    auto& row = keep ? kept : scratch_;
    row.assign(columns_.words(), 0);
    count_work(columns_.start.size());
    auto const group = [&](std::size_t b) {
        return static_cast<std::size_t>(std::ranges::upper_bound(columns_.first_word, b / 64) -
                                        columns_.first_word.begin()) -
               1;
    };
    auto const own = group(bit);
    for (std::size_t g = 0; g < groups_.size(); ++g)
        for (auto b = 64 * columns_.first_word[g]; b < 64 * columns_.first_word[g + 1]; ++b)
            if (columns_.start[b] >= 0 &&
                !starts_conflict(groups_[own], columns_.start[bit], groups_[g], columns_.start[b],
                                 instance_.memory))
                row[b / 64] |= Mask{1} << (b % 64);
    return row;
}

bool Search::fits(RequestGroup const& group, Rounds start) const
{
    for (auto j = Tokens{group.output}; j >= 1; --j)
        if (held_[static_cast<std::size_t>(start + j)] + group.prompt + j > instance_.memory)
            return false;
    return true;
}

/// Is it impossible to start a round earlier, beside all that started until now?
bool Search::held_back(RequestGroup const& group, Rounds start) const
{
    return start == group.arrival || !fits(group, start - 1);
}

void Search::hold(RequestGroup const& group, Rounds start, Tokens sign)
{
    for (Tokens j = 1; j <= group.output; ++j)
        held_[static_cast<std::size_t>(start + j)] += sign * (group.prompt + j);
}

/// Memory at time node.round is final. A loose request needs it full at a time that it would still
/// be active at if it started a round earlier; false if one has missed its last chance.
bool Search::settle_loose(Node& node) const
{
    for (auto rest = node.loose; rest != 0; rest &= rest - 1) {
        auto const place = static_cast<std::size_t>(std::countr_zero(rest));
        auto const last = start_[place] + groups_[group_of_[place]].output - 1;
        auto const full = held_[static_cast<std::size_t>(node.round)] == instance_.memory;
        if (full && node.round > start_[place] && node.round <= last)
            node.loose &= ~(Mask{1} << place);
        else if (node.round >= last)
            return false;
    }
    return true;
}

bool Search::seen_before(Node const& node)
{
    StateKey key{node.waiting, static_cast<std::int32_t>(node.round), {}, {}};
    std::size_t active = 0;
    auto const n = group_of_.size();
    for (std::size_t place = 0; place < n; ++place) {
        if ((node.waiting >> place & 1) != 0) continue;
        auto const age = node.round - start_[place];
        if (age >= groups_[group_of_[place]].output) continue;
        if (active == StateKey::most_active) return false;
        key.active[active] = static_cast<std::uint8_t>(place + 1);
        key.age[active++] = static_cast<std::int32_t>(age);
    }
    auto& entry = table_[key.hash() & (table_.size() - 1)];
    if (entry.key == key && entry.latency <= node.latency) return true;
    entry = {key, node.latency};
    return false;
}

void Search::accept(Rounds latency)
{
    if (latency >= upper_) return;
    upper_ = latency;
    outcome_.total_latency = latency;
    outcome_.best.assign(group_of_.size(), 0);
    for (std::size_t place = 0; place < group_of_.size(); ++place)
        outcome_.best[request_[place]] = start_[place];
}

void Search::descend(Node node)
{
    struct Option
    {
        std::size_t group, place;
        std::int64_t extra; // over the least cost
    };
    if (node.waiting == 0) return accept(node.latency);
    for (;;) {
        if (++outcome_.nodes > limit_.nodes || ((outcome_.nodes & 4095) == 0 && limit_.time.over()))
            stopped_ = true;
        if (stopped_) return;
        auto const limit = (upper_ - 1) * one;
        auto const& possible = possible_[node.depth];
        auto const& from = columns_.late.row(node.round);
        auto bound = node.paid;
        std::array<Option, 64> options;
        std::size_t count = 0;
        std::array<std::int64_t, 64> least;
        for (auto rest = node.waiting; rest != 0;) {
            auto const place = static_cast<std::size_t>(std::countr_zero(rest));
            auto const g = static_cast<std::size_t>(group_of_[place]);
            std::int64_t members = 0;
            while (rest != 0 && group_of_[std::countr_zero(rest)] == static_cast<std::int32_t>(g)) {
                ++members;
                rest &= rest - 1;
            }
            auto const cheapest = columns_.cheapest(g, possible, from, node.round);
            if (cheapest < 0) return; // no start left
            least[count] = columns_.cost[static_cast<std::size_t>(cheapest)];
            bound += members * least[count];
            if (bound > limit) return;
            options[count++] = {g, place, 0};
        }
        std::size_t kept = 0;
        for (std::size_t c = 0; c < count; ++c) {
            auto option = options[c];
            auto const& group = groups_[option.group];
            if (static_cast<std::int32_t>(option.group) < node.last || node.round < group.arrival)
                continue;
            auto const bit = columns_.bit_of[option.group][static_cast<std::size_t>(node.round)];
            if (bit < 0 || (possible[bit / 64] >> (bit % 64) & 1) == 0) continue;
            option.extra = columns_.cost[bit] - least[c];
            if (bound + option.extra > limit || !fits(group, node.round)) continue;
            auto at = kept++;
            for (; at > 0 && options[at - 1].extra > option.extra; --at)
                options[at] = options[at - 1];
            options[at] = option;
        }
        for (std::size_t c = 0; c < kept; ++c) {
            auto const& option = options[c];
            auto const& group = groups_[option.group];
            auto const bit = static_cast<std::size_t>(
                columns_.bit_of[option.group][static_cast<std::size_t>(node.round)]);
            auto const& row = compatible(bit);
            count_work(row.size());
            auto& next = possible_[node.depth + 1];
            for (std::size_t w = 0; w < row.size(); ++w) next[w] = possible[w] & row[w];
            auto const bit_of_place = Mask{1} << option.place;
            auto const loose =
                held_back(group, node.round) ? node.loose : node.loose | bit_of_place;
            hold(group, node.round, 1);
            start_[option.place] = node.round;
            descend({node.depth + 1, node.round, static_cast<std::int32_t>(option.group),
                     node.waiting & ~bit_of_place, loose, node.paid + columns_.cost[bit],
                     node.latency + node.round + group.output - group.arrival});
            hold(group, node.round, -1);
            if (stopped_) return;
        }
        node.last = -1;
        if (++node.round >= starts_end_) return;
        node.paid += prices_.memory_price(node.round) *
                     (instance_.memory - held_[static_cast<std::size_t>(node.round)]);
        if (!settle_loose(node) || seen_before(node)) return;
    }
}

} // namespace

SearchOutcome search_starts(OwnedInstance const& instance, std::vector<RequestGroup> const& groups,
                            CliqueBound const& bound, Rounds upper, SearchLimit const& limit)
{
    CRX_EXPECT(instance.output.size() <= 64);
    if (bound.domain.starts() == 0) return {}; // nothing is known of it
    return Search(instance, groups, bound, upper, limit).run();
}

} // namespace crx::baseline
