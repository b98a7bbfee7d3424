#include "host/input/time_column.hh"

#include "host/error.hh"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

namespace crx {

namespace {

constexpr char const* date_words = "a date as 2023-11-16 18:15:46.5 (+00:00)";

} // namespace

std::int64_t TimeColumn::read()
{
    auto const text = table_.field(column_);
    if (first_) decide(text);
    first_ = false;
    if (dates_) {
        auto const date = date_time(text);
        if (!date) table_.fail_field(column_, std::string(date_words) + ", as the first is");
        if (date->has_offset != has_offset_)
            table_.fail_field(column_, has_offset_
                                           ? "a date with an offset from UTC, as the first is"
                                           : "a date without an offset, as the first is");
        return date->nanoseconds;
    }
    if (!unit_) {
        auto const value = finite_number(text);
        if (!value || *value < 0) table_.fail_field(column_, "a number of at least 0");
        least_ = std::min(least_, *value);
        most_ = std::max(most_, *value);
        ++count_;
        return 0;
    }
    auto const time = time_number(text, *unit_);
    if (!time)
        table_.fail_field(column_, fmt::format("a number of {} from 0 to 4000000000 seconds{}",
                                               unit_name(), hint_));
    if (whole_ && text.find('.') != std::string_view::npos)
        table_.fail_field(column_,
                          "a whole number of milliseconds, as this format has them" + hint_);
    return *time;
}

void TimeColumn::finish(std::filesystem::path const& file) const
{
    if (unit_ || dates_ || count_ == 0) return;
    auto const first = most_ > 1e16 ? 0 : most_ > 1e13 ? 1 : most_ > 1e10 ? 1 : 2;
    std::string text;
    for (int k = first + 1; k >= first; --k) { // the larger unit first
        double const seconds = (most_ - least_) * std::pow(10.0, 3 * k - 9);
        text += fmt::format("{} {}: {:.6g} s from first to last{}", text.empty() ? "" : ", in",
                            time_units()[static_cast<std::size_t>(k)], seconds,
                            seconds > 0 ? fmt::format(" ({:.4g} requests/s)",
                                                      static_cast<double>(count_ - 1) / seconds)
                                        : "");
    }
    throw InputError(fmt::format(
        "{}: column {} has times and no unit: in{}\n  say which: --unit {} or --unit {} (in an "
        "experiment unit = \"{}\"), or --at-zero to leave times out",
        file.string(), table_.columns()[column_], text,
        time_units()[static_cast<std::size_t>(first + 1)],
        time_units()[static_cast<std::size_t>(first)],
        time_units()[static_cast<std::size_t>(first + 1)]));
}

std::string TimeColumn::as() const
{
    if (dates_) return has_offset_ ? "dates with offsets from UTC" : "dates without offsets";
    return unit_name();
}

void TimeColumn::decide(std::string_view text)
{
    auto const date = date_time(text);
    if (date && unit_)
        table_.fail_field(column_, "a number of " + unit_name() +
                                       "; it is a date, which needs no unit" + hint_);
    dates_ = date.has_value();
    has_offset_ = date && date->has_offset;
    if (!dates_ && !unit_ && !finite_number(text))
        table_.fail_field(column_, std::string(date_words) + ", or a number");
}

std::string TimeColumn::unit_name() const
{
    char const* const names[] = {"nanoseconds", "microseconds", "milliseconds", "seconds"};
    return unit_ ? names[static_cast<int>(*unit_)] : "";
}

} // namespace crx
