#include "host/single/replayed.hh"

#include "host/error.hh"
#include "host/experiment/reading/nearest_name.hh"

namespace crx {

std::vector<std::size_t> replayed_policies(Experiment const& experiment, std::string const& label)
{
    std::vector<std::size_t> all;
    std::vector<std::string> labels;
    for (std::size_t k = 0; k < experiment.policies.size(); ++k) {
        if (experiment.policies[k].label == label) return {k};
        all.push_back(k);
        labels.push_back(experiment.policies[k].label);
    }
    if (label.empty()) return all;
    throw ConfigError("command line", "--policy", label,
                      "one of this store's: " + listed_with_nearest(label, labels));
}

} // namespace crx
