#include "host/experiment/cell_identity.hh"
#include "host/experiment/policy_parameters.hh"
#include "host/experiment/small_experiment.hh"
#include "support/policy_parameters.hh"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace crx {
namespace {

/// The policy with another value of one parameter.
PolicySpec changed(PolicySpec spec, PolicyParameter const& parameter)
{
    by_kind(
        parameter, [&](LevelsOf of) { ++(spec.*of).level[(spec.*of).count - 1]; },
        [&](ShareOf of) {
            spec.*of = {1, 7};
        },
        [&](CountOf of) { ++(spec.*of); },
        [&](auto of) { crx_test::set_choice(spec.*of, 1 - static_cast<unsigned>(spec.*of)); });
    return spec;
}

std::string identity_of(PolicySpec const& spec)
{
    Cell cell;
    cell.policies = {spec};
    return cell_identity(cell, {});
}

/// Calls visit(spec, parameter) for every parameter of every policy, from several values of it.
template <class Visit>
void for_each_parameter(Visit visit)
{
    for (auto const& info : policy_table())
        for (auto const& parameter : policy_parameters)
            for (std::uint64_t number = 0; info.takes(parameter) && number < 6; ++number) {
                SCOPED_TRACE(std::string(info.id) + ", " + parameter.name);
                visit(crx_test::with_parameters(info, number), parameter);
            }
}

// A parameter that a cell's identity does not name would let a store go on with the numbers of
// another value.
TEST(PolicyParameters, EachMakesAnotherIdentity)
{
    std::int64_t compared = 0;
    for_each_parameter([&](PolicySpec const& spec, PolicyParameter const& parameter) {
        auto const other = changed(spec, parameter);
        ASSERT_NE(spec, other);
        EXPECT_NE(identity_of(spec), identity_of(other));
        ++compared;
    });
    EXPECT_GE(compared,
              6 * 10); // levels, learns and evicts twice, alpha twice, beta, round_cap, cancels
}

bool is_decimal(ExactShare const& share) { return 1'000'000'000 % share.denominator == 0; }

// A value survives the command line, evidence files and experiment files.
TEST(PolicyParameters, AreReadAsTheyAreWritten)
{
    for_each_parameter([&](PolicySpec const& spec, PolicyParameter const& parameter) {
        for (auto const& given : {spec, changed(spec, parameter)}) {
            if (!is_decimal(given.alpha) || !is_decimal(given.beta) || !is_decimal(given.watermark))
                continue;
            auto const texts = parameters_of(given);
            std::string const id = policy_info(given.kind).id;
            EXPECT_EQ(policy_argument(id, texts), given);
            EXPECT_EQ(policy_argument(id, parameters_in(parameters_as_json(texts))), given);
            auto const file = with(small_experiment, "id = \"a-max\"",
                                   "id = \"" + id + "\"\n" + parameters_as_toml(texts));
            auto const in_exact = with(file, "rule = \"support\"", "rule = \"exact\"");
            EXPECT_EQ(parse(in_exact).make_cell("alpha", {{"alpha", 1}}).cell.policies.front(),
                      given)
                << in_exact;
        }
    });
}

} // namespace
} // namespace crx
