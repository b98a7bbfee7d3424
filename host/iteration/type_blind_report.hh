#pragma once

#include "host/iteration/iteration_setting.hh"

#include <nlohmann/json_fwd.hpp>

namespace crx {

/// What policies can complete at most that do not know a prompt's type
/// (fluid::type_blind_capacity), with `memory` tokens of hard memory: without restarts, with them,
/// and where one restarted prompt at a time is remembered. Throws InputError where the experiment's
/// types or that memory are not for it.
nlohmann::ordered_json type_blind_json(IterationSetting const& setting, Tokens memory);
/// The same in words.
std::string type_blind_text(IterationSetting const& setting, Tokens memory);

} // namespace crx
