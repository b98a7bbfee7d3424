#include "host/experiment/workload/arrival_spec.hh"

#include "analysis/clock/machine_profile.hh"

namespace crx {

namespace {

/// Nanoseconds of a round, of a token held, of a prompt token: up to 1,000 s and 1 ms.
NumberRange cost_range(bool of_round)
{
    return of_round ? NumberRange{1, 1e12} : numbers_in(0, 1e6);
}

std::vector<Expression> profile_costs(ConfigReader& reader, std::string const& id)
{
    auto const* profile = machine_profile_named(id);
    auto const fixed_point = static_cast<double>(1 << Clock::fraction_bits);
    std::vector<Expression> costs;
    for (double const cost :
         {static_cast<double>(profile->d0), static_cast<double>(profile->d1) / fixed_point,
          static_cast<double>(profile->d2) / fixed_point, 0.0})
        costs.push_back(Expression::of_number(cost, reader.table().where, reader.path("profile")));
    return costs;
}

std::vector<std::string> profile_ids()
{
    std::vector<std::string> ids;
    for (auto const& profile : machine_profiles()) ids.emplace_back(profile.id);
    return ids;
}

std::vector<RateStepSpec> read_steps(ConfigReader& reader, ConfigValue const& value)
{
    std::string const accepted = "a list of tables { rate = .., duration = .. }";
    if (value.kind != ConfigValue::Kind::list || value.list.empty())
        reader.reject("rates", value, accepted);
    std::vector<RateStepSpec> steps;
    for (std::size_t i = 0; i < value.list.size(); ++i) {
        ConfigReader step(value.list[i], reader.path("rates") + "." + std::to_string(i));
        Expression rate(step.need("rate", "a number of at least 0"), step.path("rate"),
                        "a number of at least 0");
        std::optional<Expression> duration;
        if (auto const* given = step.find("duration"))
            duration.emplace(*given, step.path("duration"), "a number above 0");
        step.finish();
        steps.push_back({std::move(rate), std::move(duration)});
    }
    return steps;
}

} // namespace

ClockSpec read_clock(ConfigReader& workload, FieldReader& fields)
{
    ClockSpec spec;
    auto const* table = workload.find("clock");
    if (table == nullptr) return spec;
    ConfigReader reader(*table, workload.path("clock"));
    spec.affine = true;
    if (reader.find("profile") != nullptr) {
        spec.costs = profile_costs(reader, reader.choice("profile", profile_ids()));
    } else {
        for (char const* name : {"d0", "d1", "d2"})
            spec.costs.push_back(
                fields.read(reader, name, name, cost_range(std::string_view(name) == "d0")));
        spec.costs.push_back(fields.read(reader, "d3", "d3", numbers_in(0, 1e9), 0));
    }
    spec.slowdown = fields.read(reader, "slowdown", "slowdown", positive_numbers(), 1);
    reader.finish();
    return spec;
}

ArrivalSpec read_arrivals(ConfigReader& workload, FieldReader& fields)
{
    ArrivalSpec spec;
    auto const* table = workload.find("arrivals");
    if (table == nullptr) return spec;
    ConfigReader reader(*table, workload.path("arrivals"));
    spec.where = table->where;
    spec.key = reader.path("law");
    auto const law = reader.choice("law", {"at-zero", "poisson-rounds", "poisson", "trace"});
    auto const rate = [&] { return fields.read(reader, "rate", "rate", positive_numbers()); };
    if (law == "poisson-rounds") {
        spec.kind = ArrivalKind::poisson_rounds;
        spec.rates.push_back({rate(), {}});
    } else if (law == "poisson") {
        spec.kind = ArrivalKind::poisson;
        if (auto const* steps = reader.find("rates")) {
            spec.rates = read_steps(reader, *steps);
            spec.repeat = reader.flag("repeat", false);
        } else {
            spec.rates.push_back({rate(), {}});
        }
    } else if (law == "trace") {
        spec.kind = ArrivalKind::trace;
        spec.speed = fields.read(reader, "speed", "speed", positive_numbers(), 1);
    }
    reader.finish();
    return spec;
}

void add_expressions(ClockSpec const& clock, NamedExpressions& out)
{
    char const* const names[] = {"d0", "d1", "d2", "d3"};
    for (std::size_t k = 0; k < clock.costs.size(); ++k)
        out.emplace_back(names[k], &clock.costs[k]);
    if (clock.slowdown) out.emplace_back("slowdown", &*clock.slowdown);
}

void add_expressions(ArrivalSpec const& arrivals, NamedExpressions& out)
{
    for (auto const& step : arrivals.rates) {
        out.emplace_back(arrivals.rates.size() == 1 ? "rate" : "", &step.rate);
        if (step.duration) out.emplace_back("", &*step.duration);
    }
    if (arrivals.speed) out.emplace_back("speed", &*arrivals.speed);
}

} // namespace crx
