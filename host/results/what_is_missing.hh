#pragma once

#include "host/results/results.hh"

namespace crx {

/// What of its experiment a store does not have yet, in a sentence that begins with its name;
/// empty: nothing. Of cells that end at a half-width only those without any instance count, as the
/// others may have enough. Throws InputError where the experiment's text cannot be read.
std::string what_is_missing(StoreContents const& contents, std::string const& name);

/// Says it, for commands that show what there is all the same.
void warn_of_missing(StoreContents const& contents, std::string const& name);

} // namespace crx
