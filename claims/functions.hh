#pragma once

#include "host/evidence/claims/sources.hh"

namespace crx::claims {

std::vector<Function> jaillet_functions();
std::vector<Function> wang_functions();
std::vector<Function> chen_functions();
std::vector<Function> ao_functions();

/// Adds every function of this folder to functions(). Called once, before a claim is read.
inline void add_functions()
{
    for (auto const& list :
         {jaillet_functions(), wang_functions(), chen_functions(), ao_functions()})
        functions().insert(functions().end(), list.begin(), list.end());
}

/// An axis of the point as a whole number.
inline std::int64_t whole(Numbers const& at, std::string const& axis)
{
    return static_cast<std::int64_t>(at.at(axis));
}

} // namespace crx::claims
