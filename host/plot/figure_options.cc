#include "host/plot/figure_options.hh"

#include "host/error.hh"
#include "host/input/config_reader.hh"
#include "host/plot/curve_look.hh"
#include "kernels/policies/policy_info.hh"

#include <algorithm>
#include <charconv>

namespace crx {

namespace {

std::vector<std::string> labels_in(std::vector<std::string> const& texts,
                                   std::vector<PolicyEntry> const& policies)
{
    std::vector<std::string> known, labels;
    for (auto const& policy : policies) known.push_back(policy.label);
    auto const is_known = [&](std::string const& label) {
        return std::ranges::find(known, label) != known.end();
    };
    for (auto const& text : texts) {
        if (is_known(text)) {
            labels.push_back(text);
            continue;
        }
        for (std::size_t at = 0; at <= text.size();) {
            auto const end = std::min(text.find(',', at), text.size());
            auto label = text.substr(at, end - at);
            label.erase(0, std::min(label.find_first_not_of(' '), label.size()));
            label.erase(label.find_last_not_of(' ') + 1);
            if (!is_known(label))
                throw ConfigError("command line", "--policies", label, one_of(label, known));
            labels.push_back(label);
            at = end + 1;
        }
    }
    return labels;
}

} // namespace

void keep_policies(StoredPanels& experiment, std::vector<PolicyEntry> const& policies,
                   std::vector<std::string> const& texts, std::optional<int>& only)
{
    if (texts.empty()) return;
    if (only) {
        if (*only < 1 || static_cast<std::size_t>(*only) > experiment.panels.size()) return;
        experiment.panels = {experiment.panels[static_cast<std::size_t>(*only) - 1]};
        only = 1;
    }
    auto const wanted = labels_in(texts, policies);
    auto const is_wanted = [&](std::string const& label) {
        return std::ranges::find(wanted, label) != wanted.end();
    };
    auto const speaks_of_a_wanted = [&](std::string const& curve) {
        auto const subject = curve_look(curve).policy;
        return !subject || std::ranges::any_of(policies, [&](PolicyEntry const& policy) {
            auto const* const info = find_policy(policy.id);
            return is_wanted(policy.label) && info != nullptr && info->curves_of == *subject;
        });
    };
    std::erase_if(experiment.panels, [&](Panel& panel) {
        if (panel.policies.empty())
            panel.policies = wanted;
        else
            std::erase_if(panel.policies, std::not_fn(is_wanted));
        std::erase_if(panel.curves, std::not_fn(speaks_of_a_wanted));
        return panel.policies.empty();
    });
    if (experiment.panels.empty())
        throw InputError("--policies: no panel shows any of them\n"
                         "  --x NAME --y MEASURE draws a panel that the experiment does not have");
}

double width_of(std::string const& option, std::string const& text)
{
    double value = 0;
    auto const* const last = text.data() + text.size();
    auto const [end, error] = std::from_chars(text.data(), last, value);
    std::string const unit(end, last);
    static constexpr std::pair<char const*, double> units[] = {
        {"in", 72}, {"cm", 72 / 2.54}, {"mm", 72 / 25.4}, {"pt", 72 / 72.27}};
    if (error == std::errc{})
        for (auto const& [name, points] : units)
            if (unit == name && value * points >= 72 && value * points <= 40 * 72)
                return value * points;
    throw ConfigError("command line", option, text,
                      "a length from 1in to 40in: a number followed by in, cm, mm or pt");
}

} // namespace crx
