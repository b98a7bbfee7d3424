#pragma once

#include <cstdint>
#include <map>
#include <stdexcept>
#include <utility>
#include <vector>

#include <boost/multiprecision/cpp_int.hpp>

#include "oracle/words.hh"

namespace oracle {

using Fraction = boost::multiprecision::cpp_rational;

/// The mean is no sum over few paths: one of them has a chance below 2^-40, or there are too many.
struct Endless : std::runtime_error
{
    Endless() : std::runtime_error("random choices go on without end, or branch too often") {}
};

/// Choices that follow one path after the other through all that can be chosen.
class EveryChoice : public Choices
{
  public:
    std::uint64_t bounded(std::uint64_t k) override
    {
        if (k == 1) return 0;
        if (at_ == path_.size()) {
            if (k > (std::uint64_t{1} << 40) / static_cast<std::uint64_t>(one_in()))
                throw Endless();
            path_.push_back({k, 0});
        }
        return path_[at_++].second;
    }

    /// Goes to the next path; false: there is none.
    bool next()
    {
        while (!path_.empty() && path_.back().second + 1 == path_.back().first) path_.pop_back();
        at_ = 0;
        if (path_.empty()) return false;
        ++path_.back().second;
        return true;
    }

    /// One over the chance of the present path.
    std::int64_t one_in() const
    {
        std::int64_t product = 1;
        for (auto const& [k, digit] : path_) product *= static_cast<std::int64_t>(k);
        return product;
    }

  private:
    std::vector<std::pair<std::uint64_t, std::uint64_t>> path_; // (k, what was chosen)
    std::size_t at_ = 0;
};

/// The exact mean of cost(choices) over all that can be chosen. Throws Endless.
template <class Cost>
Fraction exact_mean(Cost cost, std::int64_t most = 100'000)
{
    std::map<std::int64_t, Fraction> sums; // by one_in
    EveryChoice choices;
    std::int64_t paths = 0;
    do {
        if (++paths > most) throw Endless();
        Fraction const here = cost(choices);
        sums[choices.one_in()] += here;
    } while (choices.next());
    Fraction mean = 0;
    for (auto const& [one_in, sum] : sums) mean += sum / Fraction(one_in);
    return mean;
}

} // namespace oracle
