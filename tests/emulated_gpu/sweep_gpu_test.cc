// Sweeps of many cells on an emulated GPU: the cores' exports, made by few launches that fill it.
#include "emulated_gpu/fresh_gpu.hh"
#include "emulated_gpu/launch.hh"
#include "host/experiment/experiment.hh"
#include "host/results/export_table.hh"
#include "host/store/run_store.hh"
#include "host/sweep/open_sweep.hh"
#include "host/sweep/runner.hh"
#include "kernels/cuda/autotune.cuh"
#include "support/temporary_folder.hh"

#include <cstdlib>
#include <fmt/core.h>
#include <gtest/gtest.h>
#include <numeric>

namespace crx_test {
namespace {

using namespace crx;

class EmulatedSweep : public FreshGpu
{
  protected:
    struct Swept
    {
        std::string text;                  ///< what is exported
        std::vector<std::int64_t> threads; ///< of each launch

        double threads_a_launch() const
        {
            return static_cast<double>(std::accumulate(threads.begin(), threads.end(), 0LL)) /
                   static_cast<double>(threads.size());
        }
    };
    struct Shortened
    {
        std::string file;
        std::vector<std::string> overrides;
        std::string engine; ///< as in GpuChoice
    };

    /// On the cores, or on the GPU in calls of so many cells. Whatever time an emulated GPU takes:
    /// what a call is given is one batch, and long instances have one slice.
    Swept sweep(Shortened const& what, std::string const& where, std::size_t cells_a_call = 1 << 14)
    {
        std::filesystem::path const file = CRX_SOURCE_DIR "/experiments/" + what.file;
        auto const experiment = Experiment::read(file, what.overrides);
        auto plan = plan_of(experiment);
        plan.make_cell = [make = plan.make_cell, engine = what.engine](std::string const& sweep,
                                                                       Coordinates const& at) {
            auto planned = make(sweep, at);
            planned.cell.gpu_choice = {engine};
            planned.cell.gpu_choice.batch_instances = 1 << 20;
            planned.cell.gpu_choice.slice_events = std::int64_t{1} << 40;
            return planned;
        };
        auto const backend = choose_backend(where);
        auto settings = settings_of(backend, 1);
        settings.executors.front().most_cells = cells_a_call;
        settings.chunk_seconds = 1e6;
        auto const store_file = folder_ / fmt::format("{}-{}.db", where, cells_a_call);
        auto const before = emulated::launched_threads().size();
        {
            RunStore store(store_file, header_of(experiment, file.parent_path(), what.overrides),
                           run_info_of(backend, 1, 1));
            Progress progress(stderr, ProgressStyle::none);
            run_sweep(plan, grid_cells(plan), store, settings, progress);
        }
        auto const& all = emulated::launched_threads();
        return {to_csv(make_export(read_store(store_file), 0.95)),
                {all.begin() + static_cast<std::ptrdiff_t>(before), all.end()}};
    }

    /// Prints a row of docs/performance.md. CRX_EMULATED_ALL=1: also sweeps a cell a call.
    Swept expect_cores_export(Shortened const& what)
    {
        sweep(what, "cuda", 1 << 13); // compares engines, which takes more launches
        auto const together = sweep(what, "cuda");
        auto const cores = sweep(what, "cpu").text;
        EXPECT_EQ(together.text, cores);
        auto const print = [&](std::string const& how, Swept const& swept) {
            fmt::print("{}: {}: {} launches of {:.0f} threads\n", what.file, how,
                       swept.threads.size(), swept.threads_a_launch());
        };
        print("all cells a call", together);
        if (std::getenv("CRX_EMULATED_ALL") == nullptr) return together;
        auto const each = sweep(what, "cuda", 1);
        EXPECT_EQ(each.text, cores);
        EXPECT_LT(10 * together.threads.size(), each.threads.size());
        print("a cell a call", each);
        return together;
    }

  private:
    TemporaryFolder const folder_;
};

// 258 cells of ten instances in a grid and two refinements, 6 policies, nine batches: engines
// differ with n and M. Planted: a call of one cell, which takes a kernel or more for each.
TEST_F(EmulatedSweep, ManySmallCellsTakeFewLaunches)
{
    auto const swept =
        expect_cores_export({"chen/chen_two_point_alpha.toml",
                             {"workload.requests=\"load * memory / 100\"", "workload.memory=50",
                              "sweep.1.axes.memory=[50, 60, 70, 80]"},
                             ""});
    EXPECT_LE(swept.threads.size(), 6u * 50);
    EXPECT_GT(swept.threads.size(), 6u);
}

TEST_F(EmulatedSweep, RefinedSweepsTakeFewLaunches)
{
    auto const swept = expect_cores_export(
        {"prediction_quality.toml", {"workload.requests=\"memory\"", "workload.memory=50"}, ""});
    EXPECT_LE(swept.threads.size(), 4u * 25);
}

// Ten thousand cells on a GPU of 16,384 threads: at least half of them are busy, in
// the mean over launches.
TEST_F(EmulatedSweep, TenThousandCellsFillTheGpu)
{
    changed_gpu().processors = 8;
    Shortened const landscape{
        "prediction_landscape.toml", {"stop.instances=2", "workload.requests=4"}, "mc-sf-batch"};
    auto const swept = sweep(landscape, "cuda");
    EXPECT_EQ(swept.text, sweep(landscape, "cpu").text);
    use_device();
    double busy = 0;
    for (auto const threads : swept.threads)
        busy += std::min(1.0, static_cast<double>(threads) / static_cast<double>(full_gpu()));
    busy /= static_cast<double>(swept.threads.size());
    fmt::print("{}: {} launches, {:.0f} % of the GPU's threads busy\n", landscape.file,
               swept.threads.size(), 100 * busy);
    EXPECT_GE(busy, 0.5);
}

} // namespace
} // namespace crx_test
