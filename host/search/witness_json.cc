#include "host/search/witness_json.hh"

#include <fmt/format.h>

namespace crx {
namespace {

using Json = nlohmann::ordered_json;

} // namespace

Json requests_as_json(OwnedInstance const& instance)
{
    auto rows = Json::array();
    for (std::size_t i = 0; i < instance.output.size(); ++i) {
        Json row;
        if (instance.arrival[i] != 0) row["arrival"] = instance.arrival[i];
        row["prompt"] = instance.prompt[i];
        row["output"] = instance.output[i];
        if (instance.lower[i] != instance.output[i]) row["lower"] = instance.lower[i];
        if (instance.upper[i] != instance.output[i]) row["upper"] = instance.upper[i];
        if (!rows.empty()) {
            auto last = rows.back();
            auto const count = last.value("count", 1);
            last.erase("count");
            if (last == row) {
                rows.back()["count"] = count + 1;
                continue;
            }
        }
        rows.push_back(row);
    }
    return rows;
}

Json policy_as_json(SearchOptions const& options, std::string const& id, bool is_numerator)
{
    Json side{{"policy", policy_id(id)}};
    if (id == "sorted-f") side["selector"] = options.selector;
    if (!is_numerator) return side;
    auto const& p = options.parameters;
    if (!p.levels.empty()) side["levels"] = p.levels;
    if (p.alpha) side["alpha"] = *p.alpha;
    if (p.beta) side["beta"] = *p.beta;
    if (p.round_cap > 0) side["round_cap"] = p.round_cap;
    if (!p.learns.empty()) side["learns"] = p.learns;
    return side;
}

Json schedule_as_json(worst::Settled const& settled, Tokens memory)
{
    return {{"memory", memory},
            {"starts", settled.starts},
            {"lower_bound", settled.lower},
            {"proof", settled.lower_bound_id},
            {"total_latency", std::to_string(settled.denominator)}};
}

Json with_checksum(Json file)
{
    file.erase("checksum");
    std::uint64_t hash = 14695981039346656037u; // FNV-1a
    for (auto const c : nlohmann::json::parse(file.dump()).dump())
        hash = (hash ^ static_cast<unsigned char>(c)) * 1099511628211u;
    file["checksum"] = fmt::format("{:016x}", hash);
    return file;
}

} // namespace crx
