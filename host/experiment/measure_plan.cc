#include "host/experiment/measure_plan.hh"

#include "host/input/time_text.hh"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <nlohmann/json.hpp>

namespace crx {

namespace {

LimitSpec read_limit(ConfigReader const& table, std::string const& name, ConfigValue const& value)
{
    std::string const accepted =
        "a time above 0 with a unit (\"2 s\", \"100 ms\"), or a number of rounds without a clock";
    LimitSpec limit{name, 0, {}, value.where, table.path(name), value.written()};
    if (value.kind == ConfigValue::Kind::text) {
        auto const& text = value.text;
        auto const [end, error] =
            std::from_chars(text.data(), text.data() + text.size(), limit.value);
        limit.unit.assign(end, text.data() + text.size());
        if (limit.unit.starts_with(' ')) limit.unit.erase(0, 1);
        if (error != std::errc{} || !time_unit_named(limit.unit))
            table.reject(name, value, accepted);
    } else if (value.is_number()) {
        limit.value = value.number();
    } else {
        table.reject(name, value, accepted);
    }
    double const least = limit.unit.empty() && name != "per_token" ? 1 : 0; // latencies are whole
    if (!(limit.value > 0 && limit.value >= least && limit.value < 1e15))
        table.reject(name, value, accepted);
    return limit;
}

} // namespace

std::vector<std::string> const& request_measure_names()
{
    static std::vector<std::string> const names{"latency",   "first_token", "first_token_streamed",
                                                "per_token", "slowdown",    "longest_gap"};
    return names;
}

namespace {

std::string name_of(int measure, char const* statistic)
{
    auto name = request_measure_names()[static_cast<std::size_t>(measure)];
    std::ranges::replace(name, '_', '-');
    return name + "-" + statistic;
}

} // namespace

std::vector<std::string> request_statistic_names()
{
    std::vector<std::string> names;
    for (int m = 0; m < measure_count; ++m)
        for (auto const* const statistic : request_statistics)
            names.push_back(name_of(m, statistic));
    names.insert(names.end(), std::begin(request_totals), std::end(request_totals));
    return names;
}

std::optional<RequestStatistic> request_statistic_named(std::string const& name)
{
    auto const names = request_statistic_names();
    auto const place = std::ranges::find(names, name) - names.begin();
    if (place == static_cast<std::ptrdiff_t>(names.size())) return {};
    constexpr int statistics = std::size(request_statistics);
    auto const at = static_cast<int>(place);
    if (at >= measure_count * statistics)
        return RequestStatistic{-1, at - measure_count * statistics};
    return RequestStatistic{at / statistics, at % statistics};
}

std::string refusal_of(RequestStatistic const& wanted, MeasurePlan const& plan)
{
    if (wanted.measure >= 0)
        return plan.choice.kept[static_cast<std::size_t>(wanted.measure)]
                   ? ""
                   : "[measures] keeps \"" +
                         request_measure_names()[static_cast<std::size_t>(wanted.measure)] + "\"";
    if (!plan.choice.totals) return "[measures] keeps something";
    return wanted.statistic >= 5 && plan.limits.empty() ? "[measures] has slo, its limits" : "";
}

namespace {

/// slo = { first_token = "2 s", .. } of a table.
void read_limits(ConfigReader& reader, MeasurePlan& plan)
{
    auto const* const slo = reader.find("slo");
    if (slo == nullptr) return;
    ConfigReader limits(*slo, reader.path("slo"));
    for (char const* name : {"latency", "first_token", "per_token"})
        if (auto const* const value = limits.find(name))
            plan.limits.push_back(read_limit(limits, name, *value));
    limits.finish();
    if (plan.limits.empty())
        reader.reject("slo", *slo, "a table { first_token = \"2 s\", per_token = \"100 ms\" }");
}

void read_capacity(ConfigReader& top, MeasurePlan& plan)
{
    auto const* const table = top.find("capacity");
    if (table == nullptr) return;
    ConfigReader reader(*table, "capacity");
    CapacityPlan capacity{{}, 0, 0, table->where};
    auto const read_slo = [&] {
        if (auto const* const slo = reader.find("slo"); slo != nullptr && !plan.limits.empty())
            reader.reject("slo", *slo, "left out beside measures.slo, which it would be");
        read_limits(reader, plan);
        if (plan.limits.empty())
            reader.reject_missing("slo", "a table { first_token = \"2 s\" }, or one of [measures]");
    };
    reader.read_parts(
        {[&] { capacity.axis = reader.text("over"); },
         [&] {
             capacity.share = reader.number("share", {0.001, 1}, 0.99);
         },
         [&] { capacity.rounds = static_cast<int>(reader.integer("rounds", 1, 40, 6)); },
         read_slo});
    plan.choice.totals = true;
    plan.capacity = capacity;
}

void read_kept(ConfigReader& top, MeasurePlan& plan)
{
    auto const* const table = top.find("measures");
    if (table == nullptr) return;
    ConfigReader reader(*table, "measures");
    auto const& names = request_measure_names();
    auto const read_kept = [&] {
        for (auto const& name : reader.choices("keep", names, names))
            plan.choice
                .kept[static_cast<std::size_t>(std::ranges::find(names, name) - names.begin())] =
                true;
    };
    reader.read_parts({read_kept, [&] { read_limits(reader, plan); }});
    plan.choice.totals = true;
}

} // namespace

MeasurePlan read_measures(ConfigReader& top)
{
    MeasurePlan plan;
    Mistakes mistakes;
    if (mistakes.collect([&] { read_kept(top, plan); })) // its limits may be those of a capacity
        mistakes.collect([&] { read_capacity(top, plan); });
    mistakes.throw_all();
    return plan;
}

MeasureChoice plan_measures(MeasurePlan const& plan, bool timed, std::string const& at)
{
    auto choice = plan.choice;
    for (auto const& limit : plan.limits) {
        if (timed == limit.unit.empty())
            throw ConfigError(limit.where, limit.key, limit.written + at,
                              timed ? "a time with a unit, as \"2 s\", on a clock"
                                    : "a number of rounds without [workload.clock]");
        auto value = limit.value;
        if (auto const unit = time_unit_named(limit.unit))
            value *= std::pow(1000.0, static_cast<int>(*unit));
        auto& objective = choice.objective;
        // Times are whole; a limit such as "0.3 ms" may come out a hair below its value.
        auto const whole = std::max(std::int64_t{1}, static_cast<std::int64_t>(value + 1e-6));
        if (limit.name == "latency") objective.latency = whole;
        if (limit.name == "first_token") objective.first_token = whole;
        if (limit.name == "per_token")
            objective.per_token = std::llround(std::ldexp(
                value, measure_fraction_bits[static_cast<int>(RequestMeasure::per_token)]));
    }
    return choice;
}

nlohmann::json measures_identity(MeasureChoice const& choice)
{
    nlohmann::json out{{"keep", nlohmann::json::array()}};
    for (int m = 0; m < measure_count; ++m) {
        bool const kept = choice.kept[static_cast<std::size_t>(m)];
        // The first five are always named.
        if (m < 5 || kept) out["keep"].push_back(kept);
    }
    auto const& slo = choice.objective;
    if (slo.any()) out["slo"] = {slo.latency, slo.first_token, slo.per_token};
    return out;
}

} // namespace crx
