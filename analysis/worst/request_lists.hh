#pragma once

#include "analysis/worst/instance_class.hh"

#include <functional>
#include <vector>

namespace crx::worst {

/// One request of an exhaustive search. Requests are compared field by field, in this order.
struct RequestKind
{
    Instant arrival = 0;
    std::int32_t prompt = 0, output = 1, lower = 1, upper = 1;

    auto operator<=>(RequestKind const&) const = default;
};

/// All instances of a class with exactly its n and its M, as multisets: requests that may stand
/// beside each other are in one list, in ascending order, and an instance takes n from one list.
/// Multisets have ranks: list by list, each in lexicographic order.
class RequestLists
{
  public:
    /// Throws std::overflow_error where there are 2^62 multisets or more, or a million kinds of
    /// requests.
    explicit RequestLists(InstanceClass const& of);

    std::int64_t multisets() const { return multisets_; }

    /// Calls visit for those of the multisets first .. end - 1, each in ascending order, that have
    /// an arrival at 0; the others are the same with all arrivals later. Contract: 0 <= first <=
    /// end <= multisets().
    void for_each(std::int64_t first, std::int64_t end,
                  std::function<void(std::vector<RequestKind> const&)> const& visit) const;

  private:
    std::vector<std::size_t> unrank(std::vector<RequestKind> const& list, std::int64_t rank) const;

    std::size_t requests_;
    std::vector<std::vector<RequestKind>> lists_;
    std::int64_t multisets_ = 0;
};

/// Calls visit for orders of a multiset: of those that become each other by exchanges of neighbours
/// whose order does not matter, the lexicographically least alone. That is the order in which no
/// request could stand before an earlier, greater one (Anisimov and Knuth 1979, Theorem 3.1).
void for_each_order(std::vector<RequestKind> const& multiset,
                    std::function<bool(RequestKind const&, RequestKind const&)> const& matters,
                    std::function<void(std::vector<RequestKind> const&)> const& visit);

} // namespace crx::worst
