#include "claims/functions.hh"
#include "host/build_info.hh"
#include "host/commands/commands.hh"
#include "host/commands/external_program.hh"
#include "host/error.hh"
#include "host/output_file.hh"
#include "host/say.hh"
#include "host/sweep/interrupt.hh"

#include <CLI/CLI.hpp>
#include <csignal>
#include <cstdio>
#include <exception>
#include <new>

namespace {

/// Declares all commands and runs the one that was asked for; its exit status.
int run_command_line(int argc, char** argv)
{
    crx::hold_standard_streams();
    CLI::App app{"crx, the competitive-ratio explorer: online LLM schedulers against hindsight\n"
                 "baselines and published bounds, millions of instances at a time."};
    crx::claims::add_functions();
    app.name("crx");
    app.require_subcommand(1);
    app.set_version_flag("--version", crx::build_text());
    app.footer(
        "Exit status: 0 done, 1 the run failed, 2 bad input or usage, 130 stopped by Ctrl-C,\n"
        "143 stopped by SIGTERM. crx help COMMAND prints what a command takes, crx docs NAME\n"
        "what a name means. crx plot and crx report are commands of the Python package, and crx\n"
        "NAME runs the program crx-NAME where there is one.");
    crx::add_simulate_command(app);
    crx::add_serve_command(app);
    crx::add_trace_command(app);
    crx::add_sweep_command(app);
    crx::add_replay_command(app);
    crx::add_selftest_command(app);
    crx::add_panels_command(app);
    crx::add_rank_command(app);
    crx::add_export_command(app);
    crx::add_check_command(app);
    crx::add_merge_command(app);
    crx::add_baseline_command(app);
    crx::add_bounds_command(app);
    crx::add_spectrum_command(app);
    crx::add_fluid_command(app);
    crx::add_instance_command(app);
    crx::add_search_command(app);
    crx::add_witness_command(app);
    crx::add_claims_command(app);
    crx::add_info_command(app);
    crx::add_help_command(app);
    crx::add_docs_command(app);
    std::string const first_argument = argc > 1 ? argv[1] : "";
    // plot and report are programs of the Python package, and there may be others.
    if (!crx::is_command(app, first_argument))
        if (auto const program = crx::external_program(first_argument); !program.empty())
            crx::run_external(program, {argv + 2, argv + argc});
    if (first_argument == "plot" || first_argument == "report")
        throw crx::InputError(crx::without_package(first_argument));
    app.failure_message([&first_argument](CLI::App const* of, CLI::Error const& error) {
        return crx::usage_message(*of, error, first_argument);
    });

    try {
        app.parse(argc, argv);
    } catch (CLI::ParseError const& error) {
        if (app.exit(error) != 0) return crx::exit_bad_input;
    }
    crx::write_stdout(""); // a full disk behind what was printed is a failure too
    return crx::exit_done;
}

} // namespace

int main(int argc, char** argv)
{
    std::signal(SIGXFSZ, SIG_IGN); // a file that may not grow is an error in words
    try {
        return run_command_line(argc, argv);
    } catch (crx::InputError const& error) {
        crx::say(error.what());
        return crx::exit_bad_input;
    } catch (crx::Stopped const& error) {
        crx::say(error.what());
        return crx::exit_signalled + crx::InterruptGuard::signal();
    } catch (std::bad_alloc const&) {
        crx::say(
            "there is not enough memory here\n  smaller instances, fewer of them in a file, or "
            "fewer --threads take less");
        return crx::exit_run_failed;
    } catch (std::exception const& error) {
        crx::say(error.what());
        return crx::exit_run_failed;
    }
}
