#pragma once

namespace CLI {
class App;
}

namespace crx {

/// As those of host/commands/commands.hh.
void add_rank_command(CLI::App& app);

} // namespace crx
