#include "claims/functions.hh"

namespace crx::claims {

void add_functions()
{
    for (auto const& list :
         {jaillet_functions(), wang_functions(), chen_functions(), ao_functions()})
        functions().insert(functions().end(), list.begin(), list.end());
}

} // namespace crx::claims
