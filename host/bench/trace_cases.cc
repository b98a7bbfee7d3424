#include "host/bench/trace_cases.hh"

#include "bench/peers.hh"
#include "host/error.hh"
#include "host/input/trace.hh"
#include "kernels/cpu/single.hh"
#include "kernels/engines/a_min/a_min_small.hh"
#include "kernels/engines/lists/execute_list.hh"
#include "kernels/policies/registry.cuh"

#include <fmt/core.h>
#include <memory>
#include <numeric>

namespace crx {
namespace {

constexpr Tokens trace_memory = 16492;

/// Adds the rows of a file as a source of its own.
void add_source(std::filesystem::path const& file, std::int64_t requests, Workload& w)
{
    auto const trace = read_trace(file);
    for (std::size_t i = 0; i < trace.output.size(); ++i) {
        // An upper end is at most 2 o, or 99 more than o.
        auto const longest = std::max(2 * trace.output[i], trace.output[i] + 99);
        if (trace.prompt[i] + longest > trace_memory) continue;
        w.trace_prompt.push_back(trace.prompt[i]);
        w.trace_output.push_back(trace.output[i]);
    }
    auto const rows = static_cast<std::int64_t>(w.trace_output.size());
    if (rows == (w.source_end.empty() ? 0 : w.source_end.back()))
        throw InputError(
            fmt::format("{}: no row fits into a memory of {} tokens", file.string(), trace_memory));
    w.source_end.push_back(rows);
    w.source_count.push_back(requests);
}

} // namespace

Workload trace_workload(std::filesystem::path const& first, std::filesystem::path const& second)
{
    Workload w;
    w.seed = 1;
    w.requests = 2000;
    w.memory = trace_memory;
    w.output_kind = OutputKind::trace;
    w.prompt_kind = PromptKind::trace;
    add_source(first, 1600, w);
    add_source(second, 400, w);
    return w;
}

Contender trace_engine_contender(std::string const& name, Workload const& workload, PolicyKind kind)
{
    auto const x = std::make_shared<OwnedInstance>(generate_single(workload, 0));
    PolicySpec const spec{kind, {}};
    auto const block =
        std::make_shared<std::vector<std::byte>>(host_engine_bytes(spec, x->requests()));
    auto const one = [=, seed = workload.seed](std::int64_t instance) {
        return with_policy(spec, [&](auto const& policy) {
            return execute_on_host(policy, requests_of(*x), seed,
                                   static_cast<std::uint64_t>(instance), block->data(),
                                   block->size());
        });
    };
    if (kind != MinLength::kind || simd_level() == SimdLevel::none)
        return {name, [=](std::int64_t first, std::int64_t count) {
                    std::int64_t events = 0;
                    for (auto k = first; k < first + count; ++k) events += one(k).events;
                    return events;
                }};
    // Several at a time, as in a sweep.
    auto const room =
        std::make_shared<std::vector<std::byte>>(a_min_small_batch_bytes(x->requests()));
    auto const run = [=, seed = workload.seed](std::int64_t first, std::int64_t count) {
        std::int64_t events = 0;
        Requests requests[a_min_small_batch_size];
        std::ranges::fill(requests, requests_of(*x));
        std::optional<Outcome> outcomes[a_min_small_batch_size];
        for (auto const end = first + count; first < end; first += a_min_small_batch_size) {
            auto const here =
                static_cast<int>(std::min<std::int64_t>(a_min_small_batch_size, end - first));
            Arena arena(room->data(), room->size());
            execute_a_min_small({requests,
                                 here,
                                 seed,
                                 stream_policy + static_cast<std::uint32_t>(kind),
                                 static_cast<std::uint64_t>(first),
                                 {},
                                 arena,
                                 outcomes});
            for (int k = 0; k < here; ++k)
                events += (outcomes[k] ? *outcomes[k] : one(first + k)).events;
        }
        return events;
    };
    return {name, run, a_min_small_batch_size};
}

Contender trace_loop_contender(std::string const& name, Workload const& workload, PolicyKind kind,
                               bool branch_free)
{
    auto const x = generate_single(workload, 0);
    std::vector<std::size_t> order(x.output.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    if (kind == ShortestFirst::kind)
        std::ranges::stable_sort(order, {}, [&](std::size_t i) { return x.output[i]; });
    auto const in = std::make_shared<round_loop::Varied>();
    in->memory = static_cast<std::int32_t>(x.memory);
    for (auto const i : order) {
        in->prompt.push_back(x.prompt[i]);
        in->output.push_back(x.output[i]);
        in->lower.push_back(x.lower[i]);
    }
    auto const rule =
        kind == MinLength::kind ? round_loop::Rule::learn : round_loop::Rule::true_lengths;
    auto const check = branch_free ? round_loop::Check::branch_free : round_loop::Check::early_exit;
    return {name, [=](std::int64_t, std::int64_t count) {
                std::int64_t total = 0;
                for (; count > 0; --count) total += round_loop::total_latency(rule, check, *in);
                return total > 0 ? std::int64_t{0} : std::int64_t{1}; // the work is not left out
            }};
}

} // namespace crx
