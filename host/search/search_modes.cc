#include "host/search/search_modes.hh"

#include "host/error.hh"
#include "host/single/own_order.hh"

namespace crx {
namespace {

using Names = std::set<std::string>;

/// What says which policies, and over what.
Names const sides{"--policy", "--selector",  "--levels", "--alpha",
                  "--beta",   "--round-cap", "--learns", "--over"};
Names const of_compositions{"--prompt",    "--upper",       "--least-requests",
                            "--instances", "--evaluations", "--backend"};

Names together(Names one, Names const& other)
{
    one.insert(other.begin(), other.end());
    return one;
}

void refuse_others(SearchOptions const& options, Names const& taken, std::string const& why)
{
    for (auto const& name : options.given)
        if (!taken.contains(name)) throw ConfigError("command line", name, "left out: " + why);
}

} // namespace

void check_options_of_mode(SearchOptions const& options)
{
    for (auto const& [option, id] :
         {std::pair("--policy", options.policy), {"--over", options.over}})
        if (id == own_order_id)
            throw ConfigError("command line", option, id,
                              "a policy of this program; crx.search of the Python package takes "
                              "an order of one's own");
    if (!options.records.empty())
        return refuse_others(options, {"--records"}, "--records only prints a table");
    if (!options.merge.empty())
        return refuse_others(options, {"--merge", "--output", "--json"},
                             "--merge takes all from the files");
    if (options.exhaustive)
        return refuse_others(
            options,
            together(sides, {"--exhaustive", "--requests", "--memory", "--last-arrival", "--class",
                             "--interval", "--shard", "--threads", "--output", "--json"}),
            "--exhaustive looks at every instance once, to the end; with -o it can "
            "be stopped and goes on");
    if (!options.lengths.empty())
        return refuse_others(options,
                             together(together(sides, of_compositions),
                                      {"--lengths", "--requests", "--memory", "--seconds", "--seed",
                                       "--threads", "--output", "--json"}),
                             "--lengths searches over compositions, where it means nothing");
    for (auto const& name : of_compositions)
        if (options.given.contains(name))
            throw ConfigError("command line", name, "left out, or given with --lengths");
    if (options.given.contains("--shard"))
        throw ConfigError("command line", "--shard", options.shard, "given with --exhaustive");
}

} // namespace crx
