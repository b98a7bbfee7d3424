#pragma once

#include <random>
#include <string>
#include <vector>

namespace crx_test {

/// An input made from those of a corpus: one of them with some changes (bits, bytes, parts deleted,
/// doubled or taken from another, numbers replaced by awkward ones). At most 64 KiB. Contract: the
/// corpus is not empty.
std::string mutated(std::vector<std::string> const& corpus, std::mt19937_64& dice);

} // namespace crx_test
