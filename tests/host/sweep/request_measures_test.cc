#include "support/temporary_folder.hh"
#include "tests/host/run_program.hh"

#include <fstream>
#include <gtest/gtest.h>
#include <map>
#include <nlohmann/json.hpp>

namespace crx {
namespace {

constexpr char const* measured_experiment = R"toml([experiment]
name = "m"
title = "Measures"
seed = 3
[stop]
instances = 24
[measures]
slo = { latency = 40, per_token = 1.5 }
[workload]
requests = 60
memory = 60
prompt = { law = "uniform", lower = 1, upper = 9 }
output = { law = "uniform", lower = 1, upper = 20 }
interval = { rule = "exact" }
arrivals = { law = "poisson", rate = 0.3 }
[[policy]]
id = "mc-benchmark"
[[policy]]
id = "by-key"
key = "arrival"
[[policy]]
id = "fcfs"
[[policy]]
id = "program"
command = ["python3", "fcfs.py"]
[[sweep]]
name = "one"
)toml";

constexpr char const* fcfs = R"py(import json, sys
sys.stdin.readline()
print(json.dumps({"asks": "decisions", "version": "1"}), flush=True)
for line in sys.stdin:
    now = json.loads(line)
    if "begin" in now:
        continue
    free, cancel, start = now["free"], [], []
    for r in sorted(now["active"], key=lambda r: (r["arrival"], r["id"]), reverse=True):
        if free >= 0:
            break
        free += r["prompt"] + r["generated"] + 1
        cancel.append(r["id"])
    for r in [] if cancel else sorted(now["waiting"], key=lambda r: (r["arrival"], r["id"])):
        if r["prompt"] + 1 > free:
            break
        free -= r["prompt"] + 1
        start.append(r["id"])
    print(json.dumps({"cancel": cancel, "start": start, "wake": now["round"] + 1}), flush=True)
)py";

// A key and a program that are a policy of the list have all of its measures.
TEST(RequestMeasures, PoliciesOfOnesOwnHaveThemToo)
{
    crx_test::TemporaryFolder const folder;
    std::ofstream(folder.path() / "m.toml") << measured_experiment;
    std::ofstream(folder.path() / "fcfs.py") << fcfs;
    auto const sweep = crx_test::run_program("sweep m.toml --backend cpu", folder.path());
    ASSERT_EQ(sweep.status, 0) << sweep.text;
    auto const text = crx_test::run_program("export m.db --json", folder.path(), false).text;
    auto const rows = nlohmann::json::parse(text);
    std::map<std::string, nlohmann::json> of;
    for (auto const& row : rows) of[row["policy"]] = row;
    int compared = 0;
    for (auto const& [own, listed] :
         {std::pair{"by-key", "mc-benchmark"}, std::pair{"program", "fcfs"}})
        for (auto const& [name, value] : of[own].items())
            if (name.starts_with("request_")) {
                EXPECT_EQ(value, of[listed][name]) << own << ", " << name;
                ++compared;
            }
    EXPECT_GE(compared, 2 * 3 * 40);
    EXPECT_GT(of["fcfs"]["request_longest_gap_max"], of["mc-benchmark"]["request_longest_gap_max"]);
    EXPECT_EQ(of["mc-benchmark"]["request_longest_gap_max"], 1);
}

} // namespace
} // namespace crx
