#include "host/evidence/claims/sources.hh"

#include "analysis/worst/annealing.hh"
#include "host/error.hh"
#include "host/evidence/claims/closed_forms.hh"
#include "host/evidence/claims/instance_values.hh"
#include "host/evidence/search_options.hh"
#include "host/experiment/axis.hh"
#include "host/input/text_file.hh"
#include "oracle/witness/witness.hh"

#include <algorithm>
#include <boost/multiprecision/cpp_int.hpp>
#include <nlohmann/json.hpp>
#include <random>

namespace crx::claims {

namespace {

std::vector<std::string> keys_of(Grid const& grid)
{
    std::vector<std::string> names;
    for (auto const& [name, values] : grid) names.push_back(name);
    return names;
}

/// A number at a point: a closed form of it.
Interval closed_form_at(Numbers const& at, std::string const& name, std::string const& place)
{
    auto const* form = find_closed_form(name);
    try {
        return form->value(at);
    } catch (std::invalid_argument const& missing) {
        throw ConfigError(place, name, name,
                          "used where its parameters (" + form->parameters +
                              ") are axes: " + missing.what());
    }
}

/// Checks names against a grid, closed forms and what else is known; the result is all but axes.
std::set<std::string> checked(std::set<std::string> const& names, Grid const& grid,
                              std::string const& place, auto const& known,
                              std::vector<std::string> const& more)
{
    std::set<std::string> measured;
    for (auto const& name : names) {
        if (grid.contains(name)) continue;
        if (!known(name) && find_closed_form(name) == nullptr) {
            auto accepted = more;
            for (auto const& axis : keys_of(grid)) accepted.push_back(axis);
            for (auto const& form : closed_forms()) accepted.push_back(form.name);
            refuse_name(place, name, accepted);
        }
        measured.insert(name);
    }
    return measured;
}

} // namespace

void refuse_name(std::string const& place, std::string const& name,
                 std::vector<std::string> const& accepted)
{
    throw ConfigError(place, "expect", name, "one of " + listed_with_nearest(name, accepted));
}

Grid read_grid(ConfigReader& reader)
{
    Grid grid;
    auto const* table = reader.find("grid");
    if (table == nullptr) return grid;
    if (table->kind != ConfigValue::Kind::table || table->table.empty())
        reader.reject("grid", *table, "a table of axes, as { alpha = [0.1, 0.5] }");
    for (auto const& [name, values] : table->table)
        grid[name] = read_axis(values, reader.path("grid") + "." + name);
    return grid;
}

void visit_grid(Grid const& grid, std::function<void(Numbers const&)> const& visit)
{
    Numbers at;
    std::function<void(Grid::const_iterator)> const from = [&](Grid::const_iterator axis) {
        if (axis == grid.end()) return visit(at);
        for (auto const value : axis->second) {
            at[axis->first] = value;
            from(std::next(axis));
        }
    };
    from(grid.begin());
}

Source closed_form_source(Grid const& grid, std::string const& place)
{
    auto const none = [](std::string const&) { return false; };
    return {"closed forms",
            [=](auto const& names) { return checked(names, grid, place, none, {}); },
            [=](auto const&, Visit const& visit) {
                visit_grid(grid, [&](Numbers const& at) {
                    visit({at, [&](std::string const& name) {
                               return closed_form_at(at, name, place);
                           }});
                });
            }};
}

namespace {

/// The instance of a trial as it is written: numbers or expressions of the axes.
struct InstanceText
{
    Expression memory;
    std::optional<Expression> other_memory;
    std::vector<std::vector<Expression>> groups;
    std::vector<Expression> starts;
};

std::vector<Expression> expressions(ConfigValue const& list, std::string const& key)
{
    std::vector<Expression> all;
    for (auto const& value : list.list) all.emplace_back(value, key, "a whole number");
    return all;
}

std::int64_t whole(Expression const& of, Numbers const& at, double least, double most)
{
    auto const value = of.evaluate([&](std::string const& name) {
        auto const found = at.find(name);
        if (found == at.end())
            throw ConfigError(of.where(), of.key(), of.written(),
                              "an expression of the grid's axes, and " + name + " is none");
        return found->second;
    });
    auto const range = integers_in(least, most);
    if (!range.contains(value)) of.reject(value, "", range.accepted());
    return static_cast<std::int64_t>(value);
}

TrialInstance make_instance(InstanceText const& text, Numbers const& at)
{
    TrialInstance made;
    auto& instance = made.instance;
    constexpr double most = 2147483647;
    instance.memory = whole(text.memory, at, 1, 1e12);
    if (text.other_memory) made.other_memory = whole(*text.other_memory, at, 1, 1e12);
    std::int64_t n = 0;
    for (auto const& g : text.groups) {
        RequestGroup group;
        group.count = whole(g[0], at, 0, 1e12);
        group.prompt = static_cast<std::int32_t>(whole(g[1], at, 0, most));
        group.output = static_cast<std::int32_t>(whole(g[2], at, 1, most));
        group.lower =
            g.size() > 3 ? static_cast<std::int32_t>(whole(g[3], at, 1, most)) : group.output;
        group.upper =
            g.size() > 3 ? static_cast<std::int32_t>(whole(g[4], at, 1, most)) : group.output;
        if (group.lower > group.output || group.output > group.upper)
            throw ConfigError(g[2].where(), g[2].key(), std::to_string(group.output),
                              "an output within its interval");
        auto const least =
            made.other_memory > 0 ? std::min(instance.memory, made.other_memory) : instance.memory;
        if (group.prompt + std::int64_t{group.output} > least)
            throw ConfigError(g[2].where(), g[2].key(), std::to_string(group.output),
                              "an output with which the request fits in memory");
        n += group.count;
        if (group.count > 0) made.groups.push_back(group);
    }
    if (n == 0)
        throw ConfigError(text.memory.where(), text.memory.key(), "0", "of at least one request");
    if (n <= most_single_requests)
        for (auto const& g : made.groups)
            for (std::int64_t k = 0; k < g.count; ++k) {
                instance.arrival.push_back(0);
                instance.prompt.push_back(g.prompt);
                instance.output.push_back(g.output);
                instance.lower.push_back(g.lower);
                instance.upper.push_back(g.upper);
            }
    if (!text.starts.empty()) {
        made.starts.emplace();
        for (auto const& start : text.starts) made.starts->push_back(whole(start, at, 0, 1e12));
        if (std::ssize(*made.starts) != n)
            throw ConfigError(text.starts.front().where(), text.starts.front().key(),
                              std::to_string(made.starts->size()) + " starts",
                              "one start a request");
    }
    return made;
}

bool instance_has(std::string const& name) { return InstanceValues::has(name); }

} // namespace

Source instance_source(ConfigValue const& table, std::string const& key, Grid const& grid)
{
    ConfigReader reader(table, key);
    auto const text = [&] {
        Expression memory(reader.need("memory", "M"), reader.path("memory"), "a whole number");
        InstanceText read{memory, {}, {}, {}};
        if (auto const* other = reader.find("other_memory"))
            read.other_memory = Expression(*other, reader.path("other_memory"), "a whole number");
        auto const& list = reader.need("requests", "[[count, prompt, output], ..]");
        for (auto const& one : list.list) {
            if (one.list.size() != 3 && one.list.size() != 5)
                reader.reject("requests", one,
                              "[count, prompt, output] or [count, prompt, output, "
                              "lower, upper]");
            read.groups.push_back(expressions(one, reader.path("requests")));
        }
        if (read.groups.empty()) reader.reject("requests", list, "of at least one group");
        if (auto const* starts = reader.find("starts"))
            read.starts = expressions(*starts, reader.path("starts"));
        reader.finish();
        return std::make_shared<InstanceText const>(std::move(read));
    }();
    auto const place = table.where;
    return {"instance",
            [=](auto const& names) {
                return checked(names, grid, place, instance_has, InstanceValues::names());
            },
            [=](auto const&, Visit const& visit) {
                visit_grid(grid, [&](Numbers const& at) {
                    auto const instance = make_instance(*text, at);
                    InstanceValues values(instance);
                    visit({at, [&](std::string const& name) -> Interval {
                               if (!InstanceValues::has(name))
                                   return closed_form_at(at, name, place);
                               return values(name);
                           }});
                });
            }};
}

Source random_source(ConfigValue const& table, std::string const& key)
{
    ConfigReader reader(table, key);
    auto const count = reader.integer("count", 1, 1'000'000);
    auto const most_requests = reader.integer("requests", 1, 1'000);
    auto const most_memory = reader.integer("memory", 2, 1'000'000);
    auto const equal_prompts = reader.flag("equal_prompts", false);
    auto const seed = static_cast<std::uint64_t>(reader.integer("seed", 0, INT64_MAX, 1));
    reader.finish();
    auto const place = table.where;
    return {"random",
            [=](auto const& names) {
                return checked(names, {}, place, instance_has, InstanceValues::names());
            },
            [=](auto const&, Visit const& visit) {
                std::mt19937_64 rng(seed);
                auto const below = [&](std::int64_t n) {
                    return static_cast<std::int64_t>(rng() % static_cast<std::uint64_t>(n));
                };
                for (std::int64_t k = 0; k < count; ++k) {
                    TrialInstance made;
                    auto& one = made.instance;
                    one.memory = 2 + below(most_memory - 1);
                    auto const n = 1 + below(most_requests), common = below(one.memory);
                    for (std::int64_t i = 0; i < n; ++i) {
                        auto const s = equal_prompts ? common : below(one.memory);
                        auto const o = 1 + below(one.memory - s);
                        RequestGroup const g{0,
                                             static_cast<std::int32_t>(s),
                                             static_cast<std::int32_t>(o),
                                             static_cast<std::int32_t>(o),
                                             static_cast<std::int32_t>(o),
                                             1};
                        made.groups.push_back(g);
                        one.arrival.push_back(0);
                        one.prompt.push_back(g.prompt);
                        one.output.push_back(g.output);
                        one.lower.push_back(g.output);
                        one.upper.push_back(g.output);
                    }
                    made.number = static_cast<std::uint64_t>(k);
                    InstanceValues values(made);
                    visit({{{"instance", static_cast<double>(k)}},
                           [&](std::string const& name) -> Interval { return values(name); }});
                }
            }};
}

Source witness_source(ConfigReader& reader, std::filesystem::path const& folder)
{
    auto const file = folder / reader.text("witness");
    auto const place = reader.table().where;
    return {"witness",
            [=](auto const& names) {
                auto const has = [](auto const& n) { return n == "ratio" || n == "bound"; };
                return checked(names, {}, place, has, {"ratio", "bound"});
            },
            [=](auto const&, Visit const& visit) {
                auto const text = read_whole_file(file, 256u << 20);
                auto const verdict = oracle::check_file(text, 20'000'000);
                if (!verdict.holds) throw RunError(file.string() + ": " + verdict.text);
                auto const json = nlohmann::json::parse(text);
                visit({{}, [&](std::string const& name) -> Interval {
                           using Fraction = boost::multiprecision::cpp_rational;
                           return Fraction(json.at(name).get<std::string>()).convert_to<double>();
                       }});
            }};
}

Source search_source(ConfigValue const& table, std::string const& key)
{
    ConfigReader reader(table, key);
    SearchOptions options;
    options.policy = reader.text("policy");
    options.selector = reader.text("selector", "");
    options.over = reader.text("over", "opt");
    options.restriction = reader.text("restriction", "any");
    options.interval = reader.text("interval", "");
    options.requests = reader.integer("requests", 1, 64);
    options.memory = reader.integer("memory", 2, 1'000'000);
    options.generations = reader.integer("generations", 1, 100'000);
    options.seed = static_cast<std::uint64_t>(reader.integer("seed", 0, INT64_MAX, 1));
    reader.finish();
    auto const place = table.where;
    return {"search",
            [=](auto const& names) {
                auto const has = [](auto const& n) { return n == "ratio"; };
                return checked(names, {}, place, has, {"ratio"});
            },
            [=](auto const&, Visit const& visit) {
                worst::AnnealingLimits limits;
                limits.generations = options.generations;
                limits.seed = options.seed;
                auto const found =
                    worst::anneal(instance_class(options), objective(options), limits);
                if (!found.best)
                    throw RunError(place + ": the search found no instance that counts");
                visit({{}, [&](std::string const&) -> Interval { return found.best->value; }});
            }};
}

std::vector<Function>& functions()
{
    static std::vector<Function> all;
    return all;
}

Function const* find_function(std::string const& name)
{
    for (auto const& f : functions())
        if (f.name == name) return &f;
    return nullptr;
}

Source function_source(ConfigReader& reader, Grid const& grid)
{
    auto const name = reader.text("function");
    auto const place = reader.find("function")->where;
    // Looked up when a trial is checked: a program that only lists claims may have none.
    auto const of_name = [=]() -> Function const& {
        auto const* function = find_function(name);
        std::vector<std::string> names;
        for (auto const& f : functions()) names.push_back(f.name);
        if (function == nullptr)
            throw ConfigError(place, "function", name,
                              "one of " + listed_with_nearest(name, names));
        for (auto const& axis : function->takes)
            if (!grid.contains(axis))
                throw ConfigError(place, "function", name,
                                  "given with the axis " + axis + " in grid");
        return *function;
    };
    return {
        "function",
        [=](auto const& names) {
            auto const& gives = of_name().gives;
            auto const has = [&](auto const& n) {
                return std::ranges::find(gives, n) != gives.end();
            };
            return checked(names, grid, place, has, gives);
        },
        [=](auto const&, Visit const& visit) {
            visit_grid(grid, [&](Numbers const& at) {
                // Several trials look at different numbers of one call.
                static std::map<std::pair<std::string, Numbers>, std::map<std::string, Interval>>
                    known;
                auto const [entry, is_new] = known.try_emplace({name, at});
                if (is_new) entry->second = of_name().value(at);
                auto const& values = entry->second;
                visit({at, [&](std::string const& number) -> Interval {
                           if (auto const found = values.find(number); found != values.end())
                               return found->second;
                           return closed_form_at(at, number, place);
                       }});
            });
        }};
}

} // namespace crx::claims
