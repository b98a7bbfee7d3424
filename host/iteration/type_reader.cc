#include "host/input/trace.hh"
#include "host/iteration/iteration_readers.hh"

#include <cmath>
#include <fmt/core.h>
#include <map>

namespace crx {
namespace {

std::vector<double> read_rates(ConfigReader& reader)
{
    auto const& value = reader.need("rate", "a positive number, or a list of them, one a slice");
    std::vector<double> rates;
    auto const accepted = "a positive number of prompts per second below 10^9, or a list of "
                          "such, or 0, one a slice";
    auto const is_list = value.kind == ConfigValue::Kind::list && !value.list.empty();
    for (auto const& each : is_list ? value.list : std::vector<ConfigValue>{value}) {
        if (!each.is_number() || !(each.number() > 0 || (is_list && each.number() == 0)) ||
            !(each.number() < 1e9))
            reader.reject("rate", each, accepted);
        rates.push_back(each.number());
    }
    return rates;
}

/// Types and their rates, a number a slice.
struct TypeList
{
    std::vector<PromptType> types;
    std::vector<std::vector<double>> rates;
    std::vector<std::string> notes; ///< on rows of traces
    std::vector<std::filesystem::path> traces;
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
void read_trace_types(ConfigReader& reader, std::filesystem::path const& folder, TypeList& list)
{
    auto const file = (folder / reader.text("trace")).lexically_normal();
    auto const prompt_bin = reader.integer("prompt_bin", 1, 1'000'000, 1);
    auto const output_bin = reader.integer("output_bin", 1, 1'000'000, 1);
    auto const longest_output = reader.integer("longest_output", 1, 1'000'000, 1'000'000);
    auto const longest_prompt = reader.integer("longest_prompt", 1, 1'000'000, 1'000'000);
    auto const trace =
        read_trace(file, reader.text("prompt_column", ""), reader.text("output_column", ""));
    auto const rates = read_rates(reader);
    std::vector<std::size_t> rows;
    for (std::size_t i = 0; i < trace.prompt.size(); ++i)
        if (trace.prompt[i] <= longest_prompt && trace.output[i] <= longest_output)
            rows.push_back(i);
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
        for (auto& rate : list.rates.back())
            rate *= static_cast<double>(count) / static_cast<double>(rows.size());
    }
    list.traces.push_back(file);
    list.notes.push_back(fmt::format(
        "{}: {} rows as {} types; left out {} too long and {} with no prompt or no output",
        file.string(), rows.size(), counts.size(), trace.prompt.size() - rows.size(),
        trace.zero_rows));
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

void read_types(ConfigReader& top, std::filesystem::path const& folder,
                IterationExperiment& experiment)
{
    constexpr std::size_t most = 10'000;
    auto const& tables = top.tables("type", "one [[type]] table or more");
    if (tables.size() > most) top.reject("type", *top.find("type"), "at most 10000 tables");
    TypeList list;
    for (std::size_t j = 0; j < tables.size(); ++j) {
        ConfigReader reader(tables[j], fmt::format("type.{}", j));
        auto const from_trace = reader.find("trace") != nullptr;
        auto const before = list.types.size();
        from_trace ? read_trace_types(reader, folder, list) : read_one_type(reader, list);
        if (list.rates.back().size() != list.rates.front().size())
            reader.reject(
                "rate", *reader.find("rate"),
                fmt::format("of as many slices as type 0 has, {}", list.rates.front().size()));
        if (list.types.size() > most)
            reader.reject("trace", *reader.find("trace"),
                          fmt::format("of at most 10000 types with those before it, not {}; wider "
                                      "prompt_bin and output_bin make fewer",
                                      list.types.size()));
        double sum = 0;
        for (auto const rate : list.rates[before]) sum += rate;
        if (sum <= 0) top.reject("type", tables[j], "with a positive rate in some slice");
        reader.finish();
    }
    auto const slices = list.rates.front().size();
    experiment.load.types = list.types;
    experiment.notes = list.notes;
    experiment.traces = list.traces;
    experiment.rate.assign(slices, std::vector<double>(list.types.size()));
    for (std::size_t j = 0; j < list.types.size(); ++j) {
        double sum = 0;
        for (std::size_t s = 0; s < slices; ++s) sum += experiment.rate[s][j] = list.rates[j][s];
        experiment.load.rate.push_back(sum / static_cast<double>(slices));
    }
}

} // namespace crx
