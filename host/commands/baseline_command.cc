#include "analysis/baseline/hindsight.hh"
#include "analysis/baseline/hindsight_baselines.hh"
#include "host/commands/command_line.hh"
#include "host/commands/commands.hh"
#include "host/commands/request_file.hh"
#include "host/error.hh"
#include "host/evidence/certificate/check_optimum.hh"
#include "host/evidence/certificate/optimum_certificate.hh"
#include "host/evidence/witness_file.hh"
#include "host/experiment/own_order.hh"
#include "host/input/instance.hh"
#include "host/input/text_file.hh"
#include "host/output_file.hh"
#include "host/say.hh"
#include "host/simulate/schedule_file.hh"
#include "host/simulate/simulate.hh"
#include "kernels/base/counted.hh"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace crx {
namespace {

/// Nodes through which a certificate is checked, 20 arcs each: about a minute.
constexpr std::int64_t usual_certificate_nodes = 10'000'000;

struct BaselineOptions
{
    std::string instance, schedules, check, certificate;
    std::int64_t memory = 0; ///< 0: not given
    std::uint64_t seed = 1;
    std::optional<double> time_limit; ///< left out: 10, or none where a count limits
    std::int64_t evaluations = 0, steps = 0, nodes = 0; ///< 0: not given

    double seconds() const { return time_limit.value_or(evaluations > 0 || nodes > 0 ? 1e9 : 10); }
    RequestFileOptions reading;
    bool json = false;
};

std::string as_text(baseline::Hindsight const& result, Tokens memory, std::size_t n)
{
    auto text = fmt::format("{}, M = {}\nlower bounds on OPT\n",
                            counted(static_cast<std::int64_t>(n), "request"), memory);
    for (auto const& bound : result.bounds)
        text += fmt::format("  {:<18} {:>12}  {}\n", bound.id,
                            bound.value ? std::to_string(*bound.value) : "-", bound.remark);
    text += "schedules, each checked again: upper bounds on OPT\n";
    for (auto const& schedule : result.schedules)
        text += fmt::format("  {:<18} {:>12}\n", schedule.id, schedule.total_latency);
    if (result.optimal()) return text + fmt::format("OPT = {}, proven\n", result.upper);
    return text +
           fmt::format("{} <= OPT <= {}, a factor of {:.4f}\n", result.lower, result.upper,
                       static_cast<double>(result.upper) / static_cast<double>(result.lower));
}

std::string as_json(baseline::Hindsight const& result, Tokens memory, std::size_t n)
{
    nlohmann::ordered_json object{{"memory", memory}, {"n", n}};
    for (auto const& bound : result.bounds) {
        nlohmann::ordered_json row{{"id", bound.id}, {"value", nullptr}, {"remark", bound.remark}};
        if (bound.value) row["value"] = *bound.value;
        object["lower_bounds"].push_back(row);
    }
    for (auto const& schedule : result.schedules)
        object["schedules"].push_back({{"id", schedule.id},
                                       {"total_latency", schedule.total_latency},
                                       {"starts", schedule.starts}});
    object["lower"] = result.lower;
    object["upper"] = result.upper;
    object["optimal"] = result.optimal();
    return object.dump(1) + "\n";
}

nlohmann::ordered_json read_json(std::filesystem::path const& file)
{
    constexpr std::size_t most_bytes = 64u << 20;
    auto const text = read_whole_file(file, most_bytes);
    try {
        oracle::parse_strictly(text);
        return nlohmann::ordered_json::parse(text);
    } catch (std::exception const& fault) {
        throw InputError(file.string() + ": " + reason_of(fault));
    }
}

/// Throws std::invalid_argument where a certificate is of another instance.
void check_is_of(nlohmann::ordered_json const& certificate, std::string const& file,
                 OwnedInstance const& instance)
{
    auto const requests = certificate.value("requests", nlohmann::ordered_json::array());
    auto const n = instance.output.size();
    if (!requests.is_array() || requests.size() != n)
        throw std::invalid_argument(
            fmt::format("requests: there are {}, and {} in {}", requests.size(), n, file));
    for (std::size_t i = 0; i < n; ++i)
        if (requests[i] != nlohmann::ordered_json::array(
                               {instance.arrival[i], instance.prompt[i], instance.output[i]}))
            throw std::invalid_argument(
                fmt::format("request {} is another than that of {}", i, file));
    auto const memory = certificate.value("memory", nlohmann::ordered_json());
    if (memory != instance.memory)
        throw std::invalid_argument(
            fmt::format("memory: {} is written, --memory is {}", memory.dump(), instance.memory));
}

/// Checks a certificate and that it is of this instance.
void check_certificate_file(BaselineOptions const& options, OwnedInstance const& instance)
{
    auto const file = read_json(options.check);
    CheckedOptimum checked;
    try {
        if (is_optimum_certificate(file)) check_is_of(file, options.instance, instance);
        checked = check_optimum_certificate(
            file, 20 * std::min(options.nodes > 0 ? options.nodes : usual_certificate_nodes,
                                INT64_MAX / 20));
    } catch (std::invalid_argument const& fault) {
        throw InputError(options.check + ": " + fault.what());
    }
    write_stdout(options.json ? nlohmann::ordered_json{{"lower", checked.lower},
                                                       {"upper", checked.upper},
                                                       {"optimal", checked.lower == checked.upper},
                                                       {"arcs", checked.arcs},
                                                       {"ended", checked.search_ended}}
                                        .dump(1) +
                                    "\n"
                              : fmt::format("{}: {}\n", options.check, as_text(checked)));
}

/// Is the file's schedule one, and what is its TEL? Or is the certificate right?
void check_schedule_file(BaselineOptions const& options, std::vector<Request> const& requests,
                         OwnedInstance const& instance)
{
    if (options.check.ends_with(".json")) return check_certificate_file(options, instance);
    auto const starts = read_schedule(options.check, requests);
    if (auto const fault = baseline::schedule_fault(instance, starts))
        throw InputError(options.check + ": no schedule: " + *fault);
    auto const latency = baseline::total_latency(instance, starts);
    write_stdout(options.json ? nlohmann::ordered_json{{"total_latency", latency}}.dump(1) + "\n"
                              : fmt::format("{}: a schedule, total latency (TEL) {}\n",
                                            options.check, latency));
}

/// The requests of the file, a CSV or a witness, which says the memory where the options do not.
std::vector<Request> read_requests(BaselineOptions& options)
{
    if (is_run_file(options.instance)) {
        auto const instance = read_evidence(options.instance).instance;
        if (instance.clock.affine())
            throw InputError(options.instance + ": has a clock, and optima are of the round model");
        if (options.memory == 0) options.memory = instance.memory;
        auto const requests = numbered_requests(instance);
        check_fits(requests, options.instance, options.memory, false);
        return requests;
    }
    if (options.memory == 0) throw ConfigError("command line", "--memory", "", "given with a CSV");
    options.reading.takes_clock = false;
    return read_requests_for(options.instance, options.reading, {}, options.memory, false).requests;
}

void run_baseline_command(BaselineOptions const& given)
{
    if (given.time_limit && !(*given.time_limit > 0 && *given.time_limit <= 1e7))
        throw ConfigError("command line", "--time-limit", fmt::format("{}", *given.time_limit),
                          "a number of seconds above 0, at most 10000000");
    auto options = given;
    auto const requests = read_requests(options);
    auto const instance = instance_of(requests, options.memory, {});
    if (!options.check.empty()) return check_schedule_file(options, requests, instance);
    if (!options.certificate.empty())
        check_outputs({{"--certificate", options.certificate}}, {{"--instance", options.instance}});
    std::filesystem::path const folder = options.schedules;
    if (!options.schedules.empty()) {
        std::error_code error;
        std::filesystem::create_directories(folder, error);
        if (!std::filesystem::is_directory(folder))
            throw ConfigError("command line", "--schedules", options.schedules,
                              "a folder, or a place where one can be made");
        std::vector<NamedFile> files;
        for (auto const& id : baseline::schedule_ids)
            files.push_back({"--schedules", folder / (std::string(id) + ".csv")});
        files.push_back({"--schedules", folder / (std::string(own_order_id) + ".csv")});
        check_outputs(files, {{"--instance", options.instance}});
    }
    baseline::HindsightLimits limits;
    limits.seconds = options.seconds();
    limits.seed = options.seed;
    limits.evaluations_a_request = options.evaluations;
    limits.steps = options.steps;
    if (options.nodes > 0) limits.nodes = options.nodes;
    auto result = baseline::hindsight(instance, limits);
    if (auto const order = order_of(requests); !order.empty())
        add_own_schedule(result, instance, own_order_id, order, options.instance);
    if (result.schedules.empty())
        throw InputError(options.instance +
                         ": no schedule was found whose total latency is below 2^62");
    if (!options.certificate.empty()) {
        write_file(options.certificate, optimum_certificate(instance, result).dump() + "\n");
        say("made " + options.certificate);
    }
    if (!options.schedules.empty())
        for (auto const& schedule : result.schedules)
            write_file(folder / (schedule.id + ".csv"),
                       schedule_as_csv(requests, instance, schedule.starts));
    write_stdout(options.json ? as_json(result, options.memory, requests.size())
                              : as_text(result, options.memory, requests.size()));
}

} // namespace

void add_baseline_command(CLI::App& app)
{
    Command const command(
        app, "baseline", "Bracket the optimum of one instance: lower bounds and checked schedules");
    command->footer("Example: crx baseline --instance requests.csv --memory 40 --schedules out\n"
                    "         crx baseline --instance requests.csv --memory 40 --evaluations "
                    "1000 --nodes 1000000\n"
                    "         crx baseline --instance requests.csv --memory 40 --check "
                    "out/best-found.csv\n"
                    "         crx baseline --instance requests.csv --memory 40 --certificate "
                    "opt.json\n"
                    "         crx baseline --instance requests.csv --memory 40 --check opt.json");
    auto const options = std::make_shared<BaselineOptions>();
    command
        ->add_option("--instance", options->instance,
                     "CSV with columns prompt,output and, if you like, id,arrival,order; a trace "
                     "(crx trace); or a witness file, NAME.json")
        ->required();
    command->add_option("--memory", options->memory, "M, tokens; else that of the witness file")
        ->check(whole_number<std::int64_t>(1, INT32_MAX));
    command->add_option("--time-limit", options->time_limit,
                        "Seconds after which searches stop; what is proven by then is printed. 10 "
                        "where it is left out, or none with --evaluations or --nodes");
    command
        ->add_option("--evaluations", options->evaluations,
                     "Schedules that the local search looks at, a request: repeats exactly")
        ->check(whole_number<std::int64_t>(1, baseline::HindsightEffort::most_evaluations));
    command
        ->add_option("--steps", options->steps,
                     "Steps of the ascent behind the bound peaks; 4 n^2, at most 1,000, where it "
                     "is left out")
        ->check(whole_number<std::int64_t>(1, baseline::HindsightEffort::most_steps));
    command
        ->add_option(
            "--nodes", options->nodes,
            "Nodes after which the search for the optimum stops, 20 arcs of configurations "
            "or 1,000 of pairs each: repeats exactly")
        ->check(whole_number<std::int64_t>(1, baseline::HindsightEffort::most_nodes));
    command->add_option("--seed", options->seed, "Seed of the local search")
        ->check(whole_number<std::uint64_t>(0))
        ->capture_default_str();
    command->add_option("--schedules", options->schedules,
                        "Folder to write each schedule to, as ID.csv with id,start,completion");
    command->add_option(
        "--check", options->check,
        "Only check the schedule in this CSV file and print its total latency, or "
        "the certificate in this .json file, through 20 arcs of configurations for each of "
        "--nodes at most (10 million where it is left out)");
    command
        ->add_option("--certificate", options->certificate,
                     "JSON file for the best schedule with the prices that bound the optimum; "
                     "--check checks it with code that shares nothing with the search")
        ->excludes("--check");
    add_request_file_options(command, options->reading);
    command->add_flag("--json", options->json, "One JSON object");
    command->callback([options] { run_baseline_command(*options); });
}

} // namespace crx
