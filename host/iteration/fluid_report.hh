#pragma once

#include "host/iteration/iteration_setting.hh"

namespace crx {

/// What the theory says of a cell of the iteration model, without simulation: JSON text.
/// `type_blind`: of what type_blind_report tells; 0: nothing.
std::string fluid_json(IterationSetting const& setting, std::string const& title,
                       Tokens type_blind = 0);
/// The same in words.
std::string fluid_text(IterationSetting const& setting, Tokens type_blind = 0);

} // namespace crx
