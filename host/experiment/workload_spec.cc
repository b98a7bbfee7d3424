#include "host/experiment/workload_spec.hh"

#include "analysis/laws/jaillet_instances.hh"
#include "host/error.hh"
#include "host/experiment/trace_plan.hh"
#include "host/input/accepted.hh"

#include <algorithm>

namespace crx {

namespace {

std::vector<std::string> ids_of(std::vector<LawShape> const& laws)
{
    std::vector<std::string> ids;
    for (auto const& law : laws)
        if (ids.empty() || ids.back() != law.id) ids.push_back(law.id);
    return ids;
}

/// The law of that id; of several, the one whose source the file names.
LawShape const& choose_law(ConfigReader& reader, std::string const& id, LengthRole role)
{
    std::vector<LawShape const*> laws;
    std::vector<std::string> sources;
    for (auto const& law : law_catalogue(role))
        if (law.id == id) {
            laws.push_back(&law);
            sources.push_back(law.source);
        }
    if (laws.size() == 1) return *laws.front();
    auto const source = reader.choice("source", sources);
    auto const place = std::find(sources.begin(), sources.end(), source) - sources.begin();
    return *laws[static_cast<std::size_t>(place)];
}

/// Throws where the table has a key that the law does not take and lacks one that it does: the law
/// was meant to be given by other numbers.
void refuse_other_fields(ConfigReader& reader, LawShape const& law)
{
    auto const is_missing = [&](LawField const& field) {
        return !field.fallback && reader.table().find(field.name) == nullptr;
    };
    std::vector<std::string> names{"law", "source", "counts"};
    for (auto const& field : law.fields) names.push_back(field.name);
    for (auto const& [key, value] : reader.table().table) {
        auto const instead =
            std::ranges::find(law.instead, key, &std::pair<std::string, std::string>::first);
        auto const is_misspelt = instead == law.instead.end() && !nearest_name(key, names).empty();
        if (std::ranges::find(names, key) != names.end() || is_misspelt ||
            std::ranges::none_of(law.fields, is_missing))
            continue;
        auto accepted = "left out: " + fields_taken(law);
        if (instead != law.instead.end()) accepted += "; " + instead->second;
        reader.reject(key, value, accepted);
    }
}

LawSpec read_law(ConfigReader& reader, std::string const& id, LengthRole role, FieldReader& fields)
{
    LawSpec spec;
    spec.where = reader.table().where;
    spec.key = reader.path("law");
    spec.shape = &choose_law(reader, id, role);
    refuse_other_fields(reader, *spec.shape);
    std::vector<std::function<void()>> parts;
    for (auto const& field : spec.shape->fields)
        parts.emplace_back([&] {
            spec.fields.push_back(fields.read(reader, field.name,
                                              role == LengthRole::output ? field.name : "",
                                              field.range, field.fallback));
        });
    reader.read_parts(parts);
    return spec;
}

std::vector<Expression> read_list(ConfigReader& reader, std::string const& key,
                                  std::string const& accepted)
{
    auto const& value = reader.need(key, "a list, each element " + accepted);
    if (value.kind != ConfigValue::Kind::list || value.list.empty())
        reader.reject(key, value, "a list, each element " + accepted);
    std::vector<Expression> out;
    for (std::size_t i = 0; i < value.list.size(); ++i)
        out.emplace_back(value.list[i], reader.path(key) + "." + std::to_string(i), accepted);
    return out;
}

CompositionSpec read_composition(ConfigReader& reader)
{
    CompositionSpec spec;
    spec.where = reader.table().where;
    spec.key = reader.path("law");
    spec.values = read_list(reader, "values", integers_in(1, longest_length).accepted());
    auto const* weights = reader.find("weights");
    auto const* counts = reader.find("counts");
    if (weights != nullptr && counts != nullptr)
        reader.reject("weights", *weights, "left out where counts are given");
    spec.weights = weights != nullptr;
    auto const* key = spec.weights ? "weights" : "counts";
    spec.amounts = read_list(reader, key, "a number of at least 0");
    if (spec.amounts.size() != spec.values.size())
        reader.reject(key, *reader.find(key),
                      "as long as values, which has " + std::to_string(spec.values.size()) +
                          (spec.values.size() == 1 ? " element" : " elements"));
    return spec;
}

TraceSource read_source(ConfigValue const& table, std::string const& key, TraceFiles& files,
                        bool with_times)
{
    ConfigReader reader(table, key);
    auto const file = reader.text("file");
    auto const reading = read_trace_reading(reader, with_times);
    auto const weight_range = NumberRange{0, 1e12};
    auto const* weight = reader.find("weight");
    auto const weight_expression =
        weight != nullptr ? Expression(*weight, reader.path("weight"), weight_range.accepted())
                          : Expression::of_number(1, table.where, reader.path("weight"));
    reader.finish();
    try {
        return {std::filesystem::path(file).filename().string(), files.read(file, reading),
                weight_expression, table.where, key};
    } catch (InputError const& error) {
        reader.reject("file", *reader.find("file"),
                      std::string("a trace that can be read (") + error.what() + ")");
    }
}

TraceSpec read_trace_spec(ConfigReader& reader, TraceFiles& files, bool with_times)
{
    TraceSpec spec;
    auto const order = reader.choice("order", {"sampled", "in-order", "window"}, "sampled");
    spec.order = order == "sampled"    ? TraceOrder::sampled
                 : order == "in-order" ? TraceOrder::in_order
                                       : TraceOrder::window;
    auto const& sources = reader.need("sources", "a list of tables { file = \"..\", weight = .. }");
    if (sources.kind != ConfigValue::Kind::list || sources.list.empty())
        reader.reject("sources", sources, "a list of tables { file = \"..\", weight = .. }");
    for (std::size_t i = 0; i < sources.list.size(); ++i)
        spec.sources.push_back(read_source(
            sources.list[i], reader.path("sources") + "." + std::to_string(i), files, with_times));
    if (spec.order != TraceOrder::sampled && spec.sources.size() != 1)
        reader.reject("sources", sources, "one trace where order is \"" + order + "\"");
    return spec;
}

/// Whether requests arrive at the times of the trace.
bool takes_times(ConfigReader& workload)
{
    auto const* arrivals = workload.find("arrivals");
    auto const* law = arrivals != nullptr ? arrivals->find("law") : nullptr;
    return law != nullptr && law->text == "trace";
}

OutputSpec read_output(ConfigReader& workload, FieldReader& fields, TraceFiles& files)
{
    auto const& table = workload.need("output", "a table with a law");
    ConfigReader reader(table, workload.path("output"));
    auto ids = ids_of(law_catalogue(LengthRole::output));
    ids.push_back("composition");
    ids.push_back("trace");
    auto const id = reader.choice("law", ids);
    OutputSpec spec;
    if (id == "composition") {
        spec.composition = read_composition(reader);
    } else if (id == "trace") {
        spec.trace = read_trace_spec(reader, files, takes_times(workload));
    } else {
        if (id == "two-point") reader.find("counts");
        spec.law = read_law(reader, id, LengthRole::output, fields);
        if (id == "two-point")
            spec.exact_counts = reader.choice("counts", {"exact", "random"}, "random") == "exact";
    }
    reader.finish();
    return spec;
}

PromptSpec read_prompt(ConfigReader& workload, OutputSpec const& output, AxisPlaces const& axes,
                       FieldReader& fields)
{
    PromptSpec spec;
    auto const* value = workload.find("prompt");
    if (output.trace) {
        if (value != nullptr)
            workload.reject("prompt", *value, "left out: the rows of a trace have prompts");
        return spec;
    }
    if (value != nullptr && value->kind == ConfigValue::Kind::table) {
        ConfigReader reader(*value, workload.path("prompt"));
        auto const id = reader.choice("law", ids_of(law_catalogue(LengthRole::prompt)));
        spec.law = read_law(reader, id, LengthRole::prompt, fields);
        return spec;
    }
    auto const lengths = integers_in(0, longest_length);
    if (value == nullptr && !axes.contains("prompt"))
        workload.reject_missing("prompt", lengths.accepted() +
                                              ", an expression in quotes, or a law, as "
                                              "{ law = \"uniform\", lower = 0, upper = 9 }");
    spec.constant = fields.read(workload, "prompt", "prompt", lengths);
    return spec;
}

IntervalSpec read_interval(ConfigReader& workload, FieldReader& fields)
{
    IntervalSpec spec;
    auto const* table = workload.find("interval");
    if (table == nullptr) {
        spec.given = false;
        spec.where = workload.table().where;
        spec.key = workload.path("interval");
        return spec;
    }
    ConfigReader reader(*table, workload.path("interval"));
    spec.where = table->where;
    spec.key = reader.path("rule");
    auto const rule = reader.choice("rule", {"support", "common", "buckets", "relative", "exact"});
    auto const lengths = integers_in(1, longest_length);
    auto const field = [&](char const* key, char const* name, NumberRange const& range) {
        return
            [&, key, name, range] { spec.fields.push_back(fields.read(reader, key, name, range)); };
    };
    std::vector<std::function<void()>> parts;
    if (rule == "support") spec.rule = IntervalChoice::support;
    if (rule == "common") {
        spec.rule = IntervalChoice::common;
        parts = {field("lower", "", lengths), field("upper", "", lengths)};
    }
    if (rule == "buckets") {
        spec.rule = IntervalChoice::buckets;
        parts = {field("width", "width", lengths)};
    }
    if (rule == "relative") {
        spec.rule = IntervalChoice::relative;
        parts = {field("x", "x", numbers_in(0, 1))};
    }
    reader.read_parts(parts);
    return spec;
}

/// Arrivals at the times of a trace are those of one whose rows are taken in order.
void require_times(OutputSpec const& output, ArrivalSpec const& arrivals)
{
    auto const refuse = [&](std::string const& accepted) {
        throw ConfigError(arrivals.where, arrivals.key, "trace", accepted);
    };
    if (!output.trace || output.trace->order == TraceOrder::sampled)
        refuse("another law unless workload.output is a trace with order = \"in-order\" or "
               "\"window\"");
    auto const& rows = *output.trace->sources.front().rows;
    if (rows.times == TraceTimes::none)
        refuse("another law: " + output.trace->sources.front().name +
               " has no column that is known to have times; name one in the source, as arrival = "
               "\"when\", unit = \"s\"");
}

/// A workload that is nothing but the name of a published law of whole instances.
WorkloadSpec read_source(ConfigReader& reader)
{
    using Model = JailletInstances::Model;
    auto const id = reader.choice("instances", {"jaillet-5.1-model-1", "jaillet-5.1-model-2"});
    auto const source = std::make_shared<JailletInstances>(
        id == "jaillet-5.1-model-1" ? Model::all_at_once : Model::over_time);
    auto const fixed = [&](auto value, char const* key) {
        return Expression::of_number(static_cast<double>(value), reader.table().where,
                                     reader.path(key));
    };
    for (auto const* key :
         {"requests", "memory", "prompt", "output", "interval", "clock", "arrivals"})
        if (auto const* value = reader.find(key))
            reader.reject(key, *value, "left out where instances names the law of all of it");
    reader.finish();
    PromptSpec prompt;
    prompt.constant = fixed(0, "prompt");
    return {fixed(source->most_requests(), "requests"),
            fixed(source->most_memory(), "memory"),
            source,
            {},
            std::move(prompt),
            {},
            {},
            {},
            {}};
}

} // namespace

namespace {

WorkloadSpec read_parts(ConfigReader& reader, AxisPlaces const& axes, TraceFiles& files)
{
    std::map<std::string, bool> given_by_axis;
    FieldReader fields(axes, given_by_axis);
    std::optional<Expression> requests, memory;
    std::optional<OutputSpec> output;
    PromptSpec prompt;
    IntervalSpec interval;
    ClockSpec clock;
    ArrivalSpec arrivals;
    reader.read_parts(
        {[&] { requests = fields.read(reader, "requests", "requests", requests_range()); },
         [&] { memory = fields.read(reader, "memory", "memory", memory_range()); },
         [&] { output = read_output(reader, fields, files); },
         [&] {
             if (output) prompt = read_prompt(reader, *output, axes, fields);
         },
         [&] { interval = read_interval(reader, fields); },
         [&] { clock = read_clock(reader, fields); },
         [&] { arrivals = read_arrivals(reader, fields, files); }},
        {"prompt"});
    if (arrivals.kind == ArrivalKind::trace) require_times(*output, arrivals);
    return {std::move(*requests), std::move(*memory),  nullptr,
            std::move(*output),   std::move(prompt),   std::move(interval),
            std::move(clock),     std::move(arrivals), std::move(given_by_axis)};
}

} // namespace

WorkloadSpec read_workload(ConfigValue const& workload, AxisPlaces const& axes, TraceFiles& files)
{
    ConfigReader reader(workload, "workload");
    return reader.find("instances") != nullptr ? read_source(reader)
                                               : read_parts(reader, axes, files);
}

NamedExpressions WorkloadSpec::expressions() const
{
    NamedExpressions out;
    out.emplace_back("requests", &requests);
    out.emplace_back("memory", &memory);
    if (output.law)
        for (std::size_t i = 0; i < output.law->fields.size(); ++i)
            out.emplace_back(output.law->shape->fields[i].name, &output.law->fields[i]);
    if (output.composition)
        for (auto const* list : {&output.composition->values, &output.composition->amounts})
            for (auto const& expression : *list) out.emplace_back("", &expression);
    if (output.trace)
        for (auto const& mixed : output.trace->sources) out.emplace_back("", &mixed.weight);
    if (prompt.constant) out.emplace_back("prompt", &*prompt.constant);
    if (prompt.law)
        for (auto const& expression : prompt.law->fields) out.emplace_back("", &expression);
    for (auto const& expression : interval.fields) out.emplace_back("", &expression);
    add_expressions(clock, out);
    add_expressions(arrivals, out);
    return out;
}

} // namespace crx
