#include "host/store/store_header.hh"

#include "host/store/tables/checksums.hh"

#include <boost/uuid/name_generator_sha1.hpp>
#include <boost/uuid/uuid_io.hpp>
#include <map>
#include <nlohmann/json.hpp>

namespace crx {

namespace {

using Json = nlohmann::json;

void put(Database const& database, std::string_view key, std::string const& value)
{
    database.prepare("INSERT OR REPLACE INTO meta(key, value) VALUES (?, ?)")
        .bind(key)
        .bind(std::string_view(value))
        .run();
}

} // namespace

StoreHeader header_of(Experiment const& experiment, std::filesystem::path const& folder,
                      std::vector<std::string> const& overrides)
{
    return {experiment.name,
            experiment.text,
            std::filesystem::absolute(folder).lexically_normal().string(),
            overrides,
            experiment.seed,
            experiment.identity,
            experiment.policies,
            experiment.baselines,
            experiment.model,
            {}};
}

std::string identity_hash(std::string const& identity)
{
    boost::uuids::name_generator_sha1 const generator(boost::uuids::ns::oid());
    return boost::uuids::to_string(generator(identity));
}

void update_header(Database const& database, StoreHeader const& header)
{
    put(database, "experiment_name", header.name);
    put(database, "experiment_text", header.text);
    put(database, "experiment_folder", header.folder);
    put(database, "overrides", Json(header.overrides).dump());
    seal_header(database);
}

void write_header(Database const& database, StoreHeader const& header)
{
    update_header(database, header);
    put(database, "seed", std::to_string(header.seed));
    put(database, "model", model_ids[static_cast<int>(header.model)]);
    put(database, "identity", header.identity);
    put(database, "identity_hash", identity_hash(header.identity));
    put(database, "baselines", Json(header.baselines).dump());
    if (!header.shard.empty()) put(database, "shard", header.shard);
    auto policy = database.prepare("INSERT INTO policies(policy, id, label) VALUES (?, ?, ?)");
    for (std::size_t i = 0; i < header.policies.size(); ++i)
        policy.bind(static_cast<std::int64_t>(i))
            .bind(std::string_view(header.policies[i].id))
            .bind(std::string_view(header.policies[i].label))
            .run();
    seal_header(database);
}

StoreHeader read_header(Database const& database)
{
    std::map<std::string, std::string> meta;
    auto rows = database.prepare("SELECT key, value FROM meta");
    while (rows.step()) meta[rows.text(0)] = rows.text(1);
    StoreHeader header;
    header.name = meta["experiment_name"];
    header.text = meta["experiment_text"];
    header.folder = meta["experiment_folder"];
    header.overrides = Json::parse(meta["overrides"]).get<std::vector<std::string>>();
    header.seed = std::stoull(meta["seed"]);
    header.identity = meta["identity"];
    header.shard = meta["shard"];
    header.model = meta["model"] == model_ids[1] ? Model::iterations : Model::rounds;
    header.baselines = Json::parse(meta["baselines"]).get<std::vector<std::string>>();
    auto policies = database.prepare("SELECT id, label FROM policies ORDER BY policy");
    while (policies.step()) header.policies.push_back({policies.text(0), policies.text(1)});
    return header;
}

} // namespace crx
