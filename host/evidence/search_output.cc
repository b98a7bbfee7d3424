#include "host/evidence/search_output.hh"

#include "analysis/bounds/curve_catalogue.hh"
#include "analysis/statistics/estimate.hh"
#include "host/error.hh"
#include "host/evidence/witness_file.hh"
#include "host/output_file.hh"

#include <cmath>
#include <fmt/format.h>
#include <map>
#include <sstream>

namespace crx {

std::string found_as_text(SearchOptions const& options, worst::Objective const& objective,
                          worst::Found const& found)
{
    auto const& [instance, value, settled] = found;
    auto text =
        fmt::format("{} over {}: {} = {:.6f}", objective.numerator.id, objective.denominator_name(),
                    fraction_text(settled.ratio), settled.ratio.value());
    if (objective.over == worst::Over::opt)
        text += settled.proven() ? ", the optimum proven"
                                 : fmt::format(", the optimum is between {} and {}", settled.lower,
                                               settled.denominator);
    if (objective.bound) {
        text += fmt::format("\n{:.6f} times {}", value, options.against);
        auto const* hypotheses = bounds::hypotheses_of(options.against);
        if (hypotheses != nullptr && hypotheses->limit)
            text += fmt::format(", which holds {}", bounds::limit_text);
    }
    return text + fmt::format("\n{} requests, M = {}\n", instance.requests(), instance.memory) +
           requests_as_text(instance);
}

std::string progress_text(SearchOptions const& options, worst::Objective const& objective,
                          worst::Found const& found, double seconds)
{
    auto const& ratio = found.settled.ratio;
    return fmt::format(
        "{:.1f} s: {} = {:.6f}{}, n = {}, M = {}", seconds, fraction_text(ratio), ratio.value(),
        objective.bound ? fmt::format(", {:.6f} times {}", found.value, options.against) : "",
        found.instance.requests(), found.instance.memory);
}

std::string confirmed_as_text(SearchOptions const& options, worst::Found const& found,
                              FreshCosts const& fresh)
{
    if (!fresh.any()) return {};
    auto const above = fresh.above(found.instance), below = fresh.below(found.instance);
    if (above.sums.empty() && below.sums.empty()) return "some other draws are not finished\n";
    constexpr auto sets = static_cast<std::size_t>(FreshCosts::sets);
    auto const draws = static_cast<double>(options.draw_count());
    // The mean of a set; of a side without draws its cost.
    auto const mean = [&](FreshCosts::Means const& means, std::size_t k, double otherwise) {
        return means.sums.empty() ? otherwise : static_cast<double>(means.sums[k]) / draws;
    };
    auto const cost_above = static_cast<double>(found.settled.numerator);
    auto const cost_below = static_cast<double>(found.settled.denominator);
    double sum = 0, below_sum = 0, squares = 0;
    for (std::size_t k = 0; k < sets; ++k) {
        sum += mean(above, k, cost_above);
        below_sum += mean(below, k, cost_below);
    }
    auto const ratio = sum / below_sum;
    for (std::size_t k = 0; k < sets; ++k) {
        auto const rest = mean(above, k, cost_above) - ratio * mean(below, k, cost_below);
        squares += rest * rest;
    }
    auto const half = two_sided_quantile(sets, 0.95) * std::sqrt(squares / (sets - 1.0)) /
                      std::sqrt(sets) / (below_sum / sets);
    return fmt::format("on {} other draws: {:.6f} ± {:.6f} (95 %)\n",
                       FreshCosts::sets * options.draw_count(), ratio, half);
}

std::string families_as_text(std::vector<worst::FamilyReport> const& reports)
{
    std::string text =
        "scaled by 1, 2, 4, 8; last, from 4 to 8; * where the denominator may be more than the "
        "optimum\n";
    for (auto const& report : reports) {
        text += fmt::format("  {:<14}", worst::family_names[static_cast<int>(report.family)]);
        for (std::size_t k = 0; k < report.values.size(); ++k)
            text += fmt::format(" {:9.6f}{}", report.values[k], report.proven[k] ? ' ' : '*');
        if (report.values.size() == 4)
            text += fmt::format(" {}", worst::trend_names[static_cast<int>(report.trend)]);
        text += "\n";
    }
    return text;
}

namespace {

using Json = nlohmann::ordered_json;

/// What a command of crx search says of the class of instances.
std::map<std::string, std::string> class_words(std::string const& command)
{
    std::map<std::string, std::string> words{{"--class", "any"}, {"--last-arrival", "0"}};
    std::istringstream text(command);
    std::string word, name;
    while (text >> word) {
        for (auto const* of_class :
             {"--class", "--interval", "--requests", "--memory", "--last-arrival"})
            if (name == of_class) words[name] = word;
        name = word;
    }
    return words;
}

/// False where the file says that a search for another class of instances wrote it.
bool is_of_class(Json const& witness, SearchOptions const& options)
{
    auto const by = witness.find("found_by");
    if (by == witness.end() || !by->is_string()) return true;
    auto const command = by->get<std::string>();
    return !command.starts_with("crx search ") ||
           class_words(command) == class_words(options.command());
}

/// True where the file already holds this instance and as much proof: its found_by then stays.
bool is_held(Json const& held, Json const& witness)
{
    for (auto const* key : {"requests", "numerator", "ratio"})
        if (held.value(key, Json()) != witness.at(key)) return false;
    return held.value("proven", false) || !witness.value("proven", false);
}

} // namespace

OutputWitness::OutputWitness(std::string const& file, SearchOptions const& options,
                             worst::InstanceClass const& of, worst::Objective const& goal)
    : file_(file)
{
    check_place(file_);
    if (std::filesystem::exists(file_)) read(options, of, goal);
}

void OutputWitness::read(SearchOptions const& options, worst::InstanceClass const& of,
                         worst::Objective const& goal)
{
    auto const refuse = [&](std::string const& holds) {
        throw ConfigError("command line", "-o", file_, "another file: this one holds " + holds);
    };
    try {
        auto const read = read_evidence(file_);
        held_ = read.json;
        instance_ = read.instance;
    } catch (std::exception const& error) {
        std::string reason = reason_of(error);
        if (reason.starts_with(file_ + ": ")) reason.erase(0, file_.size() + 2);
        refuse("no witness of a search (" + reason + ")");
    }
    if (!is_of_search(held_, options, goal))
        refuse("what a search for another ratio, or with other draws, found");
    if (!worst::is_member(of, *instance_))
        refuse(fmt::format("an instance outside of the class that is searched: n = {}, M = {}",
                           instance_->requests(), instance_->memory));
    if (!is_of_class(held_, options))
        refuse("what a search of another class of instances found: " +
               held_["found_by"].get<std::string>());
}

void OutputWitness::offer(Json const& witness)
{
    if (!held_.is_null() && is_held(held_, witness)) return;
    write_file(file_, witness.dump(1) + "\n");
    held_ = witness;
}

std::string small_file(std::string const& file)
{
    std::filesystem::path path(file);
    auto const ending = path.extension().string();
    return path.replace_extension(".small" + ending).string();
}

} // namespace crx
