// sorted-f as a policy of an experiment file: what a file may say, what is refused, and what makes
// cells differ.
#include "analysis/sorted_f/sorted_f.hh"
#include "host/sweep/backend.hh"
#include "kernels/policies/arrival_order.cuh"
#include "small_experiment.hh"

#include <gtest/gtest.h>

namespace crx {
namespace {

std::string const sorted_f = "id = \"sorted-f\"\nselector = ";

PlannedCell first_cell_of(std::string const& policy)
{
    auto const experiment = parse(with(small_experiment, "id = \"a-max\"", policy));
    return experiment.make_cell("alpha", experiment.grid("alpha").front());
}

TEST(SortedFExperiment, CellHasTheOrder)
{
    auto const planned =
        first_cell_of(sorted_f + "\"scaled\"\ncells = 7\n[[policy]]\nid = \"mc-sf\"");
    auto const& cell = planned.cell;
    ASSERT_EQ(cell.policies.size(), 2u);
    EXPECT_EQ(cell.policies[0].kind, ArrivalOrder::kind);
    EXPECT_EQ(law_of(cell, 0), RandomLaw::request);
    ASSERT_NE(order_of(cell, 0), nullptr);
    EXPECT_EQ(order_of(cell, 1), nullptr);
    std::vector<std::pair<std::string, std::string>> const identity{
        {"id", "sorted-f"}, {"selector", "scaled"}, {"cells", "7"}};
    EXPECT_EQ(order_of(cell, 0)->identity(), identity);
    EXPECT_NE(planned.identity.find(R"({"cells":"7","id":"sorted-f","selector":"scaled"})"),
              std::string::npos)
        << planned.identity;
}

TEST(SortedFExperiment, IdentityNamesTheSelector)
{
    auto const exact = first_cell_of(sorted_f + "\"exact\"").identity;
    EXPECT_NE(exact, first_cell_of(sorted_f + "\"swap\"").identity);
    EXPECT_NE(exact, first_cell_of("id = \"mc-benchmark\"").identity);
}

TEST(SortedFExperiment, RefusesWhatItCannotDo)
{
    EXPECT_EQ(error_with("id = \"a-max\"", "id = \"sorted-f\""),
              "x.toml:20: policy.0.selector\n"
              "  missing: must be one of exact, exact-together, quantile, scaled, swap");
    EXPECT_EQ(error_with("id = \"a-max\"", sorted_f + "\"swop\""),
              "x.toml:22: policy.0.selector = \"swop\"\n"
              "  not accepted: must be one of exact, exact-together, quantile, scaled, swap (did "
              "you mean swap?)");
    EXPECT_EQ(error_with("id = \"a-max\"", sorted_f + "\"swap\"\ncells = 7"),
              "x.toml:23: policy.0.cells = 7\n"
              "  unknown key; accepted here: id, label, selector");
    EXPECT_EQ(error_with("id = \"a-max\"", sorted_f + "\"scaled\"\ncells = 0"),
              "x.toml:23: policy.0.cells = 0\n"
              "  not accepted: must be an integer in [1, 1000000]");
    auto const late = with(small_experiment, "prompt = 3",
                           "prompt = 3\narrivals = { law = \"poisson-rounds\", rate = 1 }");
    EXPECT_EQ(error_of(with(late, "id = \"a-max\"", sorted_f + "\"swap\"")),
              "x.toml:23: policy.0.selector = \"swap\"\n"
              "  not accepted: must be left out with its policy where requests arrive over time at "
              "alpha = 0.1 (sweep alpha): sorted-f orders all of them before the first round");
    auto const large = with(with(small_experiment, "requests = 10", "requests = 10000"),
                            "memory = 100", "memory = 10000");
    EXPECT_EQ(
        error_of(with(large, "id = \"a-max\"", sorted_f + "\"exact\"")),
        "x.toml:22: policy.0.selector = \"exact\"\n"
        "  not accepted: must be swap or quantile at alpha = 0.1 (sweep alpha): its table may "
        "need 24009 MiB, and 1024 are allowed");
    EXPECT_EQ(error_of(with(large, "id = \"a-max\"", sorted_f + "\"swap\"")), "");
    EXPECT_EQ(error_of(with(with(small_experiment, "id = \"a-max\"", sorted_f + "\"swap\""),
                            "[variables]", "[run]\nengine = \"cohort\"\n[variables]")),
              "x.toml:8: run.engine = \"cohort\"\n"
              "  not accepted: must be auto or request for policy sorted-f at alpha = 0.1 (sweep "
              "alpha): the policy is run by itself, request by request");
}

TEST(SortedFExperiment, RunsOnTheCpuOnly)
{
    EXPECT_EQ(choose_backend("auto", "policy sorted-f orders").name, "cpu");
    EXPECT_NE(choose_backend("auto", "policy sorted-f orders").text.find("sorted-f"),
              std::string::npos);
    EXPECT_EQ(choose_backend("cpu", "policy sorted-f orders").name, "cpu");
    try {
        choose_backend("cuda", "policy sorted-f, swap orders requests beforehand");
        FAIL();
    } catch (std::exception const& error) {
        EXPECT_STREQ(error.what(),
                     "command line: --backend = cuda\n"
                     "  not accepted: must be auto or cpu here: policy sorted-f, swap "
                     "orders requests beforehand, which only the CPU does");
    }
}

} // namespace
} // namespace crx
