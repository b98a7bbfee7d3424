#include "host/input/trace_rows.hh"

#include "host/error.hh"

#include <algorithm>
#include <fmt/format.h>
#include <numeric>

namespace crx {

namespace {

/// FNV-1a, 64 bits, over the lengths as 32-bit words.
class RowHash
{
  public:
    void add(std::int32_t length)
    {
        for (int shift = 0; shift < 32; shift += 8)
            hash_ = (hash_ ^ (static_cast<std::uint32_t>(length) >> shift & 0xff)) * 0x100000001b3u;
    }
    void add_time(std::int64_t time)
    {
        add(static_cast<std::int32_t>(time));
        add(static_cast<std::int32_t>(time >> 32));
    }
    std::string text() const { return fmt::format("{:016x}", hash_); }

  private:
    std::uint64_t hash_ = 0xcbf29ce484222325u;
};

} // namespace

TraceRows rows_of(Trace const& trace, std::filesystem::path const& file)
{
    if (!trace.windows.empty())
        throw InputError(file.string() +
                         ": has windows of arrival rates and no requests; it is for "
                         "[workload.arrivals] rates = { file = .. }");
    TraceRows rows;
    std::vector<std::size_t> order(trace.requests.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    if (!trace.ascending)
        std::ranges::stable_sort(order, {}, [&](auto i) { return trace.requests[i].arrival; });
    RowHash hash, time_hash;
    rows.times = trace.times;
    for (auto const i : order) {
        auto const& request = trace.requests[i];
        rows.prompt.push_back(request.prompt);
        rows.output.push_back(request.output);
        hash.add(request.prompt);
        hash.add(request.output);
        if (trace.times == TraceTimes::none) continue;
        rows.arrival.push_back(request.arrival);
        time_hash.add_time(request.arrival);
    }
    rows.left_out = trace.left_out;
    rows.hash = hash.text();
    if (trace.times != TraceTimes::none) rows.time_hash = time_hash.text();
    rows.line = trace_line(trace, file) + (trace.ascending ? "" : "; sorted by time");
    return rows;
}

std::filesystem::path TraceFiles::place_of(std::string const& file) const
{
    return (folder_ / file).lexically_normal();
}

std::shared_ptr<TraceRows const> TraceFiles::read(std::string const& file,
                                                  TraceReading const& reading)
{
    std::lock_guard const lock(mutex_);
    auto& rows = read_[{file, reading}];
    if (rows == nullptr) {
        auto const place = place_of(file);
        rows = std::make_shared<TraceRows const>(rows_of(read_trace(place, reading), place));
    }
    return rows;
}

} // namespace crx
