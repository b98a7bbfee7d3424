#pragma once

#include <string>

namespace CLI {
class App;
class Error;
} // namespace CLI

namespace crx {

// Each adds one subcommand, whose callback does the work. Errors leave as exceptions of
// host/error.hh; main turns them into a message and an exit status.
void add_info_command(CLI::App& app);
void add_baseline_command(CLI::App& app);
void add_simulate_command(CLI::App& app);
void add_serve_command(CLI::App& app);
void add_trace_command(CLI::App& app);
void add_sweep_command(CLI::App& app);
void add_replay_command(CLI::App& app);
void add_selftest_command(CLI::App& app);
void add_export_command(CLI::App& app);
void add_check_command(CLI::App& app);
void add_panels_command(CLI::App& app);
void add_rank_command(CLI::App& app);
void add_bounds_command(CLI::App& app);
void add_spectrum_command(CLI::App& app);
void add_fluid_command(CLI::App& app);
void add_instance_command(CLI::App& app);
void add_claims_command(CLI::App& app);
void add_search_command(CLI::App& app);
void add_witness_command(CLI::App& app);
void add_merge_command(CLI::App& app);

// Commands about the other commands: add them last.
void add_help_command(CLI::App& app);
void add_docs_command(CLI::App& app);

/// Whether a command has that name.
bool is_command(CLI::App const& app, std::string const& name);

/// What is said of a command line that cannot be parsed: what is wrong with it and where help is.
std::string usage_message(CLI::App const& app, CLI::Error const& error,
                          std::string const& first_argument);

} // namespace crx
