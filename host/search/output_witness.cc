#include "host/search/output_witness.hh"

#include "host/error.hh"
#include "host/store/output_file.hh"

#include <fmt/format.h>
#include <map>
#include <set>
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

/// Whether a search for the same class of instances wrote the file, as far as it says.
bool is_of_class(Json const& witness, SearchOptions const& options)
{
    auto const by = witness.find("found_by");
    if (by == witness.end() || !by->is_string()) return true;
    auto const command = by->get<std::string>();
    return !command.starts_with("crx search ") ||
           class_words(command) == class_words(options.command());
}

/// A witness without what says who found it.
Json without_finder(Json witness)
{
    witness.erase("found_by");
    witness.erase("checksum");
    return witness;
}

} // namespace

OutputWitness::OutputWitness(std::string file, SearchOptions const& options,
                             worst::InstanceClass const& of, worst::Objective const& goal)
    : file_(std::move(file))
{
    if (!std::filesystem::exists(file_)) return;
    auto const refuse = [&](std::string const& holds) {
        throw ConfigError("command line", "-o", file_, "another file: this one holds " + holds);
    };
    try {
        held_ = read_json_file(file_);
        instance_ = found_instance(held_);
    } catch (std::exception const& error) {
        std::string reason = reason_of(error);
        if (reason.starts_with(file_ + ": ")) reason.erase(0, file_.size() + 2);
        refuse("no witness of a search (" + reason + ")");
    }
    if (!is_of_search(held_, options, goal))
        refuse("what a search for another ratio, or with other draws, found");
    if (!options.record.empty()) return;
    if (!worst::is_member(of, *instance_))
        refuse(fmt::format("an instance outside of the class that is searched: n = {}, M = {}",
                           instance_->requests(), instance_->memory));
    if (!is_of_class(held_, options))
        refuse("what a search of another class of instances found: " +
               held_["found_by"].get<std::string>());
}

void OutputWitness::begin()
{
    check_place(file_);
    keeper_ = std::make_unique<FoundKeeper>(file_);
}

void OutputWitness::offer(Json const& witness)
{
    bool const is_held = !held_.is_null() && without_finder(held_) == without_finder(witness);
    if (is_held && !changed_) return;
    changed_ = true;
    keeper_->offer((is_held ? held_ : witness).dump(1) + "\n");
}

void OutputWitness::finish() { keeper_->finish(); }

std::vector<OwnedInstance> known_instances(SearchOptions const& options,
                                           std::optional<OwnedInstance> const& held)
{
    std::vector<OwnedInstance> known;
    if (held) known.push_back(*held); // first, so that nothing worse is ever in its place
    if (options.record.empty()) return known;
    std::set<std::filesystem::path> files;
    auto const folder = std::filesystem::path(options.output).parent_path();
    for (auto const& file : std::filesystem::directory_iterator(folder))
        if (file.path().extension() == ".json") files.insert(file.path());
    for (auto const& file : files) known.push_back(read_found(file));
    return known;
}

std::string small_file(std::string const& file)
{
    std::filesystem::path path(file);
    auto const ending = path.extension().string();
    return path.replace_extension(".small" + ending).string();
}

} // namespace crx
