#include "host/evidence/output_witness.hh"

#include "host/error.hh"
#include "host/output_file.hh"

#include <fmt/format.h>
#include <map>
#include <sstream>

namespace crx {
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
