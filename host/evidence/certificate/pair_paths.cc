#include "host/evidence/certificate/pair_paths.hh"

#include <algorithm>
#include <array>
#include <map>
#include <stdexcept>
#include <tuple>

namespace crx::certificate {
namespace {

constexpr std::size_t most_pair_states = 2'000'000;
constexpr auto ruled_out = Price{1} << 100;
constexpr std::uint32_t no_state = ~std::uint32_t{0};

/// s + o and the rounds left of an active request; nobody: 0 and 0.
using Running = std::pair<std::int64_t, std::int64_t>;
using Pair = std::array<Running, 2>; ///< the one that ends first, first

bool ends_before(Running const& a, Running const& b)
{
    return std::pair(a.second, a.first) < std::pair(b.second, b.first);
}

/// Do these hold at most M at each end?
template <std::size_t n>
bool hold_at_most(std::array<Running, n> const& all, std::int64_t memory)
{
    for (auto const& [peak, left] : all) {
        std::int64_t tokens = 0;
        for (auto const& [other_peak, other_left] : all)
            if (left > 0 && other_left >= left) tokens += other_peak - (other_left - left);
        if (tokens > memory) return false;
    }
    return true;
}

class PairTable
{
  public:
    explicit PairTable(Certified const& certified) : certified_(certified)
    {
        for (std::size_t i = 0; i < certified.requests.size(); ++i) order_.push_back(i);
        std::ranges::stable_sort(order_, {}, [&](std::size_t i) {
            auto const& r = certified.requests[i];
            return std::tuple(r.output, r.prompt, r.arrival);
        });
        number({});
        arcs_.resize(order_.size());
        for (std::uint32_t s = 0; s < states_.size(); ++s) {
            auto later = states_[s];
            for (auto& a : later) a = a.second > 1 ? Running{a.first, a.second - 1} : Running{};
            later_.push_back(number(later));
            for (std::size_t i = 0; i < order_.size(); ++i)
                if (auto const to = started(i, s); to != no_state) arcs_[i].push_back({s, to});
            if (states_.size() > most_pair_states)
                throw std::invalid_argument("proof by pairs: more than 2 million states");
        }
    }

    /// The least cost of a path that starts requests in rounds up to `last`.
    template <class Cost>
    Price cheapest(std::int64_t last, Cost cost) const
    {
        constexpr auto never = Price{1} << 120;
        std::vector<Price> now(states_.size(), never), next;
        now[0] = 0;
        for (std::int64_t t = 0; t <= last; ++t) {
            for (auto const i : order_) {
                if (t < certified_.requests[i].arrival) continue;
                auto const of_start = cost(i, t);
                if (of_start == ruled_out) continue;
                for (auto const& [from, to] : arcs_[i])
                    now[to] = std::min(now[to], now[from] + of_start);
            }
            next.assign(states_.size(), never);
            for (std::size_t s = 0; s < states_.size(); ++s)
                next[later_[s]] = std::min(next[later_[s]], now[s]);
            now.swap(next);
        }
        return *std::ranges::min_element(now);
    }

  private:
    std::uint32_t number(Pair pair)
    {
        std::ranges::sort(pair, ends_before);
        auto const [at, is_new] =
            number_.try_emplace(pair, static_cast<std::uint32_t>(states_.size()));
        if (is_new) states_.push_back(pair);
        return at->second;
    }

    std::uint32_t started(std::size_t i, std::uint32_t state)
    {
        auto const& r = certified_.requests[i];
        auto const pair = states_[state];
        Running const fresh{r.prompt + r.output, r.output};
        for (auto const& active : pair)
            if (active.second > 0 && is_surely(i, active)) return no_state;
        if (!hold_at_most(std::array{pair[0], pair[1], fresh}, certified_.memory)) return no_state;
        // The one that ends first is forgotten; pair[0] is it, or nobody, or the new one is.
        if (pair[0].second >= fresh.second) return state;
        return number({pair[1], fresh});
    }

    bool is_surely(std::size_t i, Running const& active) const
    {
        auto const may_be = [&](Request const& r) {
            return r.prompt + r.output == active.first && r.output >= active.second;
        };
        return may_be(certified_.requests[i]) &&
               std::ranges::count_if(certified_.requests, may_be) == 1;
    }

    Certified const& certified_;
    std::vector<std::size_t> order_;
    std::vector<Pair> states_;
    std::map<Pair, std::uint32_t> number_;
    std::vector<std::uint32_t> later_;
    std::vector<std::vector<std::pair<std::uint32_t, std::uint32_t>>> arcs_; ///< [request]
};

} // namespace

std::int64_t pair_bound(Certified const& certified, StartCosts const& first)
{
    auto const spare = spare_costs(certified, first);
    auto const costs = path_costs(certified, certified.pairs);
    // Prices may end before the schedule does; all starts past `last` count as possible together.
    auto last = costs.last;
    for (auto const start : certified.starts) last = std::max(last, start + 10);
    auto bound = costs.constant;
    for (std::size_t i = 0; i < certified.requests.size(); ++i) {
        auto const& r = certified.requests[i];
        if (own_latency(r, last + 1) <= spare[i])
            bound += std::min(Price{0}, costs.of(r, i, last + 1));
    }
    bound += PairTable(certified).cheapest(last, [&](std::size_t i, std::int64_t k) {
        auto const& r = certified.requests[i];
        return first.of(r, i, k) > spare[i] ? ruled_out : costs.of(r, i, k);
    });
    if (bound <= 0) return 0;
    bound = (bound + (Price{1} << fraction_bits) - 1) >> fraction_bits;
    return static_cast<std::int64_t>(std::min(bound, Price{certified.upper}));
}

} // namespace crx::certificate
