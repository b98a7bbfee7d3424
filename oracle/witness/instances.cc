#include "oracle/witness/instances.hh"

#include <algorithm>
#include <map>
#include <stdexcept>
#include <tuple>

namespace oracle {
namespace {

auto key_of(Request const& r)
{
    return std::tuple(r.arrival, r.prompt, r.output, r.lower, r.upper);
}

/// What the requests of an instance have in common.
std::vector<std::int64_t> shared_by(InstanceRange const& range, Request const& r)
{
    std::vector<std::int64_t> shared;
    if (range.told == "common") shared.push_back(r.upper);
    if (range.restriction == "equal-prompts") shared.push_back(r.prompt);
    if (range.restriction == "identical")
        for (std::int64_t const value : {r.prompt, r.output, r.lower, r.upper})
            shared.push_back(value);
    return shared;
}

bool is_told(InstanceRange const& range, Request const& r)
{
    if (range.told == "outputs") return r.lower == r.output && r.upper == r.output;
    if (range.told == "common")
        return r.lower * range.alpha_denominator == r.upper * range.alpha_numerator;
    return true;
}

class Orders
{
  public:
    Orders(Multiset const& multiset,
           std::function<bool(Request const&, Request const&)> const& matters,
           std::function<void(std::vector<Request> const&)> const& visit)
        : left_(multiset), matters_(matters), visit_(visit)
    {
        std::sort(left_.begin(), left_.end(),
                  [](Request const& a, Request const& b) { return key_of(a) < key_of(b); });
    }

    void go_on()
    {
        if (left_.empty()) return visit_(order_);
        for (std::size_t k = 0; k < left_.size(); ++k) {
            if (k > 0 && key_of(left_[k]) == key_of(left_[k - 1])) continue;
            if (could_stand_earlier(left_[k])) continue;
            Request const next = left_[k];
            left_.erase(left_.begin() + static_cast<std::ptrdiff_t>(k));
            order_.push_back(next);
            go_on();
            order_.pop_back();
            left_.insert(left_.begin() + static_cast<std::ptrdiff_t>(k), next);
        }
    }

  private:
    /// Before a greater one, past others beside which its place does not matter.
    bool could_stand_earlier(Request const& next) const
    {
        for (std::size_t p = order_.size(); p-- > 0;) {
            if (matters_(order_[p], next)) return false;
            if (key_of(order_[p]) > key_of(next)) return true;
        }
        return false;
    }

    std::vector<Request> left_, order_;
    std::function<bool(Request const&, Request const&)> const& matters_;
    std::function<void(std::vector<Request> const&)> const& visit_;
};

} // namespace

std::vector<std::vector<Request>> request_lists(InstanceRange const& range)
{
    std::map<std::vector<std::int64_t>, std::vector<Request>> lists;
    std::int64_t const most = range.restriction == "small" ? range.memory / 4 : range.memory;
    for (std::int64_t a = 0; a <= range.last_arrival; ++a)
        for (std::int64_t s = 0; s < most; ++s)
            for (std::int64_t o = 1; o <= most; ++o)
                for (std::int64_t l = range.told == "outputs" ? o : 1; l <= o; ++l)
                    for (std::int64_t u = o; s + u <= most; ++u) {
                        if (range.told == "outputs" && u > o) break;
                        Request const request{a, s, o, l, u};
                        if (is_told(range, request))
                            lists[shared_by(range, request)].push_back(request);
                    }
    std::vector<std::vector<Request>> result;
    for (auto const& [shared, list] : lists) result.push_back(list);
    return result;
}

void for_each_multiset(std::vector<std::vector<Request>> const& lists, std::int64_t requests,
                       std::function<void(std::int64_t, Multiset const&)> const& visit)
{
    std::int64_t rank = 0;
    std::size_t const n = static_cast<std::size_t>(requests);
    for (std::vector<Request> const& list : lists) {
        std::vector<std::size_t> at(n, 0); // never descends
        Multiset multiset(n, list[0]);
        for (;;) {
            if (multiset[0].arrival == 0) visit(rank, multiset); // the first arrives first
            ++rank;
            std::size_t k = n;
            while (k > 0 && at[k - 1] + 1 == list.size()) --k;
            if (k == 0) break;
            std::size_t const next = at[k - 1] + 1;
            for (std::size_t j = k - 1; j < n; ++j) {
                at[j] = next;
                multiset[j] = list[next];
            }
        }
    }
}

std::int64_t count_multisets(std::vector<std::vector<Request>> const& lists, std::int64_t requests)
{
    std::int64_t sum = 0;
    for (std::vector<Request> const& list : lists) {
        __int128 ways = 1; // C(list + n - 1, n)
        for (std::int64_t k = 1; k <= requests; ++k) {
            ways = ways * (static_cast<std::int64_t>(list.size()) + k - 1) / k;
            if (ways > std::int64_t{1} << 60) throw std::runtime_error("too many instances");
        }
        sum += static_cast<std::int64_t>(ways);
    }
    return sum;
}

void for_each_order(Multiset const& multiset,
                    std::function<bool(Request const&, Request const&)> const& matters,
                    std::function<void(std::vector<Request> const&)> const& visit)
{
    Orders(multiset, matters, visit).go_on();
}

bool place_matters(std::string const& policy, Request const& a, Request const& b)
{
    if (policy == "mc-sf") return a.output == b.output;
    if (policy == "mc-sf-total") return a.prompt + a.output == b.prompt + b.output;
    if (policy == "mc-benchmark" || policy == "protect" || policy == "clear")
        return a.arrival == b.arrival;
    if (policy == "a-random" || policy == "a-max" || policy == "a-min" || policy == "a-min-evict" ||
        policy == "a-ell" || policy == "a-ladder")
        return false;
    return true;
}

} // namespace oracle
