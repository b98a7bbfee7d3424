#include "host/store/extension/extension_check.hh"

#include "host/experiment/axis.hh"
#include "host/experiment/experiment_text.hh"
#include "host/input/accepted.hh"
#include "host/store/identity_difference.hh"

#include <algorithm>
#include <nlohmann/json.hpp>

namespace crx {

namespace {

using Json = nlohmann::json;
using Axes = std::map<std::string, std::vector<std::pair<std::string, std::vector<double>>>>;

/// Values of every axis, by sweep and axis.
Axes axes_of(StoreHeader const& header)
{
    auto const document = parse_overridden(header.text, header.name, header.overrides);
    Axes all;
    auto const* sweeps = document.find("sweep");
    if (sweeps == nullptr) return all;
    for (auto const& sweep : sweeps->list) {
        auto const *name = sweep.find("name"), *axes = sweep.find("axes");
        if (name == nullptr) continue;
        auto& of_sweep = all[name->text];
        if (axes == nullptr) continue;
        for (auto const& [axis, value] : axes->table)
            of_sweep.emplace_back(axis, read_axis(value, name->text + "." + axis));
    }
    return all;
}

/// A list of tables as an object by the name that each has.
void name_elements(Json& list, std::initializer_list<char const*> keys)
{
    auto named = Json::object();
    for (auto const& element : list)
        for (auto const* key : keys)
            if (element.contains(key)) {
                named[element[key].get<std::string>()] = element;
                break;
            }
    list = std::move(named);
}

/// Removes from an object what another does not have.
void keep_common(Json& object, Json const& other)
{
    for (auto at = object.begin(); at != object.end();)
        at = other.contains(at.key()) ? std::next(at) : object.erase(at);
}

Json named(std::vector<std::string> const& names)
{
    auto object = Json::object();
    for (auto const& name : names) object[name] = true;
    return object;
}

Json numbered(std::vector<double> const& values)
{
    auto object = Json::object();
    for (double const value : values) object[Json(value).dump()] = true;
    return object;
}

/// The identity with lists by name, so that they can be compared one by one.
Json by_name(StoreHeader const& header)
{
    auto json = Json::parse(header.identity);
    name_elements(json["policy"], {"label", "id"});
    name_elements(json["sweep"], {"name"});
    json["baselines"]["use"] = named(header.baselines);
    for (auto const& [sweep, axes] : axes_of(header)) {
        auto& of_sweep = json["sweep"][sweep];
        for (auto const& [axis, values] : axes) {
            of_sweep["axes"][axis] = numbered(values);
            of_sweep["order of axes"].push_back(axis); // coordinates are written in it
        }
    }
    return json;
}

} // namespace

std::string difference_beyond_extension(StoreHeader const& there, StoreHeader const& here)
{
    auto const old = by_name(there);
    auto larger = by_name(here);
    keep_common(larger["policy"], old["policy"]);
    keep_common(larger["sweep"], old["sweep"]);
    keep_common(larger["baselines"]["use"], old["baselines"]["use"]);
    // How hard new baselines try; cells say where it concerns those that are there.
    keep_common(larger["baselines"], old["baselines"]);
    for (auto& [name, sweep] : larger["sweep"].items()) {
        if (!sweep.contains("axes")) continue;
        auto const& before = old["sweep"][name];
        for (auto& [axis, values] : sweep["axes"].items())
            if (before.contains("axes") && before["axes"].contains(axis))
                keep_common(values, before["axes"][axis]);
    }
    return describe_difference(old.dump(), larger.dump());
}

std::string identity_as_before(std::string const& identity, StoreHeader const& here,
                               std::string const& identity_there, StoreHeader const& there)
{
    auto json = Json::parse(identity, nullptr, false);
    auto const before = Json::parse(identity_there, nullptr, false);
    if (!json.is_object() || !before.is_object()) return identity;
    if (json.contains("policies")) {
        auto list = Json::array();
        for (auto const& policy : there.policies) {
            auto const found = std::ranges::find(here.policies, policy.label, &PolicyEntry::label);
            list.push_back(
                json["policies"].at(static_cast<std::size_t>(found - here.policies.begin())));
        }
        json["policies"] = std::move(list);
    }
    if (json.contains("baselines") && before.contains("baselines")) {
        auto list = Json::array();
        for (auto const& id : json["baselines"])
            if (std::ranges::find(before["baselines"], id) != before["baselines"].end())
                list.push_back(id);
        json["baselines"] = std::move(list);
    }
    if (json.contains("effort")) {
        if (before.contains("effort"))
            keep_common(json["effort"], before["effort"]);
        else
            json.erase("effort");
    }
    return json.dump();
}

std::vector<std::string> new_points(StoreHeader const& there, StoreHeader const& here)
{
    std::vector<std::string> all;
    auto const before = axes_of(there);
    for (auto const& [sweep, axes] : axes_of(here)) {
        auto const found = before.find(sweep);
        if (found == before.end()) {
            all.push_back("sweep " + sweep);
            continue;
        }
        for (auto const& [axis, values] : axes) {
            auto const old =
                std::ranges::find(found->second, axis, [](auto& it) { return it.first; });
            std::string text;
            for (double const value : values)
                if (old == found->second.end() ||
                    std::ranges::find(old->second, value) == old->second.end())
                    text += (text.empty() ? "" : ", ") + written_number(value);
            if (!text.empty()) all.push_back(axis + " = " + text);
        }
    }
    return all;
}

} // namespace crx
