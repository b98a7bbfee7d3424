#pragma once

#include "kernels/backends/cpu/single.hh"
#include "kernels/search/order_search.cuh"

#include <functional>
#include <string>
#include <vector>

namespace crx::search {

/// Why search_orders refuses an instance, empty if it does not: no request or more than
/// most_requests, one that does not fit alone, M or the sum of outputs plus the last arrival of
/// 2^24 or more, a clock that does not count rounds.
std::string search_refusal(OwnedInstance const& instance);

/// The schedule of least TEL that effort.runs runs of OrderSearch find for each instance, the first
/// such run's (an upper bound on the optimum: best-found, docs/model.md#baselines). On the CPU,
/// parallel over runs (oneTBB); neither that nor how a range of instances is cut changes a result,
/// if effort.first_instance keeps count. A schedule counts only after the request engine has
/// started each request in the same round. Throws std::invalid_argument with search_refusal of an
/// instance.
std::vector<FoundStarts> search_orders(std::vector<OwnedInstance> const& instances,
                                       Effort const& effort);

/// Run number `run` of search_orders for one instance, on this thread; effort.runs is not read. It
/// ends soon after stop() says true, with the best schedule till then: MC-SF's at least, where all
/// arrive at 0. Checked as there.
FoundStarts search_run(OwnedInstance const& instance, Effort const& effort, int run,
                       std::function<bool()> const& stop);

/// search_orders on the current CUDA device, a thread a run: the same integers. Throws
/// std::runtime_error where there is none or the program was built without CUDA.
std::vector<FoundStarts> search_orders_device(std::vector<OwnedInstance> const& instances,
                                              Effort const& effort);

/// Instances one after the other, as runs read them.
struct SearchBatch
{
    explicit SearchBatch(std::vector<OwnedInstance> const& instances);

    std::vector<Lengths> requests;
    std::vector<std::int64_t> first; ///< requests[first[i]] .. requests[first[i + 1] - 1] are i's
    std::vector<std::int32_t> memory;
};

struct SearchBatchView
{
    Lengths const* requests;
    std::int64_t const* first;
    std::int32_t const* memory;

    /// Run `unit % runs` of instance `unit / runs`.
    CRX_HD void run(Effort const& effort, std::int64_t unit, FoundStarts& found) const
    {
        auto const i = unit / effort.runs;
        OrderSearch search(requests + first[i], static_cast<int>(first[i + 1] - first[i]),
                           memory[i]);
        search.run(effort, effort.first_instance + static_cast<std::uint64_t>(i),
                   static_cast<int>(unit % effort.runs), found);
    }
};

/// Of each instance's runs, in order, the first of the best; checked by execute_in_order.
std::vector<FoundStarts> best_of_runs(std::vector<OwnedInstance> const& instances,
                                      std::vector<FoundStarts> const& found, int runs);

} // namespace crx::search
