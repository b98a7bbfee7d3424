#include "host/experiment/lengths.hh"

#include "analysis/laws/discrete_laws.hh"
#include "host/error.hh"
#include "host/experiment/trace_plan.hh"
#include "host/input/accepted.hh"

#include <cmath>
#include <map>

namespace crx {

namespace {

IntervalRule common_interval(IntervalSpec const& spec, LengthRange range, bool covering,
                             NameTable& names)
{
    auto const lower = names.evaluate(spec.fields[0], integers_in(1, longest_length));
    auto const upper = names.evaluate(spec.fields[1], integers_in(1, longest_length));
    if (!(lower <= upper))
        spec.fields[0].reject(lower, names.at(),
                              "at most upper, which is " + written_number(upper));
    if (covering && !(lower <= range.least))
        spec.fields[0].reject(lower, names.at(),
                              "at most the least output length, " + std::to_string(range.least));
    if (covering && !(upper >= range.largest))
        spec.fields[1].reject(upper, names.at(),
                              "at least the largest output length, " +
                                  std::to_string(range.largest));
    IntervalRule rule;
    rule.kind = IntervalKind::common;
    rule.lower = static_cast<std::int32_t>(lower);
    rule.upper = static_cast<std::int32_t>(upper);
    return rule;
}

} // namespace

IntervalRule plan_interval(IntervalSpec const& spec, LengthRange range, bool covering,
                           NameTable& names)
{
    IntervalRule rule;
    switch (spec.rule) {
    case IntervalChoice::exact: break;
    case IntervalChoice::support:
        rule.kind = IntervalKind::common;
        rule.lower = range.least;
        rule.upper = range.largest;
        break;
    case IntervalChoice::common: rule = common_interval(spec, range, covering, names); break;
    case IntervalChoice::buckets:
        rule.kind = IntervalKind::buckets;
        rule.width = static_cast<std::int32_t>(
            names.evaluate(spec.fields[0], integers_in(1, longest_length)));
        break;
    case IntervalChoice::relative: {
        rule.kind = IntervalKind::relative;
        auto const x = names.evaluate(spec.fields[0], numbers_in(0, 1));
        auto const fraction = decimal_fraction(x);
        if (!fraction)
            spec.fields[0].reject(x, names.at(), "a decimal of at most nine places in [0, 1]");
        rule.numerator = fraction->numerator;
        rule.denominator = fraction->denominator;
        break;
    }
    }
    if (upper_end(rule, range.largest) > static_cast<std::int64_t>(longest_length))
        throw ConfigError(spec.where, spec.key,
                          "u(" + std::to_string(range.largest) +
                              ") = " + std::to_string(upper_end(rule, range.largest)) + names.at(),
                          "a rule whose upper ends are at most " + written_number(longest_length));
    return rule;
}

std::int64_t upper_end(IntervalRule const& rule, std::int32_t o)
{
    switch (rule.kind) {
    case IntervalKind::exact: break;
    case IntervalKind::common: return rule.upper;
    case IntervalKind::buckets: {
        std::int64_t const width = rule.width;
        return (o + width - 1) / width * width;
    }
    case IntervalKind::relative:
        return ((rule.denominator + rule.numerator) * o + rule.denominator - 1) / rule.denominator;
    }
    return o;
}

namespace {

LawValues law_values(LawSpec const& law, NameTable& names)
{
    LawValues values;
    for (std::size_t i = 0; i < law.fields.size(); ++i)
        values[law.shape->fields[i].name] =
            names.evaluate(law.fields[i], law.shape->fields[i].range);
    auto const lower = values.find("lower"), upper = values.find("upper");
    if (lower != values.end() && upper != values.end() && !(lower->second <= upper->second))
        for (std::size_t i = 0; i < law.fields.size(); ++i)
            if (law.shape->fields[i].name == "lower")
                law.fields[i].reject(lower->second, names.at(),
                                     "at most upper, which is " + written_number(upper->second));
    return values;
}

void set_composition(std::vector<std::pair<std::int32_t, std::int64_t>> const& counts,
                     Workload& workload)
{
    workload.output_kind = OutputKind::composition;
    for (auto const& [value, count] : counts) {
        if (count == 0) continue;
        if (!workload.output_value.empty() && workload.output_value.back() == value) {
            workload.output_count.back() += count;
            continue;
        }
        workload.output_value.push_back(value);
        workload.output_count.push_back(count);
    }
}

/// `lower` for round(w n) requests exactly, `upper` for the rest.
void deal_two_points(double w, LengthRange range, Workload& workload)
{
    auto const n = workload.requests;
    auto const shorts = static_cast<std::int64_t>(std::round(w * static_cast<double>(n)));
    set_composition({{range.least, shorts}, {range.largest, n - shorts}}, workload);
}

LengthRange plan_composition(CompositionSpec const& spec, Expression const& requests,
                             NameTable& names, Workload& workload)
{
    auto const n = workload.requests;
    std::vector<double> amounts;
    double sum = 0;
    for (auto const& amount : spec.amounts) {
        auto const range =
            spec.weights ? NumberRange{0, 1e12} : integers_in(0, requests_range().high);
        amounts.push_back(names.evaluate(amount, range));
        sum += amounts.back();
    }
    if (spec.weights && !(sum > 0))
        spec.amounts.front().reject(amounts.front(), names.at(),
                                    "a number above 0 for one length at least");
    if (!spec.weights && sum != static_cast<double>(n))
        requests.reject(static_cast<double>(n), names.at(),
                        "the sum of counts, which is " + written_number(sum));
    std::vector<std::int64_t> counts;
    if (spec.weights)
        counts = largest_remainder(n, amounts);
    else
        for (double amount : amounts) counts.push_back(static_cast<std::int64_t>(amount));
    std::map<std::int32_t, std::int64_t> by_value;
    for (std::size_t k = 0; k < counts.size(); ++k) {
        auto const value = names.evaluate(spec.values[k], integers_in(1, longest_length));
        by_value[static_cast<std::int32_t>(value)] += counts[k];
    }
    set_composition({by_value.begin(), by_value.end()}, workload);
    // The range is what the file lists, also where a weight comes out as no request.
    return {by_value.begin()->first, by_value.rbegin()->first};
}

} // namespace

LengthRange plan_output(WorkloadSpec const& spec, bool tabulate, NameTable& names,
                        Workload& workload, LengthsIdentity& identity)
{
    auto const& output = spec.output;
    if (output.trace) return range_of(*output.trace, workload.memory, names);
    if (output.composition)
        return plan_composition(*output.composition, spec.requests, names, workload);
    auto const& shape = *output.law->shape;
    identity.output_law = shape.name();
    identity.output = law_values(*output.law, names);
    LengthRange const range{shape.least(identity.output), shape.largest(identity.output)};
    if (output.exact_counts) {
        deal_two_points(identity.output.at("short_fraction"), range, workload);
    } else if (tabulate) {
        auto law = shape.tabulate(identity.output);
        workload.output_value = std::move(law.value);
        workload.output_threshold = std::move(law.threshold);
    }
    return range;
}

LengthRange plan_prompt(PromptSpec const& spec, bool tabulate, NameTable& names, Workload& workload,
                        LengthsIdentity& identity)
{
    if (spec.constant) {
        auto const length = static_cast<std::int32_t>(
            names.evaluate(*spec.constant, integers_in(0, longest_length)));
        workload.prompt_constant = length;
        return {length, length};
    }
    auto const& shape = *spec.law->shape;
    workload.prompt_kind = PromptKind::table;
    identity.prompt_law = shape.name();
    identity.prompt = law_values(*spec.law, names);
    if (tabulate) {
        auto law = shape.tabulate(identity.prompt);
        workload.prompt_value = std::move(law.value);
        workload.prompt_threshold = std::move(law.threshold);
    }
    return {shape.least(identity.prompt), shape.largest(identity.prompt)};
}

} // namespace crx
