#include "host/experiment/ladder_plan.hh"

#include "host/error.hh"
#include "host/experiment/workload/law_catalogue.hh"

namespace crx {

namespace {

void append(LadderLevels& levels, std::int64_t level)
{
    if (levels.count > 0 && levels.level[levels.count - 1] == level) return;
    levels.level[levels.count++] = static_cast<std::int32_t>(level);
}

} // namespace

LadderLevels plan_levels(PolicyPlan const& plan, IntervalRule const& interval, NameTable& names)
{
    LadderLevels levels;
    if (!plan.takes_levels) return levels;
    auto const common = interval.kind == IntervalKind::common;
    if (plan.doubling) {
        if (!common)
            throw ConfigError(plan.where, plan.key, "\"doubling\"",
                              "a list where the requests have no common interval");
        for (std::int64_t level = interval.lower; level < interval.upper; level *= 2)
            append(levels, level);
        append(levels, interval.upper);
        return levels;
    }
    double before = 0;
    for (auto const& expression : plan.levels) {
        auto value = names.evaluate(expression, integers_in(1, longest_length));
        if (common && value > interval.upper) value = interval.upper;
        if (!(value >= before))
            expression.reject(value, names.at(),
                              "at least the level before it, " + written_number(before));
        before = value;
        if (common && levels.count == 0 && !(value >= interval.lower))
            expression.reject(value, names.at(),
                              "at least the common lower end, " + std::to_string(interval.lower));
        append(levels, static_cast<std::int64_t>(value));
    }
    if (common && levels.level[levels.count - 1] != interval.upper)
        plan.levels.back().reject(before, names.at(),
                                  "the common upper end, " + std::to_string(interval.upper) +
                                      ", as the last level");
    return levels;
}

} // namespace crx
