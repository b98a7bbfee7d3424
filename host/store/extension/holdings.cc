#include "host/store/extension/holdings.hh"

#include <algorithm>
#include <nlohmann/json.hpp>

namespace crx {

Holdings Holdings::everything(std::size_t policies, std::size_t baselines)
{
    Holdings all(policies, baselines);
    all.bits_.flip();
    return all;
}

bool Holdings::any_of_policy(std::size_t policy) const
{
    auto const first = bits_.begin() + static_cast<std::ptrdiff_t>(place(policy));
    return std::find(first, first + static_cast<std::ptrdiff_t>(baselines_ + 1), true) !=
           first + static_cast<std::ptrdiff_t>(baselines_ + 1);
}

bool Holdings::any_over(std::size_t baseline) const
{
    for (std::size_t p = 0; p < policies(); ++p)
        if (ratios(p, baseline)) return true;
    return false;
}

bool Holdings::is_empty() const { return std::ranges::find(bits_, true) == bits_.end(); }
bool Holdings::is_everything() const { return std::ranges::find(bits_, false) == bits_.end(); }

bool Holdings::meets(Holdings const& other) const
{
    for (std::size_t i = 0; i < bits_.size(); ++i)
        if (bits_[i] && other.bits_[i]) return true;
    return false;
}

void Holdings::add(Holdings const& other)
{
    for (std::size_t i = 0; i < bits_.size(); ++i) bits_[i] = bits_[i] || other.bits_[i];
}

Holdings Holdings::missing() const
{
    auto rest = *this;
    rest.bits_.flip();
    return rest;
}

std::string holdings_text(Holdings const& holdings, std::span<PolicyEntry const> policies,
                          std::span<std::string const> baselines)
{
    nlohmann::json json{{"sums", nlohmann::json::array()}, {"ratios", nlohmann::json::object()}};
    for (std::size_t p = 0; p < policies.size(); ++p) {
        if (holdings.sums(p)) json["sums"].push_back(policies[p].label);
        for (std::size_t b = 0; b < baselines.size(); ++b)
            if (holdings.ratios(p, b)) json["ratios"][baselines[b]].push_back(policies[p].label);
    }
    return json.dump();
}

Holdings read_holdings(std::string const& text, std::span<PolicyEntry const> policies,
                       std::span<std::string const> baselines)
{
    auto const json = nlohmann::json::parse(text);
    auto const policy = [&](nlohmann::json const& label) {
        auto const found =
            std::ranges::find(policies, label.get<std::string>(), &PolicyEntry::label);
        if (found == policies.end()) throw std::invalid_argument("unknown policy " + label.dump());
        return static_cast<std::size_t>(found - policies.begin());
    };
    Holdings holdings(policies.size(), baselines.size());
    for (auto const& label : json.at("sums")) holdings.add_sums(policy(label));
    for (auto const& [id, labels] : json.at("ratios").items()) {
        auto const found = std::ranges::find(baselines, id);
        if (found == baselines.end()) throw std::invalid_argument("unknown baseline " + id);
        for (auto const& label : labels)
            holdings.add_ratios(policy(label), static_cast<std::size_t>(found - baselines.begin()));
    }
    return holdings;
}

} // namespace crx
