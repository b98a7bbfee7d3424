#pragma once

#include "analysis/worst/search/annealing.hh"
#include "analysis/worst/shrink/scaling.hh"
#include "host/search/search_options.hh"

#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>

namespace crx {

/// A ratio in lowest terms: "30/11", or "2".
std::string fraction_text(worst::Ratio const& ratio);

/// What a search found as a witness file (docs/witnesses.md).
nlohmann::ordered_json found_as_json(SearchOptions const& options,
                                     worst::Objective const& objective, worst::Found const& found);

/// The same for people.
std::string found_as_text(SearchOptions const& options, worst::Objective const& objective,
                          worst::Found const& found);

/// A line of a search's progress: the ratio, and with a bound how many times that it is.
std::string progress_text(SearchOptions const& options, worst::Objective const& objective,
                          worst::Found const& found, double seconds);

/// Where either side draws: the ratio of means over draws that the search has not seen, with an
/// interval; else nothing.
std::string confirmed_as_text(SearchOptions const& options, worst::Objective const& objective,
                              worst::Found const& found);

/// A line for each family of scaled instances.
std::string families_as_text(std::vector<worst::FamilyReport> const& reports);

/// A table of the requests, alike ones after each other in one line.
std::string requests_as_text(OwnedInstance const& instance);

/// A file of JSON. Throws InputError "FILE: why".
nlohmann::ordered_json read_json_file(std::filesystem::path const& file);

/// The instance of a witness. Throws std::exception with the reason.
OwnedInstance found_instance(nlohmann::ordered_json const& witness);

/// The instance of a witness file. Throws InputError "FILE: why".
OwnedInstance read_found(std::filesystem::path const& file);

/// Whether a witness is of the same ratio as the search: the policy with its parameters and draws,
/// the denominator, the measure and the bound.
bool is_of_search(nlohmann::ordered_json const& witness, SearchOptions const& options,
                  worst::Objective const& objective);

/// Writes the best instance known to a file, at most a second after offer(), on a thread of its
/// own: whatever ends the program, no more is lost. Whole files only (write_file).
class FoundKeeper
{
  public:
    explicit FoundKeeper(std::filesystem::path file);
    FoundKeeper(FoundKeeper const&) = delete;
    ~FoundKeeper();

    void offer(std::string content);
    /// Whether a write failed; finish() throws that error.
    bool failed() const;
    void finish();

  private:
    struct State;
    std::unique_ptr<State> state_;
};

} // namespace crx
