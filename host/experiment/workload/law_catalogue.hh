#pragma once

#include "host/experiment/workload/law_shape.hh"

namespace crx {

/// The laws for a role, in the order of docs/model.md#laws. Laws of one id stand together and
/// differ in `source`.
std::vector<LawShape> const& law_catalogue(LengthRole role);

/// "geometric takes q and upper".
std::string fields_taken(LawShape const& law);

/// "`q` in [0, 1], `upper`", for docs/reference.md.
std::string documented_fields(LawShape const& law);

} // namespace crx
