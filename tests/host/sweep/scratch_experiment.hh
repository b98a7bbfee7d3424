#pragma once

#include "support/temporary_folder.hh"

#include <fstream>
#include <string>

namespace crx_test {

/// A small experiment as a file: a policy that is run by cohorts and one request by request, at two
/// memories.
class ScratchExperiment
{
  public:
    ScratchExperiment()
    {
        std::ofstream(path()) << R"toml(
[experiment]
name = "small"
title = "small"
seed = 1
[stop]
instances = 20
[workload]
requests = 60
memory = "m"
prompt = 1
[workload.output]
law = "two-point"
lower = 2
upper = 9
short_fraction = 0.5
[workload.interval]
rule = "support"
[[policy]]
id = "a-max"
[[policy]]
id = "mc-benchmark"
[baselines]
use = ["h-sf", "volume"]
[[sweep]]
name = "memories"
[sweep.axes]
m = [40, 50]
)toml";
    }

    std::string folder(std::string const& name) const { return (folder_ / name).string(); }
    std::string path() const { return folder("small.toml"); }

  private:
    TemporaryFolder folder_;
};

} // namespace crx_test
