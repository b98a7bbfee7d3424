#include "analysis/fluid/equilibrium.hh"

#include <cmath>
#include <fmt/core.h>
#include <stdexcept>

namespace crx::fluid {

Tokens tokens_of_all_stages(PromptType const& type)
{
    return (type.output + 1) * type.prompt + type.output * (type.output + 1) / 2;
}

double utilisation(Load const& load)
{
    auto const require = [](bool holds, std::string const& what, double value,
                            char const* accepted) {
        if (!holds)
            throw std::domain_error(
                fmt::format("{} = {} is not accepted: must be {}", what, value, accepted));
    };
    require(load.overhead > 0 && std::isfinite(load.overhead), "d0", load.overhead, "positive");
    require(load.per_token >= 0 && std::isfinite(load.per_token), "d1", load.per_token,
            "at least 0");
    require(!load.types.empty() && load.types.size() == load.rate.size(), "number of types",
            static_cast<double>(load.types.size()), "at least 1, with a rate each");
    double sum = 0;
    for (std::size_t j = 0; j < load.types.size(); ++j) {
        require(load.rate[j] > 0 && std::isfinite(load.rate[j]), fmt::format("rate of type {}", j),
                load.rate[j], "positive");
        sum += load.rate[j] * static_cast<double>(tokens_of_all_stages(load.types[j]));
    }
    return load.per_token * sum;
}

Equilibrium equilibrium(Load const& load)
{
    Equilibrium e{};
    e.utilisation = utilisation(load);
    if (!(e.utilisation < 1))
        throw std::domain_error(fmt::format(
            "unstable: D = d1 sum lambda_j (l'_j+1)(l_j + l'_j/2) = {:.6g}, must be below 1",
            e.utilisation));
    e.iteration = load.overhead / (1 - e.utilisation);
    for (std::size_t j = 0; j < load.types.size(); ++j) {
        auto const output = static_cast<double>(load.types[j].output);
        e.memory += load.rate[j] * static_cast<double>(tokens_of_all_stages(load.types[j]));
        e.throughput += load.rate[j] * output;
        e.throughput_as_in_8 += load.rate[j] * (output + 1);
        e.at_stage.push_back(load.rate[j] * e.iteration);
    }
    e.memory *= e.iteration;
    return e;
}

} // namespace crx::fluid
