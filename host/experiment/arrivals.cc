#include "host/experiment/arrivals.hh"

#include "analysis/fluid/machine_profile.hh"
#include "analysis/fluid/offered_load.hh"
#include "analysis/laws/discrete_laws.hh"
#include "analysis/laws/gamma_gaps.hh"
#include "host/error.hh"

#include <cmath>
#include <functional>

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

std::vector<std::string> profile_ids()
{
    std::vector<std::string> ids;
    for (auto const& profile : machine_profiles()) ids.emplace_back(profile.id);
    return ids;
}

ClockSpec read_clock(ConfigReader& workload, FieldReader& fields)
{
    ClockSpec spec;
    auto const* table = workload.find("clock");
    if (table == nullptr) return spec;
    ConfigReader reader(*table, workload.path("clock"));
    spec.affine = true;
    std::vector<std::function<void()>> parts;
    if (reader.find("profile") != nullptr) {
        parts.emplace_back(
            [&] { spec.costs = profile_costs(reader, reader.choice("profile", profile_ids())); });
    } else {
        for (char const* name : {"d0", "d1", "d2"})
            parts.emplace_back([&, name] {
                spec.costs.push_back(
                    fields.read(reader, name, name, cost_range(std::string_view(name) == "d0")));
            });
        parts.emplace_back(
            [&] { spec.costs.push_back(fields.read(reader, "d3", "d3", numbers_in(0, 1e9), 0)); });
    }
    parts.emplace_back([&] {
        spec.slowdown = fields.read(reader, "slowdown", "slowdown", positive_numbers(), 1);
    });
    reader.read_parts(parts);
    return spec;
}

namespace {

/// Windows of a file as steps that begin again after the last.
std::vector<RateStepSpec> read_windows(ConfigReader& reader, ConfigValue const& value,
                                       TraceFiles& files)
{
    ConfigReader source(value, reader.path("rates"));
    auto const name = source.text("file");
    source.finish();
    Trace trace;
    try {
        trace = read_trace(files.place_of(name));
    } catch (InputError const& error) {
        source.reject("file", *source.find("file"),
                      std::string("a file of windows that can be read (") + error.what() + ")");
    }
    if (trace.windows.empty())
        source.reject("file", *source.find("file"),
                      "a file of windows with rates, as ServeGen's; this one has requests");
    std::vector<RateStepSpec> steps;
    for (std::size_t k = 0; k < trace.windows.size(); ++k) {
        auto const& window = trace.windows[k];
        auto const next = std::min(k + 1, trace.windows.size() - 1);
        auto const length = next > k ? trace.windows[next].begin - window.begin
                                     : window.begin - trace.windows[k - 1].begin;
        auto const number = [&](double x) {
            return Expression::of_number(x, value.where, reader.path("rates"));
        };
        steps.push_back({number(window.rate), number(static_cast<double>(length) * 1e-9)});
    }
    return steps;
}

void read_arrival_law(ConfigReader& reader, FieldReader& fields, TraceFiles& files,
                      ArrivalSpec& spec)
{
    auto const law =
        reader.choice("law", {"at-zero", "poisson-rounds", "poisson", "gamma", "trace"});
    auto const wants_load = [&] {
        if (reader.find("offered_load") == nullptr && !fields.has_axis("offered_load"))
            return false;
        spec.offered_load =
            fields.read(reader, "offered_load", "offered_load", numbers_in(1e-6, 1e3));
        return true;
    };
    auto const rate = [&] { return fields.read(reader, "rate", "rate", positive_numbers()); };
    if (law == "poisson-rounds") {
        spec.kind = ArrivalKind::poisson_rounds;
        spec.rates.push_back({rate(), {}});
    } else if (law == "poisson" || law == "gamma") {
        spec.kind = ArrivalKind::poisson;
        if (law == "gamma")
            spec.gap_cv =
                fields.read(reader, "coefficient_of_variation", "coefficient_of_variation",
                            numbers_in(least_variation, most_variation));
        if (auto const* steps = reader.find("rates");
            steps != nullptr && steps->kind == ConfigValue::Kind::table) {
            spec.rates = read_windows(reader, *steps, files);
            spec.repeat = true;
        } else if (steps != nullptr) {
            spec.rates = read_steps(reader, *steps);
            spec.repeat = reader.flag("repeat", false);
        } else if (wants_load()) {
            spec.rates.push_back(
                {Expression::of_number(1, reader.table().where, reader.path("offered_load")), {}});
        } else {
            spec.rates.push_back({rate(), {}});
        }
    } else if (law == "trace") {
        spec.kind = ArrivalKind::trace;
        if (!wants_load())
            spec.speed = fields.read(reader, "speed", "speed", positive_numbers(), 1);
    }
    if (law != "poisson" && law != "gamma" && law != "trace" &&
        reader.find("offered_load") != nullptr)
        reader.reject("offered_load", *reader.find("offered_load"),
                      "left out but for the laws poisson, gamma and trace");
    if (spec.offered_load && (reader.find("rate") != nullptr || reader.find("speed") != nullptr))
        reader.reject("offered_load", *reader.find("offered_load"),
                      "left out beside a rate or a speed, which it sets");
}

} // namespace

ArrivalSpec read_arrivals(ConfigReader& workload, FieldReader& fields, TraceFiles& files)
{
    ArrivalSpec spec;
    auto const* table = workload.find("arrivals");
    if (table == nullptr) return spec;
    ConfigReader reader(*table, workload.path("arrivals"));
    spec.where = table->where;
    spec.key = reader.path("law");
    reader.read_parts(
        {[&] { read_arrival_law(reader, fields, files, spec); }},
        {"rate", "rates", "repeat", "offered_load", "coefficient_of_variation", "speed"});
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
    if (arrivals.gap_cv) out.emplace_back("coefficient_of_variation", &*arrivals.gap_cv);
    if (arrivals.speed) out.emplace_back("speed", &*arrivals.speed);
    if (arrivals.offered_load) out.emplace_back("offered_load", &*arrivals.offered_load);
}

namespace {

constexpr double per_rate = 1e9;   ///< units of RateStep::rate in one arrival a second or round
constexpr double per_second = 1e9; ///< nanoseconds

std::int64_t nearest(double value) { return static_cast<std::int64_t>(std::llround(value)); }

/// The units of time in what the file calls 1: a second, or a round.
double time_unit(Clock const& clock) { return clock.affine() ? per_second : 1; }

RateStep plan_step(RateStepSpec const& spec, bool last, Clock const& clock, NameTable& names)
{
    RateStep step;
    step.rate =
        nearest(per_rate * names.evaluate(spec.rate, numbers_in(last ? 1 / per_rate : 0, 1e9)));
    if (!spec.duration) return step;
    auto const duration = names.evaluate(*spec.duration, numbers_in(0, 1e9));
    step.duration = nearest(duration * time_unit(clock));
    if (step.duration < 1)
        spec.duration->reject(duration, names.at(),
                              clock.affine() ? "a nanosecond at least" : "a round at least");
    return step;
}

/// Refuses rates that may not bring all requests before the end of time.
void check_reach(ArrivalSpec const& spec, NameTable& names, Workload const& workload)
{
    double rate = 0; // mean of what goes on for ever
    double time = 0;
    for (auto const& step : workload.rate_step) {
        bool const last = &step == &workload.rate_step.back();
        if (workload.rate_repeats) {
            auto const duration = static_cast<double>(step.duration);
            rate += duration * static_cast<double>(step.rate);
            time += duration;
        } else if (last) {
            rate = static_cast<double>(step.rate);
        } else {
            time += static_cast<double>(step.duration);
        }
    }
    if (workload.rate_repeats) rate /= time;
    auto const n = static_cast<double>(workload.requests);
    // Of gaps whose coefficient of variation is at most most_variation.
    double const spread = spec.gap_cv ? most_variation : 1;
    auto const points = n + 12 * spread * std::sqrt(n) + 100 * spread * spread;
    auto const reach = time + points / (rate / per_rate) * time_unit(workload.clock);
    if (!(reach < 0x1p61))
        spec.rates.back().rate.reject(rate / per_rate, names.at(),
                                      "large enough that all requests arrive within 2^61 " +
                                          std::string(workload.clock.affine() ? "ns" : "rounds"));
}

} // namespace

Clock plan_clock(ClockSpec const& spec, Tokens memory, NameTable& names)
{
    if (!spec.affine) return {};
    auto const slowdown = names.evaluate(*spec.slowdown, numbers_in(1e-9, 1e9));
    std::int64_t costs[4] = {};
    for (std::size_t k = 0; k < 4; ++k) {
        bool const whole = k == 0 || k == 3;
        double const unit = whole ? 1 : static_cast<double>(1 << Clock::fraction_bits);
        double const most = k == 0 ? 1e12 : 0x1p62 / unit / static_cast<double>(memory);
        auto const cost = slowdown * names.evaluate(spec.costs[k], numbers_in(0, 1e12));
        if (!(cost <= most && (k > 0 || cost >= 0.5)))
            spec.costs[k].reject(cost, names.at(),
                                 (k == 0 ? "0.5 to " : "0 to ") + written_number(most) +
                                     " nanoseconds when multiplied by the slowdown");
        costs[k] = nearest(cost * unit);
    }
    return {ClockKind::affine, costs[0], costs[1], costs[2], costs[3]};
}

double plan_arrivals(ArrivalSpec const& spec, bool tabulate, NameTable& names, Workload& workload)
{
    workload.arrival_kind = spec.kind;
    auto const& clock = workload.clock;
    if (spec.kind == ArrivalKind::poisson_rounds) {
        if (clock.affine())
            throw ConfigError(spec.where, spec.key, "poisson-rounds" + names.at(),
                              "\"poisson\" under the affine clock, whose rounds have no rate");
        auto const rate = names.evaluate(spec.rates.front().rate, numbers_in(1e-3, 1e3));
        if (!tabulate) return 0;
        auto law = poisson_law(rate);
        workload.round_value = std::move(law.value);
        workload.round_threshold = std::move(law.threshold);
    } else if (spec.kind == ArrivalKind::poisson) {
        workload.rate_repeats = spec.repeat;
        double sum = 0;
        for (std::size_t k = 0; k < spec.rates.size(); ++k) {
            auto const& step = spec.rates[k];
            bool const last = !spec.repeat && k + 1 == spec.rates.size();
            if (last == step.duration.has_value())
                throw ConfigError(step.rate.where(), step.rate.key(), step.rate.written(),
                                  last ? "the last step, which has no duration unless repeat = true"
                                       : "a step with a duration");
            workload.rate_step.push_back(plan_step(step, last, clock, names));
            sum += static_cast<double>(workload.rate_step.back().rate);
        }
        if (!(sum > 0))
            spec.rates.front().rate.reject(0, names.at(), "above 0 in one step at least");
        check_reach(spec, names, workload);
    }
    if (!spec.gap_cv) return 0;
    auto const cv = names.evaluate(*spec.gap_cv, numbers_in(least_variation, most_variation));
    if (!tabulate) return cv;
    auto gaps = gamma_gaps(cv);
    workload.gap_end = std::move(gaps.end);
    workload.gap_threshold = std::move(gaps.threshold);
    return cv;
}

Instant trace_instant(std::int64_t time, std::int64_t speed)
{
    auto const divisor = static_cast<Unsigned128>(speed);
    auto const scaled = static_cast<Unsigned128>(time) * 1'000'000'000;
    return static_cast<Instant>((scaled + divisor - 1) / divisor);
}

namespace {

/// Mean and mean square of a law.
struct Moments
{
    double mean = 0, square = 0;
};
Moments moments_of(std::vector<std::int32_t> const& value,
                   std::function<double(std::size_t)> const& share)
{
    Moments out;
    for (std::size_t k = 0; k < value.size(); ++k) {
        auto const x = static_cast<double>(value[k]);
        out.mean += share(k) * x;
        out.square += share(k) * x * x;
    }
    return out;
}

/// The share of each value of a tabulated law, whose thresholds are cumulative.
double share_in(std::vector<std::uint64_t> const& threshold, std::size_t k, std::size_t size)
{
    auto const below = k == 0 ? 0.0 : std::ldexp(static_cast<double>(threshold[k - 1]), -64);
    auto const upto = k + 1 == size ? 1.0 : std::ldexp(static_cast<double>(threshold[k]), -64);
    return upto - below;
}

/// The least busy time of the mean request: of rows, or of prompts and outputs that are
/// independent.
double mean_busy_time(Workload const& w)
{
    if (w.output_kind == OutputKind::trace) {
        double sum = 0;
        std::size_t begin = 0;
        for (std::size_t k = 0; k < w.source_end.size(); ++k) {
            OfferedWork work;
            auto const end = static_cast<std::size_t>(w.source_end[k]);
            for (auto i = begin; i < end; ++i) work.add(w.trace_prompt[i], w.trace_output[i]);
            if (end > begin)
                sum += least_busy_time(work, w.memory, w.clock) / static_cast<double>(end - begin) *
                       static_cast<double>(w.source_count[k]);
            begin = end;
        }
        return sum / static_cast<double>(w.requests);
    }
    auto const n = static_cast<double>(w.requests);
    auto const output = moments_of(w.output_value, [&](std::size_t k) {
        return w.output_kind == OutputKind::composition
                   ? static_cast<double>(w.output_count[k]) / n
                   : share_in(w.output_threshold, k, w.output_value.size());
    });
    Moments prompt{static_cast<double>(w.prompt_constant), 0};
    if (w.prompt_kind == PromptKind::table)
        prompt = moments_of(w.prompt_value, [&](std::size_t k) {
            return share_in(w.prompt_threshold, k, w.prompt_value.size());
        });
    auto const volume = prompt.mean * output.mean + (output.square + output.mean) / 2;
    auto const rounds = volume / static_cast<double>(w.memory);
    if (!w.clock.affine()) return rounds;
    constexpr double unit = 1 << Clock::fraction_bits;
    return static_cast<double>(w.clock.d0) * rounds +
           static_cast<double>(w.clock.d1) / unit * volume +
           static_cast<double>(w.clock.d2) / unit * prompt.mean +
           static_cast<double>(w.clock.d3) * output.mean;
}

} // namespace

std::int64_t offer_load(ArrivalSpec const& spec, NameTable& names, Workload& workload)
{
    auto const wanted = names.evaluate(*spec.offered_load, numbers_in(1e-6, 1e3));
    auto const busy = mean_busy_time(workload);
    if (spec.kind == ArrivalKind::poisson) {
        auto const rate = wanted / busy * time_unit(workload.clock);
        if (!(rate >= 1e-9 && rate <= 1e9))
            spec.offered_load->reject(wanted, names.at(), "a load whose rate is in [1e-9, 1e9]");
        workload.rate_step.front().rate = nearest(per_rate * rate);
        return 0;
    }
    auto& arrival = workload.trace_arrival;
    auto const n = workload.trace_order == TraceOrder::in_order
                       ? static_cast<std::size_t>(workload.requests)
                       : arrival.size();
    auto const span = n < 2 ? 0.0 : static_cast<double>(arrival[n - 1] - arrival.front());
    if (!(span > 0))
        spec.offered_load->reject(wanted, names.at(),
                                  "left out: all requests of the trace arrive at once");
    OfferedWork work;
    for (std::size_t i = 0; i < n; ++i)
        work.add(workload.trace_prompt[i], workload.trace_output[i]);
    auto const count = static_cast<double>(n);
    auto const load =
        least_busy_time(work, workload.memory, workload.clock) / (span * count / (count - 1));
    auto const speed = wanted / load;
    if (!(speed >= 1e-6 && speed <= 1e6))
        spec.offered_load->reject(wanted, names.at(),
                                  "a load that the trace has at a speed from 1e-6 to 1e6");
    auto const scaled = nearest(per_rate * speed);
    for (auto& time : arrival) time = trace_instant(time, scaled);
    return scaled;
}

std::int64_t plan_speed(ArrivalSpec const& spec, NameTable& names)
{
    if (!spec.speed) return nearest(per_rate); // scaled once the work is known
    return nearest(per_rate * names.evaluate(*spec.speed, numbers_in(1e-6, 1e6)));
}

} // namespace crx
