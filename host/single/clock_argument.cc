#include "host/single/clock_argument.hh"

#include "analysis/clock/machine_profile.hh"
#include "host/error.hh"
#include "host/experiment/reading/nearest_name.hh"
#include "host/experiment/reading/number_range.hh"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

namespace crx {
namespace {

constexpr char const* names[] = {"--d0", "--d1", "--d2", "--d3"};
constexpr double fixed_unit = 1 << Clock::fraction_bits;

Clock clock_of_profile(std::string const& id)
{
    auto const* const profile = machine_profile_named(id);
    std::vector<std::string> known;
    for (auto const& other : machine_profiles()) known.emplace_back(other.id);
    if (profile == nullptr)
        throw ConfigError("command line", "--clock", id,
                          "one of " + listed_with_nearest(id, known));
    return {ClockKind::affine, profile->d0, profile->d1, profile->d2};
}

std::int64_t check_cost(std::size_t k, std::optional<double> const& given, Tokens memory)
{
    if (!given && k == 3) return 0;
    if (!given)
        throw ConfigError("command line", names[k], "",
                          "given: a clock of one's own needs --d0, --d1 and --d2");
    bool const whole = k == 0 || k == 3;
    double const unit = whole ? 1 : fixed_unit;
    double const most = k == 0 ? 1e12 : 0x1p60 / unit / static_cast<double>(memory);
    if (!(*given >= 0 && *given <= most && (k > 0 || *given >= 0.5)))
        throw ConfigError(
            "command line", names[k], written_number(*given),
            fmt::format("nanoseconds from {} to {}", k == 0 ? 1 : 0, written_number(most)));
    return std::llround(*given * unit);
}

} // namespace

Clock clock_argument(ClockArguments const& given, Tokens memory)
{
    bool const own = std::ranges::any_of(given.cost, [](auto const& c) { return c.has_value(); });
    if (!given.profile && !own) return {};
    if (given.profile && own)
        throw ConfigError("command line", "--clock", *given.profile,
                          "left out beside --d0, --d1, --d2, --d3");
    if (given.profile) return clock_of_profile(*given.profile);
    Clock clock{ClockKind::affine};
    std::int64_t* const to[] = {&clock.d0, &clock.d1, &clock.d2, &clock.d3};
    for (std::size_t k = 0; k < 4; ++k) *to[k] = check_cost(k, given.cost[k], memory);
    return clock;
}

std::string clock_text(Clock const& clock)
{
    auto const fixed = [](std::int64_t d) { return static_cast<double>(d) / fixed_unit; };
    return fmt::format("d0 = {}, d1 = {:.6g}, d2 = {:.6g}, d3 = {}", clock.d0, fixed(clock.d1),
                       fixed(clock.d2), clock.d3);
}

} // namespace crx
