#pragma once

#include "host/experiment/iteration_setting.hh"

#include <nlohmann/json_fwd.hpp>

namespace crx {

/// What policies can complete at most that do not know a prompt's type
/// (fluid::type_blind_capacity), with `memory` tokens of hard memory: without restarts, with them,
/// and where one restarted prompt at a time is remembered. Throws InputError where the experiment's
/// types or that memory are not for it.
nlohmann::ordered_json type_blind_json(IterationSetting const& setting, Tokens memory);
/// The same in words.
std::string type_blind_text(IterationSetting const& setting, Tokens memory);

/// What the theory says of a cell of the iteration model, without simulation: JSON text.
/// `type_blind`: of what type_blind_report tells; 0: nothing.
std::string fluid_json(IterationSetting const& setting, std::string const& title,
                       Tokens type_blind = 0);
/// The same in words.
std::string fluid_text(IterationSetting const& setting, Tokens type_blind = 0);

} // namespace crx
