#pragma once

#include "kernels/backends/cuda/device_array.cuh"
#include "kernels/laws/workload.cuh"

namespace crx {

/// A workload's tables in device memory, and a view of them for kernels.
class DeviceWorkload
{
  public:
    explicit DeviceWorkload(Workload const& host)
        : output_value_(host.output_value), output_threshold_(host.output_threshold),
          output_count_(host.output_count), prompt_value_(host.prompt_value),
          prompt_threshold_(host.prompt_threshold), trace_prompt_(host.trace_prompt),
          trace_output_(host.trace_output), source_end_(host.source_end),
          source_count_(host.source_count), round_value_(host.round_value),
          round_threshold_(host.round_threshold), rate_step_(host.rate_step),
          trace_arrival_(host.trace_arrival), view_(view_of(host))
    {
        view_.output_value = span_of(output_value_);
        view_.output_threshold = span_of(output_threshold_);
        view_.output_count = span_of(output_count_);
        view_.prompt_value = span_of(prompt_value_);
        view_.prompt_threshold = span_of(prompt_threshold_);
        view_.trace_prompt = span_of(trace_prompt_);
        view_.trace_output = span_of(trace_output_);
        view_.source_end = span_of(source_end_);
        view_.source_count = span_of(source_count_);
        view_.round_value = span_of(round_value_);
        view_.round_threshold = span_of(round_threshold_);
        view_.rate_step = span_of(rate_step_);
        view_.trace_arrival = span_of(trace_arrival_);
    }
    WorkloadView const& view() const { return view_; }

  private:
    template <class T>
    static std::span<T const> span_of(DeviceArray<T> const& v)
    {
        return {v.data(), v.size()};
    }

    DeviceArray<std::int32_t> output_value_;
    DeviceArray<std::uint64_t> output_threshold_;
    DeviceArray<std::int64_t> output_count_;
    DeviceArray<std::int32_t> prompt_value_;
    DeviceArray<std::uint64_t> prompt_threshold_;
    DeviceArray<std::int32_t> trace_prompt_, trace_output_;
    DeviceArray<std::int64_t> source_end_, source_count_;
    DeviceArray<std::int32_t> round_value_;
    DeviceArray<std::uint64_t> round_threshold_;
    DeviceArray<RateStep> rate_step_;
    DeviceArray<Instant> trace_arrival_;
    WorkloadView view_;
};

} // namespace crx
