#pragma once

#include "kernels/cuda/device_array.cuh"
#include "kernels/cuda/device_batch.cuh"
#include "kernels/engines/cell.hh"

#include <span>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace crx {

/// The cells of a batch in device memory: tables and policies of all in one piece, written by one
/// copy. Equal tables are there once.
class DeviceCells
{
  public:
    /// `cells`: in the order of their slots; `first`, `count`: of the instances of each; `engines`:
    /// what runs them.
    DeviceCells(std::span<Cell const* const> cells, std::span<CellEngines const* const> engines,
                std::span<InstanceRange const> ranges)
    {
        std::int64_t slot = 0;
        std::vector<PolicySpec> specs;
        for (std::size_t c = 0; c < cells.size(); ++c) {
            BatchCell cell;
            cell.workload = view_of(cells[c]->workload);
            for_each_table(cell.workload, [&](auto& table) { place(table); });
            specs.clear();
            for (auto const& run : engines[c]->runs) specs.push_back(run.spec);
            auto of_cell = append(std::as_bytes(std::span(specs)));
            cell.specs = reinterpret_cast<PolicySpec const*>(of_cell);
            cell.slot = slot;
            cell.first = ranges[c].first;
            slot += ranges[c].count;
            cells_.push_back(cell);
        }
        bytes_ = DeviceArray<std::byte>(host_bytes_);
        for (auto& cell : cells_) {
            for_each_table(cell.workload, [&](auto& table) {
                if (!table.empty()) table = {moved(table.data()), table.size()};
            });
            cell.specs = moved(cell.specs);
        }
        device_cells_ = DeviceArray<BatchCell>(cells_);
        places_.clear();
    }
    BatchCell const* data() const { return device_cells_.data(); }
    std::int32_t size() const { return static_cast<std::int32_t>(cells_.size()); }

  private:
    template <class Do>
    static void for_each_table(WorkloadView& w, Do const& use)
    {
        use(w.output_value);
        use(w.output_threshold);
        use(w.output_count);
        use(w.prompt_value);
        use(w.prompt_threshold);
        use(w.trace_prompt);
        use(w.trace_output);
        use(w.source_end);
        use(w.source_count);
        use(w.round_value);
        use(w.round_threshold);
        use(w.rate_step);
        use(w.trace_arrival);
        use(w.gap_end);
        use(w.gap_threshold);
    }
    /// Where the bytes begin in what is copied.
    std::size_t append(std::span<std::byte const> bytes)
    {
        auto const at = host_bytes_.size();
        host_bytes_.insert(host_bytes_.end(), bytes.begin(), bytes.end());
        host_bytes_.resize((host_bytes_.size() + 15) / 16 * 16);
        return at;
    }
    /// Makes the table begin where its bytes do, counted from 0.
    template <class T>
    void place(std::span<T const>& table)
    {
        if (table.empty()) return;
        auto const bytes = std::as_bytes(table);
        auto const [known, is_new] = places_.try_emplace(
            std::string_view(reinterpret_cast<char const*>(bytes.data()), bytes.size()), 0);
        if (is_new) known->second = append(bytes);
        table = {reinterpret_cast<T const*>(known->second), table.size()};
    }
    template <class T>
    T const* moved(T const* at) const
    {
        return reinterpret_cast<T const*>(bytes_.data() + reinterpret_cast<std::size_t>(at));
    }

    std::vector<std::byte> host_bytes_;
    std::unordered_map<std::string_view, std::size_t> places_; ///< of tables, by what they hold
    std::vector<BatchCell> cells_;
    DeviceArray<std::byte> bytes_;
    DeviceArray<BatchCell> device_cells_;
};

} // namespace crx
