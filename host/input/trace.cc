#include "host/input/trace.hh"

#include "host/error.hh"
#include "host/input/csv_reader.hh"
#include "host/input/instance.hh"

#include <limits>

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
    std::string text() const
    {
        std::string out;
        for (int shift = 60; shift >= 0; shift -= 4)
            out += "0123456789abcdef"[hash_ >> shift & 0xf];
        return out;
    }

  private:
    std::uint64_t hash_ = 0xcbf29ce484222325u;
};

} // namespace

std::optional<std::int64_t> decimal_nanoseconds(std::string_view text)
{
    constexpr std::int64_t most = 4'000'000'000; // seconds
    std::int64_t whole = 0, fraction = 0, place = 1'000'000'000;
    bool digits = false, after_point = false;
    for (char const c : text) {
        if (c == '.' && !after_point) {
            after_point = true;
            continue;
        }
        if (c < '0' || c > '9') return {};
        digits = true;
        if (after_point)
            fraction += (c - '0') * (place /= 10);
        else
            whole = 10 * whole + (c - '0');
        if (whole > most) return {};
    }
    if (!digits) return {};
    return whole * 1'000'000'000 + fraction;
}

TraceRows read_trace(std::filesystem::path const& file, std::string const& prompt_column,
                     std::string const& output_column, bool with_times)
{
    constexpr std::int64_t longest = std::numeric_limits<std::int32_t>::max();
    auto const or_recognised = [](std::string const& name, auto const& recognised) {
        return name.empty() ? recognised : std::vector<std::string>{name};
    };
    CsvReader csv(file);
    auto const prompt = csv.need_column("prompt", or_recognised(prompt_column, prompt_columns()));
    auto const output = csv.need_column("output", or_recognised(output_column, output_columns()));
    auto const column = csv.find_column({"arrived_at"});
    bool const timed = with_times && column.has_value();
    auto const arrived_at = column.value_or(0);
    TraceRows rows;
    RowHash hash, time_hash;
    while (csv.next()) {
        auto const s = static_cast<std::int32_t>(csv.integer(prompt, 0, longest));
        auto const o = static_cast<std::int32_t>(csv.integer(output, 0, longest));
        if (s == 0 || o == 0) {
            ++rows.zero_rows;
            continue;
        }
        if (timed) {
            auto const time = decimal_nanoseconds(csv.field(arrived_at));
            auto const last = rows.arrived_at.empty() ? 0 : rows.arrived_at.back();
            if (!time || *time < last)
                csv.fail("arrived_at = " + std::string(csv.field(arrived_at)) +
                         "\n  not accepted: must be seconds as a plain decimal from 0 to "
                         "4000000000, no less than in the row before");
            rows.arrived_at.push_back(*time);
            time_hash.add_time(*time);
        }
        rows.prompt.push_back(s);
        rows.output.push_back(o);
        hash.add(s);
        hash.add(o);
    }
    if (rows.prompt.empty())
        throw InputError(file.string() + ": no row with a prompt and an output");
    rows.hash = hash.text();
    if (timed) rows.time_hash = time_hash.text();
    return rows;
}

std::filesystem::path TraceFiles::place_of(std::string const& file) const
{
    return (folder_ / file).lexically_normal();
}

std::shared_ptr<TraceRows const> TraceFiles::read(std::string const& file,
                                                  std::string const& prompt_column,
                                                  std::string const& output_column, bool with_times)
{
    std::lock_guard const lock(mutex_);
    auto& rows = read_[{file, prompt_column, output_column, with_times ? "with times" : ""}];
    if (rows == nullptr)
        rows = std::make_shared<TraceRows const>(
            read_trace(place_of(file), prompt_column, output_column, with_times));
    return rows;
}

} // namespace crx
