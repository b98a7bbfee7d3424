#include "host/search/exhaustive_run.hh"

#include "host/error.hh"
#include "host/output_file.hh"
#include "host/say.hh"
#include "host/search/certificate.hh"
#include "host/search/found_file.hh"
#include "host/shell_word.hh"
#include "host/sweep/backend/threads.hh"
#include "host/sweep/interrupt.hh"
#include "host/sweep/stopped.hh"
#include "kernels/base/seconds_since.hh"

#include <algorithm>
#include <chrono>
#include <fmt/format.h>
#include <optional>
#include <tbb/global_control.h>

namespace crx {
namespace {

using SteadyTime = std::chrono::steady_clock::time_point;

constexpr std::int64_t most_requests_of_all = 12;

void check_options(SearchOptions const& options)
{
    if (options.requests > most_requests_of_all)
        throw ConfigError("command line", "--requests", std::to_string(options.requests),
                          fmt::format("at most {} with --exhaustive", most_requests_of_all));
}

worst::ExhaustiveSearch search_of(SearchOptions const& options)
{
    try {
        return {instance_class(options), exact_cost_argument("--policy", options.policy, options),
                exact_denominator(options)};
    } catch (std::overflow_error const& error) {
        throw ConfigError("command line", "--requests", std::to_string(options.requests),
                          std::string("fewer, or --memory smaller: ") + error.what());
    }
}

/// What the output file holds of this search, or nothing done.
Certificate begun(SearchOptions const& options, std::int64_t multisets)
{
    auto certificate = empty_certificate(options, multisets);
    if (options.output.empty() || !std::filesystem::exists(options.output)) return certificate;
    auto const held = read_certificate(options.output);
    if (held.range != certificate.range || held.first != certificate.first ||
        held.end != certificate.end)
        throw ConfigError("command line", "-o", options.output,
                          "a new file, or one of the same search: it holds " + held.found_by);
    return held;
}

/// How much to do before the next look at the clock: about a third of a second.
std::int64_t next_wave(std::int64_t wave, double seconds)
{
    if (seconds < 0.15) return wave * 2;
    return seconds > 0.6 ? std::max<std::int64_t>(wave / 2, 64) : wave;
}

void report_progress(Certificate const& certificate, std::int64_t begun_at, SteadyTime begin)
{
    auto const done = certificate.next - begun_at;
    auto const seconds = seconds_since(begin);
    auto const left = static_cast<double>(certificate.end - certificate.next) * seconds /
                      static_cast<double>(std::max<std::int64_t>(done, 1));
    say(fmt::format("{:.1f} s: {} of {} multisets, {}, about {:.0f} s left", seconds,
                    certificate.next - certificate.first, certificate.end - certificate.first,
                    certificate.found.maximum ? "largest ratio " + certificate.found.maximum->text()
                                              : "no ratio yet",
                    left));
}

void print(SearchOptions const& options, Certificate const& certificate)
{
    write_stdout(options.json ? certificate_as_json(options, certificate).dump(1) + "\n"
                              : certificate_as_text(certificate));
}

} // namespace

void run_exhaustive_search(SearchOptions const& options)
{
    check_options(options);
    auto const search = search_of(options);
    auto certificate = begun(options, search.multisets());
    if (!options.output.empty()) check_place(options.output);
    tbb::global_control const threads(tbb::global_control::max_allowed_parallelism,
                                      static_cast<std::size_t>(threads_to_use(options.threads)));
    InterruptGuard const guard(options.output.empty() ? InterruptGuard::Voice::brief
                                                      : InterruptGuard::Voice::spoken);
    std::optional<FoundKeeper> keeper;
    if (!options.output.empty()) keeper.emplace(options.output);
    auto const content = [&] { return certificate_as_json(options, certificate).dump(1) + "\n"; };

    auto const begin = std::chrono::steady_clock::now();
    auto const begun_at = certificate.next;
    auto said = begin, kept = begin;
    std::int64_t wave = 1024;
    while (certificate.next < certificate.end && !InterruptGuard::asked() &&
           !(keeper && keeper->failed())) {
        auto const wave_begin = std::chrono::steady_clock::now();
        auto const to = std::min(certificate.end, certificate.next + wave);
        certificate.found.add(search.run(certificate.next, to));
        certificate.next = to;
        wave = next_wave(wave, seconds_since(wave_begin));
        if (keeper && seconds_since(kept) > 0.4) {
            keeper->offer(content());
            kept = std::chrono::steady_clock::now();
        }
        if (seconds_since(said) > 10) {
            report_progress(certificate, begun_at, begin);
            said = std::chrono::steady_clock::now();
        }
    }
    if (keeper) {
        keeper->offer(content());
        keeper->finish();
    }
    if (certificate.next < certificate.end)
        throw Stopped(InterruptGuard::stopped() +
                      (keeper
                           ? ", what is done is in " + options.output + ": the same command goes on"
                           : ": with -o FILE it would have kept what is done"));
    say(fmt::format("{:.1f} s", seconds_since(begin)));
    print(options, certificate);
}

void merge_certificates(SearchOptions const& given)
{
    if (!given.output.empty() && std::filesystem::is_regular_file(given.output))
        throw ConfigError("command line", "-o", given.output,
                          "a file that is not there yet: this one would be lost");
    std::vector<Certificate> parts;
    for (auto const& file : given.merge) {
        parts.push_back(read_certificate(file));
        if (parts.back().next != parts.back().end)
            throw InputError(file + ": not complete; the command that wrote it goes on with it: " +
                             parts.back().found_by);
        if (parts.back().range != parts.front().range)
            throw InputError(file + ": of another range than " + given.merge.front());
    }
    std::ranges::sort(parts, {},
                      [](Certificate const& part) { return std::pair(part.first, part.end); });
    auto all = parts.front();
    for (std::size_t k = 1; k < parts.size(); ++k) {
        if (parts[k].first != all.end)
            throw InputError(fmt::format("--merge: multisets {} to {} are in {} of the files",
                                         std::min(all.end, parts[k].first),
                                         std::max(all.end, parts[k].first) - 1,
                                         parts[k].first > all.end ? "none" : "two"));
        all.found.add(parts[k].found);
        all.end = all.next = parts[k].end;
    }
    auto const options = options_of(all);
    if (all.end - all.first == all.multisets) {
        all.found_by = options.command();
    } else {
        all.found_by = "crx search --merge";
        for (auto const& file : given.merge) all.found_by += " " + shell_word(file);
    }
    if (!given.output.empty())
        write_file(given.output, certificate_as_json(options, all).dump(1) + "\n");
    auto printed = options;
    printed.json = given.json;
    print(printed, all);
}

} // namespace crx
