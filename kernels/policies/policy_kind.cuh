#pragma once

#include <cstdint>

namespace crx {

/// Number of a policy. Each policy's header gives its own, as `kind`: it names the policy's random
/// stream (16 + number), so a number once given is for ever. No list of policies stands here: a
/// file that includes this one is not compiled again when a policy is added.
enum class PolicyKind : std::uint8_t;

} // namespace crx
