#include "host/input/time_text.hh"

#include "kernels/base/integers.cuh"

#include <algorithm>
#include <charconv>
#include <cmath>

namespace crx {

std::vector<std::string> const& time_units()
{
    static std::vector<std::string> const names{"ns", "us", "ms", "s"};
    return names;
}

std::optional<TimeUnit> time_unit_named(std::string_view name)
{
    auto const found = std::ranges::find(time_units(), name);
    if (found == time_units().end()) return {};
    return static_cast<TimeUnit>(found - time_units().begin());
}

std::optional<TimeUnit> unit_in_name(std::string_view column)
{
    auto const line = column.rfind('_');
    if (line == std::string_view::npos) return {};
    auto const end = column.substr(line + 1);
    if (end == "seconds" || end == "sec") return TimeUnit::seconds;
    return time_unit_named(end);
}

std::optional<double> finite_number(std::string_view text)
{
    double value = 0;
    auto const [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc{} || end != text.data() + text.size() || !std::isfinite(value))
        return {};
    return value;
}

std::optional<std::int64_t> time_number(std::string_view text, TimeUnit unit)
{
    constexpr int most_digits = 30; // of which later ones change nothing
    Unsigned128 digits = 0;
    int power = 3 * static_cast<int>(unit), count = 0;
    bool any = false, after_point = false;
    std::size_t at = 0;
    for (; at < text.size(); ++at) {
        char const c = text[at];
        if (c == '.' && !after_point) {
            after_point = true;
            continue;
        }
        if (c < '0' || c > '9') break;
        any = true;
        if (count < most_digits) {
            digits = 10 * digits + static_cast<unsigned>(c - '0');
            count += digits > 0 ? 1 : 0;
            power -= after_point ? 1 : 0;
        } else {
            power += after_point ? 0 : 1;
        }
    }
    if (!any) return {};
    if (at < text.size()) {
        if (text[at] != 'e' && text[at] != 'E') return {};
        bool const minus = ++at < text.size() && text[at] == '-';
        if (at < text.size() && (text[at] == '-' || text[at] == '+')) ++at;
        if (at == text.size() || text.size() - at > 3) return {};
        int exponent = 0;
        for (; at < text.size(); ++at) {
            if (text[at] < '0' || text[at] > '9') return {};
            exponent = 10 * exponent + (text[at] - '0');
        }
        power += minus ? -exponent : exponent;
    }
    constexpr auto most = static_cast<Unsigned128>(last_nanosecond);
    for (; power > 0 && digits > 0; --power)
        if ((digits *= 10) > most) return {};
    bool half = false; // whether what is cut off is a half or more
    for (; power < 0 && digits > 0; ++power) {
        half = digits % 10 >= 5;
        digits /= 10;
    }
    if (power < 0) half = false; // a digit of 0 stands before the last one cut off
    digits += half ? 1 : 0;
    if (digits > most) return {};
    return static_cast<std::int64_t>(digits);
}

namespace {

/// The number that `size` digits at the front are, which it passes over; -1 where there are none.
int take_digits(std::string_view& text, std::size_t size)
{
    if (text.size() < size) return -1;
    int value = 0;
    for (std::size_t i = 0; i < size; ++i) {
        if (text[i] < '0' || text[i] > '9') return -1;
        value = 10 * value + (text[i] - '0');
    }
    text.remove_prefix(size);
    return value;
}

bool take(std::string_view& text, std::string_view any_of)
{
    if (text.empty() || any_of.find(text.front()) == std::string_view::npos) return false;
    text.remove_prefix(1);
    return true;
}

/// Days from 1970-01-01 in the Gregorian calendar; years begin in March, so that leap days are
/// last.
std::int64_t days_since_1970(int year, int month, int day)
{
    std::int64_t const y = month > 2 ? year : year - 1;
    int const m = month > 2 ? month - 3 : month + 9;
    return 365 * y + y / 4 - y / 100 + y / 400 + (153 * m + 2) / 5 + day - 1 - 719468;
}

} // namespace

std::optional<DateTime> date_time(std::string_view text)
{
    auto const year = take_digits(text, 4);
    if (year < 1970 || year > 2096 || !take(text, "-")) return {};
    auto const month = take_digits(text, 2);
    if (month < 1 || month > 12 || !take(text, "-")) return {};
    auto const day = take_digits(text, 2);
    constexpr int days[] = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
    bool const leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
    if (day < 1 || day > days[month - 1] + (leap && month == 2 ? 1 : 0) || !take(text, " T"))
        return {};
    auto const hour = take_digits(text, 2);
    if (hour < 0 || hour > 23 || !take(text, ":")) return {};
    auto const minute = take_digits(text, 2);
    if (minute < 0 || minute > 59 || !take(text, ":")) return {};
    auto const digits = std::min(text.find_first_not_of("0123456789."), text.size());
    auto const second = text.substr(0, digits);
    auto const part = time_number(second, TimeUnit::seconds);
    if (second.size() < 2 || (second.size() > 2 && second[2] != '.') || !part ||
        *part >= 61'000'000'000)
        return {};
    text.remove_prefix(digits);
    DateTime out;
    std::int64_t offset = 0; // minutes
    if (take(text, "Z")) {
        out.has_offset = true;
    } else if (!text.empty()) {
        bool const behind = text.front() == '-';
        if (!take(text, "+-")) return {};
        auto const hours = take_digits(text, 2);
        if (hours < 0 || hours > 23) return {};
        auto const colon = take(text, ":");
        auto const minutes = text.empty() && !colon ? 0 : take_digits(text, 2);
        if (minutes < 0 || minutes > 59) return {};
        offset = (behind ? -1 : 1) * (60 * hours + minutes);
        out.has_offset = true;
    }
    if (!text.empty()) return {};
    auto const whole = (days_since_1970(year, month, day) * 24 + hour) * 60 + minute - offset;
    out.nanoseconds = whole * 60'000'000'000 + *part;
    if (out.nanoseconds < 0) return {};
    return out;
}

} // namespace crx
