#include "host/commands/command_line.hh"
#include "host/commands/commands.hh"
#include "host/error.hh"
#include "host/evidence/certificate/check_optimum.hh"
#include "host/input/text_file.hh"
#include "host/output_file.hh"
#include "host/say.hh"
#include "host/sweep/interrupt.hh"
#include "host/sweep/threads.hh"
#include "kernels/base/counted.hh"
#include "oracle/witness/witness.hh"

#include <fmt/format.h>
#include <memory>
#include <nlohmann/json.hpp>
#include <sstream>
#include <stdexcept>
#include <unistd.h>

namespace crx {
namespace {

struct WitnessOptions
{
    std::vector<std::string> files;
    std::int64_t states = 20'000'000;
    bool quiet = false;
};

constexpr std::size_t most_file_bytes = 64u << 20;

/// The verdict on the certificate of an optimum or on a witness.
oracle::Verdict verdict_on(std::string const& text, std::int64_t most_states)
{
    if (text.find("\"optimum_certificate\"") == std::string::npos) {
        InterruptGuard const guard(InterruptGuard::Voice::brief);
        try {
            return oracle::check_file(text, most_states, InterruptGuard::asked);
        } catch (oracle::Ended const&) {
            throw Stopped(InterruptGuard::stopped());
        }
    }
    try {
        oracle::parse_strictly(text);
        auto const file = nlohmann::ordered_json::parse(text);
        auto const checked =
            check_optimum_certificate(file, 20 * std::min(most_states, INT64_MAX / 20));
        return {checked.search_ended, as_text(checked)};
    } catch (std::exception const& fault) {
        return {false, fault.what()};
    }
}

void check_witnesses(WitnessOptions const& options)
{
    for (auto const& file : options.files) ::close(open_to_read(file));
    std::int64_t checked = 0, failed = 0;
    auto const check = [&](std::string const& name, std::string const& text) {
        auto const verdict = verdict_on(text, options.states);
        ++checked;
        if (!verdict.holds) ++failed;
        if (!verdict.holds || !options.quiet)
            write_stdout(fmt::format("{}: {}: {}\n", printable_line(name),
                                     verdict.holds ? "holds" : "fails",
                                     printable_line(verdict.text)));
    };
    bool lines = false;
    for (auto const& file : options.files) {
        auto const text = read_whole_file(file, most_file_bytes);
        if (!file.ends_with(".jsonl")) {
            check(file, text);
            continue;
        }
        lines = true;
        std::istringstream stream(text);
        std::string line;
        for (int number = 1; std::getline(stream, line); ++number)
            if (!line.empty()) check(fmt::format("{}:{}", file, number), line);
    }
    if (failed > 0)
        throw RunError(fmt::format("{} of {} {} failed", failed, checked,
                                   lines         ? "witnesses"
                                   : checked > 1 ? "files"
                                                 : "file"));
}

} // namespace

void add_witness_command(CLI::App& app)
{
    Command const command(app, "witness",
                          "Check witness files and certificates of optima by plain rules");
    command->footer(
        "The rules are those of oracle/, one round at a time: no engine, no bound and no "
        "search of the\nprogram takes part. Exit status 1 where one fails.\n"
        "Example: crx witness claims/records.jsonl claims/witnesses/*.json");
    auto const options = std::make_shared<WitnessOptions>();
    command
        ->add_option("FILE", options->files,
                     "Files of crx search, crx replay, crx baseline --certificate or "
                     "claims/witnesses/; of FILE.jsonl each line is one")
        ->required();
    command
        ->add_option("--states", options->states,
                     "Most states of a search through all schedules of one instance")
        ->check(whole_number<std::int64_t>(1))
        ->capture_default_str();
    command->add_flag("--quiet", options->quiet, "Print only those that fail");
    command->callback([options] { check_witnesses(*options); });
}

} // namespace crx
