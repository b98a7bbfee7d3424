#include "host/evidence/certificate/optimum_certificate.hh"

#include "analysis/baseline/request_groups.hh"
#include "host/error.hh"
#include "host/evidence/certificate/pair_paths.hh"

namespace crx {
namespace {

using Json = nlohmann::ordered_json;

Json without_zeros_at_the_end(std::vector<std::int64_t> prices)
{
    while (!prices.empty() && prices.back() == 0) prices.pop_back();
    return prices;
}

/// Prices of memory and of peak rows.
void put_rows(OwnedInstance const& instance, std::vector<baseline::RequestGroup> const& groups,
              baseline::Prices const& prices, Json& file)
{
    file["memory_prices"] = without_zeros_at_the_end(prices.memory);
    file["peak_prices"] = Json::array();
    for (auto const& peaks : prices.peaks)
        file["peak_prices"].push_back(
            {{"k", peaks.k},
             {"largest_prompt",
              baseline::PeakRows(groups, instance.memory, peaks.k).largest_prompt()},
             {"price", without_zeros_at_the_end(peaks.price)}});
}

Json path_prices_as_json(OwnedInstance const& instance,
                         std::vector<baseline::RequestGroup> const& groups,
                         baseline::PathPrices const& prices)
{
    Json json;
    put_rows(instance, groups, prices.rows, json);
    json["request_prices"] = prices.requests;
    return json;
}

} // namespace

Json optimum_certificate(OwnedInstance const& instance, baseline::Hindsight const& result)
{
    if (!result.prices)
        throw RunError("--certificate: no lower bound by prices was made for this instance: the "
                       "program is too large, or has long rounds without work");
    auto const& prices = *result.prices;
    auto const groups = baseline::request_groups(instance);
    auto const& best = result.best();
    Json file;
    file["optimum_certificate"] = 2;
    file["memory"] = instance.memory;
    for (std::size_t i = 0; i < instance.output.size(); ++i)
        file["requests"].push_back(
            Json::array({instance.arrival[i], instance.prompt[i], instance.output[i]}));
    file["starts"] = best.starts;
    file["total_latency"] = best.total_latency;
    file["lower_bound"] = 0;
    file["proof"] = "prices";
    put_rows(instance, groups, prices, file);
    auto const certified = certificate::read_certified(file);
    auto const costs = certificate::start_costs(certified);
    auto const bound = certificate::plain_bound(certified, costs);
    file["lower_bound"] = bound;
    if (bound >= best.total_latency) return file;
    if (!result.configurations.empty()) {
        file["proof"] = "configurations";
        file["lower_bound"] = best.total_latency;
        for (auto const& stage : result.configurations) {
            auto& written = file["configurations"].emplace_back(Json{{"active", stage.active}});
            for (auto const& settled : stage.prices)
                written["prices"].push_back(path_prices_as_json(instance, groups, settled));
        }
    } else if (result.pairs) {
        file["proof"] = "pairs";
        file["pairs"] = path_prices_as_json(instance, groups, *result.pairs);
        file["lower_bound"] =
            std::max(bound, certificate::pair_bound(certificate::read_certified(file), costs));
    }
    return file;
}

} // namespace crx
