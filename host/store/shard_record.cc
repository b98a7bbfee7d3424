#include "host/store/shard_record.hh"

#include "host/error.hh"

#include <charconv>
#include <fmt/core.h>
#include <nlohmann/json.hpp>

namespace crx {

namespace {

using Json = nlohmann::json;

/// The whole text as a number above 0; 0 where it is none.
std::int64_t positive(std::string_view text)
{
    std::int64_t value = 0;
    auto const* const end = text.data() + text.size();
    auto const read = std::from_chars(text.data(), end, value);
    return read.ec == std::errc() && read.ptr == end && value > 0 ? value : 0;
}

} // namespace

std::string to_text(ShardNumber const& number)
{
    return fmt::format("{}/{}", number.shard, number.of);
}

ShardNumber parse_shard_number(std::string const& text)
{
    constexpr std::int64_t most = 1'000'000;
    auto const slash = text.find('/');
    ShardNumber number{0, 0};
    if (slash != std::string::npos)
        number = {positive(std::string_view(text).substr(0, slash)),
                  positive(std::string_view(text).substr(slash + 1))};
    if (number.shard < 1 || number.shard > number.of || number.of > most)
        throw ConfigError("command line", "--shard", text,
                          "I/N with 1 <= I <= N <= 1000000, as 1/8 for the first of eight shards");
    return number;
}

std::string to_text(ShardRecord const& record)
{
    auto cells = Json::array();
    for (auto const& cell : record.cells) {
        auto ranges = Json::array();
        for (auto const& range : cell.ranges) ranges.push_back({range.first, range.count});
        cells.push_back({cell.sweep, cell.coordinates, ranges});
    }
    return Json({{"shard", record.number.shard},
                 {"of", record.number.of},
                 {"round", record.round},
                 {"cells", cells}})
        .dump();
}

ShardRecord parse_shard_record(std::string const& text)
{
    auto const json = Json::parse(text);
    ShardRecord record;
    record.number = {json.at("shard").get<std::int64_t>(), json.at("of").get<std::int64_t>()};
    record.round = json.at("round").get<std::string>();
    for (auto const& cell : json.at("cells")) {
        record.cells.push_back({cell.at(0).get<std::string>(), cell.at(1).get<Coordinates>(), {}});
        for (auto const& range : cell.at(2))
            record.cells.back().ranges.push_back(
                {range.at(0).get<std::int64_t>(), range.at(1).get<std::int64_t>()});
    }
    return record;
}

std::string shard_name(std::string const& record)
{
    return "shard " + to_text(parse_shard_record(record).number);
}

} // namespace crx
