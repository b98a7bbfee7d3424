#include "host/store/keys.hh"

#include "analysis/baseline/hindsight_baselines.hh"
#include "analysis/statistics/baseline_name.hh"

#include <boost/uuid/name_generator_sha1.hpp>
#include <boost/uuid/uuid_io.hpp>
#include <fmt/core.h>
#include <nlohmann/json.hpp>
#include <stdexcept>

namespace crx {

namespace {

using Json = nlohmann::json;
using baseline::HindsightBaselines;

boost::uuids::uuid uuid_of(std::string const& text)
{
    static boost::uuids::name_generator_sha1 const generator(boost::uuids::ns::oid());
    return generator(text);
}

SumsKey key_of(std::string const& text)
{
    SumsKey key;
    auto const uuid = uuid_of(text);
    std::copy(uuid.begin(), uuid.end(), key.bytes.begin());
    return key;
}

std::string_view view_of(SumsKey const& key)
{
    return {reinterpret_cast<char const*>(key.bytes.data()), key.bytes.size()};
}

/// What of the settings of all searches concerns one baseline.
std::string settings_of(std::string const& id, Json const& effort)
{
    auto const kind = baseline_named(id);
    if (!kind || static_cast<int>(*kind) < engine_baselines ||
        !HindsightBaselines::searches(*kind) || !effort.is_object())
        return {};
    auto own = effort;
    if (!HindsightBaselines::climbs(*kind)) own.erase("steps");
    if (!HindsightBaselines::branches(*kind)) {
        own.erase("ends");
        own.erase("nodes");
    }
    if (*kind != BaselineKind::peaks) own.erase("peaks");
    return own.dump();
}

} // namespace

CellKeys keys_of(std::string const& identity, std::span<std::string const> baselines)
{
    auto json = Json::parse(identity);
    Json const policies = json.at("policies");
    Json const effort = json.value("effort", Json());
    for (auto const* const part : {"policies", "baselines", "effort"}) json.erase(part);
    auto const cell = std::string(view_of(key_of(json.dump())));
    std::vector<std::string> of_baselines;
    if (!json.contains("model")) // the round model's cells do not name it
        for (auto const& id : baselines) of_baselines.push_back(id + settings_of(id, effort));
    CellKeys keys;
    for (auto const& policy : policies) {
        PolicyKeys of_policy{key_of(cell + policy.dump()), {}};
        auto const begin = std::string(view_of(of_policy.sums));
        for (auto const& id : of_baselines) of_policy.ratios.push_back(key_of(begin + id));
        keys.push_back(std::move(of_policy));
    }
    return keys;
}

std::string to_bytes(CellKeys const& keys)
{
    std::string bytes;
    for (auto const& policy : keys) {
        bytes += view_of(policy.sums);
        for (auto const& key : policy.ratios) bytes += view_of(key);
    }
    return bytes;
}

CellKeys parse_keys(std::string_view bytes, std::size_t policies)
{
    constexpr auto size = std::tuple_size_v<decltype(SumsKey::bytes)>;
    auto const count = bytes.size() / size;
    if (policies == 0 || bytes.size() % size != 0 || count == 0 || count % policies != 0)
        throw std::invalid_argument("its keys are not those of its policies");
    CellKeys keys(policies);
    auto const next = [&] {
        SumsKey key;
        std::memcpy(key.bytes.data(), bytes.data(), size);
        bytes.remove_prefix(size);
        return key;
    };
    for (auto& policy : keys) {
        policy.sums = next();
        for (std::size_t b = 1; b < count / policies; ++b) policy.ratios.push_back(next());
    }
    return keys;
}

std::string identity_hash(std::string const& text)
{
    return boost::uuids::to_string(uuid_of(text));
}

std::string to_text(SumsKey const& key)
{
    std::string text;
    for (auto const byte : key.bytes) text += fmt::format("{:02X}", byte);
    return text;
}

} // namespace crx
