#include "host/experiment/policy_parameters.hh"

#include "host/error.hh"
#include "host/experiment/law_catalogue.hh"
#include "host/experiment/policy_list.hh"
#include "host/input/accepted.hh"

#include <algorithm>
#include <charconv>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <iterator>
#include <nlohmann/json.hpp>
#include <sstream>

namespace crx {
namespace {

bool is_usual(PolicyParameter const& parameter, PolicySpec const& spec)
{
    return std::visit([&](auto member) { return spec.*member == PolicySpec{}.*member; },
                      parameter.member);
}

template <class Choice>
void set_choice(Choice& choice, std::size_t number)
{
    choice = static_cast<Choice>(number);
}

std::vector<std::string> choices_of(PolicyParameter const& parameter)
{
    return {std::begin(parameter.choices), std::end(parameter.choices)};
}

NumberRange range_of(PolicyParameter const& parameter)
{
    return integers_in(static_cast<double>(parameter.least), static_cast<double>(parameter.most));
}

std::span<std::int32_t const> span_of(LadderLevels const& levels)
{
    return {levels.level, static_cast<std::size_t>(levels.count)};
}

// Experiment files

void read_levels(ConfigReader& reader, ParameterPlan& plan)
{
    std::string const key = plan.parameter->name;
    auto const accepted = fmt::format("\"doubling\", or a list of 1 to {} numbers or expressions",
                                      LadderLevels::most);
    auto const& value = reader.need(key, accepted);
    plan.where = value.where;
    if (value.kind == ConfigValue::Kind::text && value.text == "doubling") {
        plan.doubling = true;
        return;
    }
    if (value.kind != ConfigValue::Kind::list || value.list.empty() ||
        value.list.size() > LadderLevels::most)
        reader.reject(key, value, accepted);
    for (std::size_t i = 0; i < value.list.size(); ++i)
        plan.numbers.emplace_back(value.list[i], plan.key + "." + std::to_string(i), "an integer");
}

void read_number(ConfigReader& reader, ParameterPlan& plan, NumberRange const& range)
{
    std::string const key = plan.parameter->name;
    auto const& value = reader.need(key, range.accepted() + ", or an expression in quotes");
    plan.numbers.emplace_back(value, plan.key, range.accepted());
}

void append(LadderLevels& levels, std::int64_t level)
{
    if (levels.count > 0 && levels.level[levels.count - 1] == level) return;
    levels.level[levels.count++] = static_cast<std::int32_t>(level);
}

LadderLevels plan_levels(ParameterPlan const& plan, IntervalRule const& interval, NameTable& names)
{
    LadderLevels levels;
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
    for (auto const& expression : plan.numbers) {
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
        plan.numbers.back().reject(before, names.at(),
                                   "the common upper end, " + std::to_string(interval.upper) +
                                       ", as the last level");
    return levels;
}

/// The exact decimal that was written.
ExactShare plan_share(Expression const& expression, NameTable& names)
{
    auto const value = names.evaluate(expression, numbers_in(0, 1));
    auto const fraction = decimal_fraction(value);
    if (!fraction) expression.reject(value, names.at(), "a decimal of at most nine places");
    return {fraction->numerator, fraction->denominator};
}

// Command lines

[[noreturn]] void reject(PolicyParameter const& parameter, std::string const& text,
                         std::string const& accepted)
{
    throw ConfigError("command line", option_of(parameter.name), text, accepted);
}

/// Nothing where the text is no such number from its first character to its last.
template <class Number>
std::optional<Number> number_in(std::string_view text)
{
    Number value{};
    auto const [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc{} || end != text.data() + text.size()) return {};
    return value;
}

std::vector<std::string_view> parts_of(std::string_view text)
{
    std::vector<std::string_view> parts;
    for (std::size_t comma = 0; comma != std::string_view::npos;) {
        comma = text.find(',');
        parts.push_back(text.substr(0, comma));
        if (comma != std::string_view::npos) text.remove_prefix(comma + 1);
    }
    return parts;
}

LadderLevels levels_in(PolicyParameter const& parameter, std::string const& text)
{
    auto const accepted =
        fmt::format("1 to {} ascending whole numbers from 1 to {}", LadderLevels::most, INT32_MAX);
    auto const parts = parts_of(text);
    LadderLevels levels;
    std::int32_t previous = 0;
    for (auto const part : parts) {
        auto const level = number_in<std::int32_t>(part);
        if (!level || *level <= previous || levels.count == LadderLevels::most)
            reject(parameter, text, accepted);
        levels.level[levels.count++] = previous = *level;
    }
    return levels;
}

ExactShare share_in(PolicyParameter const& parameter, std::string const& id,
                    std::string const& text)
{
    auto const value = number_in<double>(text);
    auto const fraction =
        value && *value >= 0 && *value <= 1 ? decimal_fraction(*value) : std::nullopt;
    if (!fraction)
        reject(parameter, text, "a decimal in [0, 1] of at most nine places: " + id + " needs it");
    return {fraction->numerator, fraction->denominator};
}

std::int64_t count_in(PolicyParameter const& parameter, std::string const& text)
{
    auto const value = number_in<std::int64_t>(text);
    if (!value || *value < parameter.least || *value > parameter.most)
        reject(parameter, text, range_of(parameter).accepted());
    return *value;
}

std::size_t choice_in(PolicyParameter const& parameter, std::string const& text)
{
    auto const names = choices_of(parameter);
    auto const found = std::ranges::find(names, text);
    if (found == names.end()) reject(parameter, text, one_of(text, names));
    return static_cast<std::size_t>(found - names.begin());
}

std::vector<std::string> takers_of(PolicyParameter const& parameter)
{
    std::vector<std::string> ids;
    for (auto const& info : policy_table())
        if (info.takes(parameter)) ids.emplace_back(info.id);
    return ids;
}

} // namespace

std::vector<ParameterPlan> read_parameters(ConfigReader& reader, PolicyInfo const& info)
{
    std::vector<ParameterPlan> plans;
    std::vector<std::function<void()>> parts;
    for (auto const& parameter : policy_parameters) {
        if (!info.takes(parameter)) continue;
        if (parameter.optional && reader.find(parameter.name) == nullptr) continue;
        parts.emplace_back([&] {
            auto& plan = plans.emplace_back();
            plan.parameter = &parameter;
            plan.key = reader.path(parameter.name);
            by_kind(
                parameter, [&](LevelsOf) { read_levels(reader, plan); },
                [&](ShareOf) { read_number(reader, plan, numbers_in(0, 1)); },
                [&](CountOf) { read_number(reader, plan, range_of(parameter)); },
                [&](auto) {
                    auto const names = choices_of(parameter);
                    plan.choice = static_cast<std::size_t>(
                        std::ranges::find(names, reader.choice(parameter.name, names)) -
                        names.begin());
                });
        });
    }
    reader.read_parts(parts);
    return plans;
}

PolicySpec plan_policy(PolicyKind kind, std::vector<ParameterPlan> const& parameters,
                       IntervalRule const& interval, NameTable& names)
{
    PolicySpec spec{kind};
    for (auto const& plan : parameters)
        by_kind(
            *plan.parameter,
            [&](LevelsOf member) { spec.*member = plan_levels(plan, interval, names); },
            [&](ShareOf member) { spec.*member = plan_share(plan.numbers.front(), names); },
            [&](CountOf member) {
                spec.*member = static_cast<std::int64_t>(
                    names.evaluate(plan.numbers.front(), range_of(*plan.parameter)));
            },
            [&](auto member) { set_choice(spec.*member, plan.choice); });
    return spec;
}

void add_parameters(nlohmann::json& identity, PolicySpec const& spec)
{
    auto const& info = policy_info(spec.kind);
    for (auto const& parameter : policy_parameters) {
        if (!info.takes(parameter)) continue;
        // So identities of older stores hold.
        if (parameter.optional && !parameter.always_in_identity && is_usual(parameter, spec))
            continue;
        identity[parameter.name] = by_kind(
            parameter, [&](LevelsOf of) { return nlohmann::json(span_of(spec.*of)); },
            [&](ShareOf of) {
                return nlohmann::json{(spec.*of).numerator, (spec.*of).denominator};
            },
            [&](CountOf of) { return nlohmann::json(spec.*of); },
            [&](auto of) {
                return nlohmann::json(parameter.choices[static_cast<std::size_t>(spec.*of)]);
            });
    }
}

void for_each_option(PolicyParameters const& given,
                     std::function<void(std::string const&, std::string const&)> const& visit)
{
    for (auto const& parameter : policy_parameters)
        if (auto const found = given.find(parameter.name);
            found != given.end() && !found->second.empty())
            visit(option_of(parameter.name), found->second);
    for (auto const& parameter : own_parameters)
        if (auto const found = given.find(parameter.name);
            found != given.end() && !found->second.empty())
            visit(option_of(parameter.name), found->second);
}

void refuse_own_parameters(std::string const& policy, PolicyParameters const& given)
{
    for (auto const& parameter : own_parameters)
        if (auto const found = given.find(parameter.name);
            found != given.end() && !found->second.empty() && policy != parameter.policy)
            throw ConfigError("command line", option_of(parameter.name), found->second,
                              "left out: " + policy + " takes no " + parameter.name);
}

PolicySpec policy_argument(std::string const& id, PolicyParameters const& given)
{
    auto const* const info = find_policy(id);
    if (info == nullptr)
        throw ConfigError("command line", "--policy", id,
                          "one of " + listed_with_nearest(id, policy_ids()));
    PolicySpec spec{info->kind};
    refuse_own_parameters(id, given);
    for (auto const& parameter : policy_parameters) {
        auto const found = given.find(parameter.name);
        auto const text = found != given.end() ? found->second : std::string();
        if (!info->takes(parameter)) {
            if (!text.empty())
                reject(parameter, text, "left out: " + id + " takes no " + parameter.name);
            continue;
        }
        if (text.empty() && parameter.optional) continue;
        by_kind(
            parameter, [&](LevelsOf of) { spec.*of = levels_in(parameter, text); },
            [&](ShareOf of) { spec.*of = share_in(parameter, id, text); },
            [&](CountOf of) { spec.*of = count_in(parameter, text); },
            [&](auto of) { set_choice(spec.*of, choice_in(parameter, text)); });
    }
    return spec;
}

PolicyParameters parameters_of(PolicySpec const& spec)
{
    PolicyParameters given;
    auto const& info = policy_info(spec.kind);
    for (auto const& parameter : policy_parameters) {
        if (!info.takes(parameter) || (parameter.optional && is_usual(parameter, spec))) continue;
        given[parameter.name] = by_kind(
            parameter,
            [&](LevelsOf of) { return fmt::format("{}", fmt::join(span_of(spec.*of), ",")); },
            [&](ShareOf of) {
                return written_number(static_cast<double>((spec.*of).numerator) /
                                      static_cast<double>((spec.*of).denominator));
            },
            [&](CountOf of) { return std::to_string(spec.*of); },
            [&](auto of) -> std::string {
                return parameter.choices[static_cast<std::size_t>(spec.*of)];
            });
    }
    return given;
}

nlohmann::ordered_json parameters_as_json(PolicyParameters const& given)
{
    using Json = nlohmann::ordered_json;
    Json out = Json::object();
    for (auto const& parameter : policy_parameters) {
        auto const found = given.find(parameter.name);
        if (found == given.end() || found->second.empty()) continue;
        auto const& text = found->second;
        auto const number = [&]<class Number>(Number, std::string_view part) {
            auto const value = number_in<Number>(part);
            return value ? Json(*value) : Json(part);
        };
        out[parameter.name] = by_kind(
            parameter,
            [&](LevelsOf) {
                Json list = Json::array();
                for (auto const part : parts_of(text)) list.push_back(number(std::int64_t{}, part));
                return list;
            },
            [&](ShareOf) { return number(double{}, text); },
            [&](CountOf) { return number(std::int64_t{}, text); },
            [&](auto) { return Json(text); });
    }
    for (auto const& parameter : own_parameters)
        if (auto const found = given.find(parameter.name);
            found != given.end() && !found->second.empty())
            out[parameter.name] = found->second;
    return out;
}

PolicyParameters parameters_in(nlohmann::ordered_json const& side)
{
    PolicyParameters given;
    for (auto const& parameter : policy_parameters) {
        if (!side.contains(parameter.name)) continue;
        auto const& value = side[parameter.name];
        auto const text = [](auto const& one) {
            return one.is_string() ? one.template get<std::string>() : one.dump();
        };
        if (!value.is_array()) {
            given[parameter.name] = text(value);
            continue;
        }
        std::vector<std::string> parts;
        for (auto const& each : value) parts.push_back(text(each));
        given[parameter.name] = fmt::format("{}", fmt::join(parts, ","));
    }
    for (auto const& parameter : own_parameters)
        if (side.contains(parameter.name) && side[parameter.name].is_string())
            given[parameter.name] = side[parameter.name];
    return given;
}

namespace {

/// A command is a list, texts are quoted as JSON quotes them, and so does TOML.
std::string own_as_toml(OwnParameter const& parameter, std::string const& text)
{
    std::string_view const name(parameter.name);
    if (name == "knows_lengths" || name == "timeout" || text.starts_with('[')) return text;
    if (name != "command") return nlohmann::json(text).dump();
    std::istringstream words(text);
    return nlohmann::json(std::vector<std::string>(std::istream_iterator<std::string>(words), {}))
        .dump();
}

} // namespace

std::string parameters_as_toml(PolicyParameters const& given)
{
    std::string lines;
    for (auto const& parameter : policy_parameters) {
        auto const found = given.find(parameter.name);
        if (found == given.end() || found->second.empty()) continue;
        auto const& text = found->second;
        lines += fmt::format(
            "{} = {}\n", parameter.name,
            by_kind(
                parameter,
                [&](LevelsOf) { return fmt::format("[{}]", fmt::join(parts_of(text), ", ")); },
                [&](ShareOf) { return text; }, [&](CountOf) { return text; },
                [&](auto) { return '"' + text + '"'; }));
    }
    for (auto const& parameter : own_parameters)
        if (auto const found = given.find(parameter.name);
            found != given.end() && !found->second.empty())
            lines +=
                fmt::format("{} = {}\n", parameter.name, own_as_toml(parameter, found->second));
    return lines;
}

std::string policy_help()
{
    std::string text = "Policies:\n";
    for (auto const& info : policy_table())
        text += fmt::format("  {:<14} {}\n", info.id, info.summary);
    return text;
}

std::string option_of(char const* parameter)
{
    auto option = std::string("--") + parameter;
    std::ranges::replace(option, '_', '-');
    return option;
}

std::string option_help(PolicyParameter const& parameter)
{
    return fmt::format("Of {}: {}{}", fmt::join(takers_of(parameter), " and "), parameter.text,
                       by_kind(
                           parameter, [](LevelsOf) { return ": 1,2,4,8"; },
                           [](ShareOf) { return ", in [0, 1]"; }, [](CountOf) { return ""; },
                           [](auto) { return ""; }));
}

std::string key_help(PolicyParameter const& parameter)
{
    using Text = std::string;
    auto const accepted = by_kind(
        parameter,
        [](LevelsOf) { return Text("; 1 to 32 numbers, or `doubling` (l, 2l, 4l, .., u)"); },
        [](ShareOf) { return Text(", in [0, 1]"); }, [](CountOf) { return Text(); },
        [&](auto) {
            return fmt::format("; `{}`", fmt::join(choices_of(parameter), "` (default) or `"));
        });
    return fmt::format("of `{}`: {}{}", fmt::join(takers_of(parameter), "`, `"), parameter.text,
                       accepted);
}

} // namespace crx
