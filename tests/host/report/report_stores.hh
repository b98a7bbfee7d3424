#pragma once

#include "tests/host/experiment/small_experiment.hh"
#include "tests/host/experiment/small_paths.hh"
#include "tests/host/run_program.hh"
#include "tests/support/temporary_folder.hh"

#include <fstream>
#include <gtest/gtest.h>
#include <iterator>

namespace crx_test {

/// A title that would be a script, an end of a script, of a comment or of CDATA where it is not
/// escaped.
inline std::string const hostile_title =
    "</script><script>alert(1)</script> <!-- ]]> \"'`${1} & <img src=x onerror=alert(2)>";

/// A folder with one store of each model: rounds.db, whose texts are hostile, and paths.db.
struct ReportStores : testing::Test
{
    ReportStores()
    {
        auto text = crx::with(crx::small_experiment, "\"A small experiment\"",
                              "'''" + hostile_title + "'''");
        text = crx::with(text, "id = \"a-max\"\n",
                         "id = \"a-max\"\n[[policy]]\nid = \"a-min\"\nlabel = "
                         "'''</script><img src=x onerror=alert(3)>'''\n[[policy]]\nid = "
                         "\"a-min-evict\"\n");
        text +=
            "[[panel]]\nsweep = \"alpha\"\nx = \"alpha\"\ncurves = [\"chen-3.3\"]\ntitle = '''" +
            hostile_title +
            "'''\n[[panel]]\nsweep = \"alpha\"\nx = \"alpha\"\nmeasure = "
            "\"mean-latency\"\nlog_y = true\ny_label = '''</script>]]>'''\n";
        std::ofstream(folder / "rounds.toml") << text;
        std::ofstream(folder / "paths.toml")
            << crx::small_paths("id = 'wait'\nthresholds = 'inside'\n[[policy]]\nid = 'fcfs-vllm'\n"
                                "memory = 40\n[[panel]]\nsweep = 'paths'\nx = 'horizon'\nmeasure = "
                                "'throughput-gap'\nlog_x = true\nlog_y = true\nfit = 'log-log'\n");
        for (std::string const name : {"rounds", "paths"}) {
            auto const made =
                run("sweep " + name + ".toml --db " + name + ".db --backend cpu --threads 1");
            EXPECT_NE(made.find("crx report"), std::string::npos) << made;
        }
    }
    std::string run(std::string const& arguments, int status = 0) const
    {
        auto const ending = run_program(arguments, folder.path());
        EXPECT_EQ(ending.status, status) << arguments << "\n" << ending.text;
        return ending.text;
    }
    std::string page(std::string const& name) const
    {
        std::ifstream in(folder / name);
        return {std::istreambuf_iterator<char>(in), {}};
    }
    TemporaryFolder folder;
};

} // namespace crx_test
