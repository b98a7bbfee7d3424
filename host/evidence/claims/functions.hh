#pragma once

#include "host/evidence/claims/relation.hh"

#include <functional>
#include <string>
#include <vector>

namespace crx::claims {

/// A trial's numbers that need a program: at a point of the trial's grid it gives each name of
/// `gives`. The functions are in claims/*.cc and are added by main.
struct Function
{
    std::string name, meaning;
    std::vector<std::string> takes; ///< axes of the grid that it reads
    std::vector<std::string> gives;
    std::function<std::map<std::string, Interval>(Numbers const& at)> value;
};

std::vector<Function>& functions();
Function const* find_function(std::string const& name);

} // namespace crx::claims
