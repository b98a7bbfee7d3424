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

TraceRows read_trace(std::filesystem::path const& file, std::string const& prompt_column,
                     std::string const& output_column)
{
    constexpr std::int64_t longest = std::numeric_limits<std::int32_t>::max();
    auto const or_recognised = [](std::string const& name, auto const& recognised) {
        return name.empty() ? recognised : std::vector<std::string>{name};
    };
    CsvReader csv(file);
    auto const prompt = csv.need_column("prompt", or_recognised(prompt_column, prompt_columns()));
    auto const output = csv.need_column("output", or_recognised(output_column, output_columns()));
    TraceRows rows;
    RowHash hash;
    while (csv.next()) {
        auto const s = static_cast<std::int32_t>(csv.integer(prompt, 0, longest));
        auto const o = static_cast<std::int32_t>(csv.integer(output, 0, longest));
        if (s == 0 || o == 0) {
            ++rows.zero_rows;
            continue;
        }
        rows.prompt.push_back(s);
        rows.output.push_back(o);
        hash.add(s);
        hash.add(o);
    }
    if (rows.prompt.empty())
        throw InputError(file.string() + ": no row with a prompt and an output");
    rows.hash = hash.text();
    return rows;
}

} // namespace crx
