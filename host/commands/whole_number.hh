#pragma once

#include <CLI/CLI.hpp>
#include <charconv>
#include <limits>

namespace crx {

/// Accepts a whole number in [low, high] and nothing else. CLI11's own reading takes -1 for 2^64 -
/// 1 and anything larger for the largest there is, so a wrong seed would run as another one.
template <class Integer>
CLI::Validator whole_number(Integer low, Integer high = std::numeric_limits<Integer>::max())
{
    auto const range = std::to_string(low) + " to " + std::to_string(high);
    return {[low, high, range](std::string& text) -> std::string {
                Integer value{};
                auto const* end = text.data() + text.size();
                auto const [stop, error] = std::from_chars(text.data(), end, value);
                if (error == std::errc{} && stop == end && value >= low && value <= high) return {};
                return text + " is not accepted: must be a whole number from " + range;
            },
            range};
}

} // namespace crx
