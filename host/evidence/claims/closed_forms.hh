#pragma once

#include "host/evidence/claims/relation.hh"

namespace crx::claims {

/// Numbers that a formula or a solver gives at a point, by name: every curve of `crx bounds` (its
/// id with _ for - and .), the spectrum's bounds of `crx spectrum` and fluid quantities.
struct ClosedForm
{
    std::string name, meaning, parameters;
    std::function<double(Numbers const& at)> value; ///< NaN outside its domain
};

/// All of them, curves first.
std::vector<ClosedForm> const& closed_forms();
/// Null where there is none of that name.
ClosedForm const* find_closed_form(std::string const& name);

} // namespace crx::claims
