#pragma once

#include <array>
#include <compare>
#include <cstring>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace crx {

/// Hash of all that a row of sums depends on: a name-based UUID (RFC 4122, version 5).
struct SumsKey
{
    std::array<unsigned char, 16> bytes{};
    auto operator<=>(SumsKey const&) const = default;
};

struct HashOfKey
{
    std::size_t operator()(SumsKey const& key) const
    {
        std::size_t word = 0;
        std::memcpy(&word, key.bytes.data(), sizeof word);
        return word;
    }
};

/// Keys of a policy in a cell.
struct PolicyKeys
{
    SumsKey sums;                ///< its own
    std::vector<SumsKey> ratios; ///< over each baseline of the experiment; the round model's alone
    bool operator==(PolicyKeys const&) const = default;
};
using CellKeys = std::vector<PolicyKeys>; ///< by policy, in the experiment's order

/// The keys of a cell from its identity (PlannedCell::identity). A policy's own sums depend on the
/// workload with memory, clock, seed and how it is drawn, and on the policy; those over a baseline
/// also on that and on its settings. So a new policy or baseline changes no key of the others,
/// unless it changes how the workload is drawn.
CellKeys keys_of(std::string const& identity, std::span<std::string const> baselines);

/// As the store keeps them: a policy's key of its own sums and of each baseline, 16 bytes each, one
/// policy after the other. Reading throws std::invalid_argument where that does not fit.
std::string to_bytes(CellKeys const& keys);
CellKeys parse_keys(std::string_view bytes, std::size_t policies);

/// The UUID of a text as people write it: a label of identities.
std::string identity_hash(std::string const& text);

/// 32 hexadecimal digits, as SQLite's hex() gives a key.
std::string to_text(SumsKey const& key);

} // namespace crx
