#include "host/experiment/workload/interval_plan.hh"

#include "host/error.hh"
#include "host/experiment/decimal_fraction.hh"

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

} // namespace crx
