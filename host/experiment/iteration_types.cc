#include "host/experiment/iteration_readers.hh"
#include "host/experiment/trace_plan.hh"

#include <cmath>
#include <fmt/core.h>
#include <map>

namespace crx {

namespace {

/// Prompts per second: one number, or one a slice of `slice` seconds.
struct Rates
{
    std::vector<double> of_slice;
    double slice = 0; ///< 0: constant
};

Rates read_steps(ConfigReader& reader)
{
    auto const& list = *reader.find("rates");
    auto const accepted = "a list of tables { rate = .., duration = .. }, two or more";
    if (list.kind != ConfigValue::Kind::list || list.list.size() < 2)
        reader.reject("rates", list, accepted);
    Rates rates;
    for (std::size_t s = 0; s < list.list.size(); ++s) {
        ConfigReader step(list.list[s], reader.path("rates") + fmt::format(".{}", s));
        rates.of_slice.push_back(step.number("rate", {0, 1e9, false, false, true}));
        auto const duration = step.number("duration", {1e-6, 1e9});
        if (s > 0 && duration != rates.slice)
            step.reject("duration", *step.find("duration"),
                        fmt::format("that of the others here, {}: the iteration model takes "
                                    "steps of one length",
                                    written_number(rates.slice)));
        rates.slice = duration;
        step.finish();
    }
    if (!reader.flag("repeat", false))
        throw InputError(list.where + ": " + reader.path("repeat") +
                         "\n  not accepted: must be true with rates: in the iteration model the "
                         "first step follows the last for ever");
    return rates;
}

Rates read_rates(ConfigReader& reader)
{
    if (reader.find("rates") != nullptr) return read_steps(reader);
    return {{reader.number("rate", {0, 1e9, false, true, true})}, 0};
}

/// Types and their rates, a number a slice.
struct TypeList
{
    std::vector<PromptType> types;
    std::vector<Rates> rates;
    std::vector<std::string> notes; ///< on rows of traces
    std::vector<std::pair<std::string, std::int64_t>> left_out;
};

/// Mean of the lengths in each bin, rounded: bin b holds (b-1) width + 1 .. b width.
std::map<std::int64_t, Tokens> bin_means(std::vector<std::int32_t> const& lengths,
                                         std::vector<std::size_t> const& rows, std::int64_t width)
{
    std::map<std::int64_t, std::pair<Tokens, std::int64_t>> sums;
    for (auto const i : rows) {
        auto& [sum, count] = sums[(lengths[i] + width - 1) / width];
        sum += lengths[i];
        ++count;
    }
    std::map<std::int64_t, Tokens> means;
    for (auto const& [bin, sum] : sums)
        means[bin] = std::llround(static_cast<double>(sum.first) / static_cast<double>(sum.second));
    return means;
}

/// A type for each pair of bins that has rows, at its share of the rate.
void read_trace_types(ConfigReader& reader, TraceFiles& traces, TypeList& list)
{
    ConfigReader source(reader.need("trace", "a table { file = \"..\" }"), reader.path("trace"));
    auto const name_in_file = source.text("file");
    auto const file = traces.place_of(name_in_file);
    auto const reading = read_trace_reading(source, false);
    source.finish();
    auto const prompt_bin = reader.integer("prompt_bin", 1, 1'000'000, 1);
    auto const output_bin = reader.integer("output_bin", 1, 1'000'000, 1);
    auto const longest_output = reader.integer("longest_output", 1, 1'000'000, 1'000'000);
    auto const longest_prompt = reader.integer("longest_prompt", 1, 1'000'000, 1'000'000);
    auto const& trace = *traces.read(name_in_file, reading);
    auto const rates = read_rates(reader);
    std::vector<std::size_t> rows;
    std::int64_t too_long = 0, empty = 0;
    for (std::size_t i = 0; i < trace.prompt.size(); ++i) {
        if (trace.prompt[i] == 0) {
            ++empty; // such a request has no prefill
        } else if (trace.prompt[i] > longest_prompt || trace.output[i] > longest_output) {
            ++too_long;
        } else {
            rows.push_back(i);
        }
    }
    if (rows.empty())
        reader.reject("trace", *reader.find("trace"), "a file with rows that are not left out");
    auto const prompts = bin_means(trace.prompt, rows, prompt_bin);
    auto const outputs = bin_means(trace.output, rows, output_bin);
    std::map<std::pair<Tokens, Tokens>, std::int64_t> counts;
    for (auto const i : rows)
        ++counts[{prompts.at((trace.prompt[i] + prompt_bin - 1) / prompt_bin),
                  outputs.at((trace.output[i] + output_bin - 1) / output_bin)}];
    for (auto const& [lengths, count] : counts) {
        list.types.push_back({lengths.first, lengths.second});
        list.rates.push_back(rates);
        for (auto& rate : list.rates.back().of_slice)
            rate *= static_cast<double>(count) / static_cast<double>(rows.size());
    }
    auto const name = file.filename().string();
    list.left_out.emplace_back(name + " (too long)", too_long);
    if (empty > 0) list.left_out.emplace_back(name + " (prompt of 0)", empty);
    for (auto const& [reason, count] : trace.left_out) {
        list.left_out.emplace_back(name + " (" + reason + ")", count);
        empty += count;
    }
    list.notes.push_back(fmt::format(
        "{}: {} rows as {} types; left out {} too long and {} with no prompt or no output",
        file.string(), rows.size(), counts.size(), too_long, empty));
}

void read_one_type(ConfigReader& reader, TypeList& list)
{
    PromptType type;
    type.prompt = reader.integer("prompt", 1, 1'000'000);
    type.output = reader.integer("output", 1, 1'000'000);
    list.types.push_back(type);
    list.rates.push_back(read_rates(reader));
}

} // namespace

void read_types(ConfigReader& workload, TraceFiles& traces, IterationSetting& setting)
{
    constexpr std::size_t most = 10'000;
    auto const& tables = workload.tables("type", "one [[workload.type]] table or more");
    if (tables.size() > most)
        workload.reject("type", *workload.find("type"), "at most 10000 tables");
    TypeList list;
    for (std::size_t j = 0; j < tables.size(); ++j) {
        ConfigReader reader(tables[j], workload.path("type") + fmt::format(".{}", j));
        auto const from_trace = reader.find("trace") != nullptr;
        auto const before = list.types.size();
        from_trace ? read_trace_types(reader, traces, list) : read_one_type(reader, list);
        auto const &first = list.rates.front(), &rates = list.rates.back();
        if (rates.of_slice.size() != first.of_slice.size() || rates.slice != first.slice) {
            auto const* key = reader.find("rates") != nullptr ? "rates" : "rate";
            reader.reject(key, *reader.find(key),
                          first.slice > 0
                              ? fmt::format("{} rates of {} seconds each, as type 0 has",
                                            first.of_slice.size(), written_number(first.slice))
                              : std::string("one rate, as type 0 has"));
        }
        if (list.types.size() > most)
            reader.reject("trace", *reader.find("trace"),
                          fmt::format("of at most 10000 types with those before it, not {}; wider "
                                      "prompt_bin and output_bin make fewer",
                                      list.types.size()));
        double sum = 0;
        for (auto const rate : list.rates[before].of_slice) sum += rate;
        if (sum <= 0) workload.reject("type", tables[j], "with a positive rate in some step");
        reader.finish();
    }
    auto const slices = list.rates.front().of_slice.size();
    setting.slice = list.rates.front().slice;
    setting.load.types = list.types;
    setting.notes = list.notes;
    setting.left_out = list.left_out;
    setting.rate.assign(slices, std::vector<double>(list.types.size()));
    for (std::size_t j = 0; j < list.types.size(); ++j) {
        double sum = 0;
        for (std::size_t s = 0; s < slices; ++s)
            sum += setting.rate[s][j] = list.rates[j].of_slice[s];
        setting.load.rate.push_back(sum / static_cast<double>(slices));
    }
}

} // namespace crx
