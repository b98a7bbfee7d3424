#include "host/search/certificate.hh"

#include "analysis/sorted_f/sorted_f.hh"
#include "host/error.hh"
#include "host/experiment/policy_list.hh"
#include "host/search/found_file.hh"
#include "host/search/witness_json.hh"
#include "kernels/base/counted.hh"

#include <algorithm>
#include <charconv>
#include <fmt/format.h>

namespace crx {
namespace {

using Json = nlohmann::ordered_json;

/// "2/8" as the numbers of its multisets.
std::pair<std::int64_t, std::int64_t> part_of(std::string const& shard, std::int64_t multisets)
{
    if (shard.empty()) return {0, multisets};
    std::int64_t number = 0, of = 0;
    auto const slash = shard.find('/');
    auto const read = [](std::string const& text, std::int64_t& value) {
        auto const [at, error] = std::from_chars(text.data(), text.data() + text.size(), value);
        return error == std::errc{} && at == text.data() + text.size() && !text.empty();
    };
    if (slash == std::string::npos || !read(shard.substr(0, slash), number) ||
        !read(shard.substr(slash + 1), of) || number < 1 || number > of || of > 1'000'000)
        throw ConfigError("command line", "--shard", shard,
                          "I/N with 1 <= I <= N <= 1000000: 2/8 is the second of eight parts");
    auto const cut = [&](std::int64_t k) {
        return static_cast<std::int64_t>(static_cast<__int128>(multisets) * k / of);
    };
    return {cut(number - 1), cut(number)};
}

char const* told_text(worst::Told told)
{
    switch (told) {
    case worst::Told::outputs: return "outputs";
    case worst::Told::intervals: return "intervals";
    case worst::Told::common: break;
    }
    return "common";
}

worst::ExactFraction fraction_of(std::string const& text)
{
    auto const slash = text.find('/');
    auto const whole = [&](std::string const& digits) {
        std::int64_t value = 0;
        auto const [at, error] =
            std::from_chars(digits.data(), digits.data() + digits.size(), value);
        if (error != std::errc{} || at != digits.data() + digits.size() || value < 1)
            throw std::invalid_argument("no fraction: " + text);
        return value;
    };
    if (slash == std::string::npos) return {whole(text), 1};
    return {whole(text.substr(0, slash)), whole(text.substr(slash + 1))};
}

/// One side of a witness: the exact latency of a policy on it.
Json side_of(Json policy, worst::ExactCost const& cost, OwnedInstance const& instance)
{
    policy["memory"] = instance.memory;
    policy["mean"] = "exact";
    policy["total_latency"] = cost.latency(instance)->text();
    return policy;
}

Json optimum_of(OwnedInstance const& instance)
{
    worst::Objective objective;
    objective.numerator = worst::policy_cost({}, 0, 1, worst::Measure::total_latency);
    auto const settled = objective.settle(instance);
    if (!settled || !settled->proven())
        throw RunError("the optimum of a witness was not proven by crx baseline's search");
    return schedule_as_json(*settled, instance.memory);
}

Json witness_of(SearchOptions const& options, Certificate const& certificate,
                OwnedInstance const& instance)
{
    Json witness;
    witness["requests"] = requests_as_json(instance);
    auto const above = exact_cost_argument("--policy", options.policy, options);
    witness["numerator"] = side_of(certificate.range["numerator"], above, instance);
    if (certificate.range["denominator"] == "opt") {
        witness["denominator"] = optimum_of(instance);
        auto const optimum = witness["denominator"]["total_latency"].get<std::string>();
        auto const ratio = *above.latency(instance) / fraction_of(optimum);
        if (!(ratio == *certificate.found.maximum))
            throw RunError("two searches for one optimum disagree; please report the command: " +
                           certificate.found_by);
    } else if (certificate.range["denominator"] == "volume") {
        auto const at_zero =
            std::ranges::all_of(instance.arrival, [](Instant a) { return a == 0; });
        auto const bound = at_zero ? volume_bound(instance) : release_bound(instance);
        witness["denominator"] = {{"memory", instance.memory},
                                  {"bound", "volume"},
                                  {"total_latency", std::to_string(bound)}};
    } else {
        witness["denominator"] =
            side_of(certificate.range["denominator"],
                    exact_cost_argument("--over", options.over, options), instance);
    }
    witness["ratio"] = certificate.found.maximum->text();
    return witness;
}

} // namespace

worst::ExactCost exact_cost_argument(std::string const& option, std::string const& id,
                                     SearchOptions const& options)
{
    if (!ordered_beforehand(id))
        return worst::exact_policy_cost(policy_argument(
            policy_id(id), option == "--policy" ? options.parameters : PolicyParameters{}));
    if (id != sorted_f_id)
        throw ConfigError("command line", option, id,
                          "a policy without a linear program: with --exhaustive each latency is "
                          "checked by rules that have none");
    auto const selector = selector_argument(options);
    if (selector == sorted_f::Selector::quantile)
        throw ConfigError("command line", "--selector", options.selector,
                          "exact, scaled or swap with --exhaustive: quantile draws samples");
    if (options.last_arrival > 0)
        throw ConfigError("command line", "--last-arrival", std::to_string(options.last_arrival),
                          "0: " + id + " needs every arrival at 0");
    worst::ExactCost cost;
    cost.latency =
        [selector](OwnedInstance const& instance) -> std::optional<worst::ExactFraction> {
        auto const run = sorted_f::execute(instance, {selector, 100, 0, 0});
        if (!run) return std::nullopt;
        return worst::ExactFraction{run->outcome.total_latency, 1};
    };
    cost.place_matters = [](worst::RequestKind const&, worst::RequestKind const&) { return true; };
    return cost;
}

worst::ExactDenominator exact_denominator(SearchOptions const& options)
{
    worst::ExactDenominator denominator;
    if (options.over == "best-found")
        throw ConfigError("command line", "--over", options.over,
                          "opt, volume or a policy with --exhaustive: a search for schedules "
                          "certifies nothing");
    denominator.volume = options.over == "volume";
    if (options.over == "opt" || denominator.volume) return denominator;
    cost_argument("--over", options.over, options); // says which ids there are
    denominator.cost = exact_cost_argument("--over", options.over, options);
    return denominator;
}

Certificate empty_certificate(SearchOptions const& options, std::int64_t multisets)
{
    auto const of = instance_class(options);
    Certificate certificate;
    auto& range = certificate.range;
    range["requests"] = options.requests;
    range["memory"] = options.memory;
    range["last_arrival"] = options.last_arrival;
    range["class"] = options.restriction;
    range["told"] = told_text(of.told);
    if (of.told == worst::Told::common)
        range["interval"] = fmt::format("{}/{}", of.alpha_numerator, of.alpha_denominator);
    range["numerator"] = policy_as_json(options, options.policy, true);
    if (options.over == "opt" || options.over == "volume")
        range["denominator"] = options.over;
    else
        range["denominator"] = policy_as_json(options, options.over, false);
    certificate.multisets = multisets;
    std::tie(certificate.first, certificate.end) = part_of(options.shard, multisets);
    certificate.next = certificate.first;
    certificate.found_by = options.command();
    return certificate;
}

SearchOptions options_of(Certificate const& certificate)
{
    auto const& range = certificate.range;
    auto const& policy = range.at("numerator");
    SearchOptions options;
    options.exhaustive = true;
    options.policy = policy.at("policy");
    options.selector = policy.value("selector", "");
    auto& parameters = options.parameters;
    parameters.levels = policy.value("levels", std::vector<std::int64_t>{});
    if (policy.contains("alpha")) parameters.alpha = policy["alpha"].get<double>();
    if (policy.contains("beta")) parameters.beta = policy["beta"].get<double>();
    parameters.round_cap = policy.value("round_cap", std::int64_t{0});
    parameters.learns = policy.value("learns", "");
    auto const& over = range.at("denominator");
    options.over =
        over.is_string() ? over.get<std::string>() : over.at("policy").get<std::string>();
    if (over.is_object() && over.contains("selector")) options.selector = over["selector"];
    options.requests = range.at("requests");
    options.memory = range.at("memory");
    options.last_arrival = range.at("last_arrival");
    options.restriction = range.at("class");
    options.interval = range.value("interval", "");
    return options;
}

Json certificate_as_json(SearchOptions const& options, Certificate const& certificate)
{
    auto const& found = certificate.found;
    Json file;
    file["range"] = certificate.range;
    file["multisets"] = certificate.multisets;
    file["first"] = certificate.first;
    file["end"] = certificate.end;
    file["complete"] = certificate.next == certificate.end;
    if (certificate.next != certificate.end) file["next"] = certificate.next;
    file["counts"] = {{"multisets", found.multisets},
                      {"instances", found.instances},
                      {"unfinished", found.unfinished},
                      {"endless", found.endless},
                      {"at_maximum", found.at_maximum}};
    file["maximum"] = found.maximum ? found.maximum->text() : "none";
    file["hash"] = fmt::format("{:016x}", found.hash);
    auto witnesses = Json::array();
    for (auto const& instance : found.worst)
        witnesses.push_back(witness_of(options, certificate, instance));
    file["witnesses"] = witnesses;
    file["found_by"] = certificate.found_by;
    return with_checksum(std::move(file));
}

std::string certificate_as_text(Certificate const& certificate)
{
    auto const& found = certificate.found;
    auto text = fmt::format("{} of {}, hash {:016x}\n", counted(found.instances, "instance"),
                            counted(found.multisets, "multiset"), found.hash);
    if (certificate.end - certificate.first < certificate.multisets)
        text += fmt::format("a part: multisets {} to {} of {}\n", certificate.first,
                            certificate.end - 1, certificate.multisets);
    if (found.unfinished > 0)
        text += fmt::format("{} instances are not finished by a policy and do not count\n",
                            found.unfinished);
    if (found.endless > 0)
        text += fmt::format("{} instances do not count, as random choices may go on without end "
                            "there: a search without --exhaustive counts them by draws\n",
                            found.endless);
    if (!found.maximum) return text + "no instance has a ratio\n";
    text += fmt::format("largest ratio{} {} = {:.6f}, on {} of them; the first:\n",
                        found.endless > 0 ? " of the others" : "", found.maximum->text(),
                        found.maximum->value(), found.at_maximum);
    return text + requests_as_text(found.worst.front());
}

Certificate read_certificate(std::filesystem::path const& file)
{
    auto const object = read_json_file(file);
    try {
        if (!object.is_object() || !object.contains("range") || !object.contains("multisets"))
            throw std::invalid_argument("is no certificate of crx search --exhaustive");
        Certificate certificate;
        certificate.range = object.at("range");
        certificate.multisets = object.at("multisets");
        certificate.first = object.at("first");
        certificate.end = object.at("end");
        certificate.next = object.value("next", certificate.end);
        if (with_checksum(object) != object)
            throw std::invalid_argument(
                "the file was changed: its checksum is not that of the rest");
        auto& found = certificate.found;
        auto const& counts = object.at("counts");
        found.multisets = counts.at("multisets");
        found.instances = counts.at("instances");
        found.unfinished = counts.at("unfinished");
        found.endless = counts.at("endless");
        found.at_maximum = counts.at("at_maximum");
        std::string const maximum = object.at("maximum"), hash = object.at("hash");
        if (maximum != "none") found.maximum = fraction_of(maximum);
        std::from_chars(hash.data(), hash.data() + hash.size(), found.hash, 16);
        for (auto const& witness : object.at("witnesses"))
            found.worst.push_back(found_instance(witness));
        certificate.found_by = object.at("found_by");
        return certificate;
    } catch (InputError const&) {
        throw;
    } catch (std::exception const& error) {
        throw InputError(file.string() + ": " + reason_of(error));
    }
}

} // namespace crx
