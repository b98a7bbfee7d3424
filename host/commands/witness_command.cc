#include "host/certificate/check_optimum.hh"
#include "host/commands/command_line.hh"
#include "host/commands/commands.hh"
#include "host/error.hh"
#include "host/input/open_file.hh"
#include "host/output_file.hh"
#include "host/say.hh"
#include "host/sweep/backend/threads.hh"
#include "host/sweep/interrupt.hh"
#include "host/sweep/stopped.hh"
#include "kernels/base/counted.hh"
#include "oracle/witness/witness.hh"

#include <atomic>
#include <ctime>
#include <fmt/format.h>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <stdexcept>
#include <unistd.h>

namespace crx {
namespace {

struct WitnessOptions
{
    std::vector<std::string> files;
    std::int64_t states = 20'000'000;
    int threads = 0;
    bool quiet = false;
};

constexpr std::size_t most_bytes = 256u << 20;

/// The certificate of an optimum; nothing where the file is none.
std::optional<oracle::Verdict> optimum_verdict(std::string const& text, std::int64_t most_nodes)
{
    auto const file = nlohmann::ordered_json::parse(text, nullptr, false);
    if (!file.is_object() || !is_optimum_certificate(file)) return std::nullopt;
    try {
        auto const checked = check_optimum_certificate(file, most_nodes);
        return oracle::Verdict{checked.search_ended, as_text(checked)};
    } catch (std::invalid_argument const& fault) {
        return oracle::Verdict{false, fault.what()};
    }
}

void check_witnesses(WitnessOptions const& options)
{
    for (auto const& file : options.files) ::close(open_to_read(file));
    InterruptGuard const guard;
    oracle::CheckLimits limits;
    limits.states = options.states;
    limits.threads = threads_to_use(options.threads);
    limits.stop = [] { return InterruptGuard::asked(); };
    auto const last = std::make_shared<std::atomic<std::int64_t>>(std::time(nullptr));
    limits.progress = [last](std::int64_t done, std::int64_t of) {
        auto before = last->load();
        auto const now = std::time(nullptr);
        if (now - before >= 10 && last->compare_exchange_strong(before, now))
            say(fmt::format("{} of {} multisets", done, of));
    };
    std::int64_t failed = 0;
    for (auto const& file : options.files) {
        auto const text = read_whole_file(file, most_bytes);
        auto const optimum = optimum_verdict(text, options.states);
        auto const verdict = optimum ? *optimum : oracle::check_file(text, limits);
        if (InterruptGuard::asked()) throw Stopped(InterruptGuard::stopped());
        if (!verdict.holds) ++failed;
        if (!verdict.holds || !options.quiet)
            write_stdout(
                fmt::format("{}: {}: {}\n", file, verdict.holds ? "holds" : "fails", verdict.text));
    }
    if (failed > 0)
        throw RunError(
            fmt::format("{} of {} failed", failed,
                        counted(static_cast<std::int64_t>(options.files.size()), "file")));
}

} // namespace

void add_witness_command(CLI::App& app)
{
    Command const command(app, "witness",
                          "Check witness files and certificates by plain rules of their own");
    command->footer(
        "The rules are those of oracle/, one round at a time: no engine, no bound and no "
        "search of the\nprogram takes part. Exit status 1 where a file fails.\n"
        "Example: crx witness witnesses/*.json witnesses/records/*/*.json");
    auto const options = std::make_shared<WitnessOptions>();
    command
        ->add_option("FILE", options->files,
                     "Files of crx search, crx replay, crx baseline --certificate or witnesses/")
        ->required();
    command
        ->add_option("--states", options->states,
                     "What a search through all schedules of one instance may keep")
        ->check(whole_number<std::int64_t>(1))
        ->capture_default_str();
    command->add_option("--threads", options->threads, "Of a certificate; 0: one a processor")
        ->check(whole_number<int>(0, 4096))
        ->capture_default_str();
    command->add_flag("--quiet", options->quiet, "Print the files that fail alone");
    command->callback([options] { check_witnesses(*options); });
}

} // namespace crx
