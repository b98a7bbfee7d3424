#pragma once

namespace CLI {
class App;
}

namespace crx {

// Commands about the other commands, as those of host/commands/commands.hh: add them last.
void add_help_command(CLI::App& app);
void add_completion_command(CLI::App& app);
void add_docs_command(CLI::App& app);

} // namespace crx
