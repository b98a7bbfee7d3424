#include "kernels/cuda/variant_times.hh"

#include <algorithm>
#include <stdexcept>

namespace crx {
namespace {

/// Fewer do not pay for running each variant once.
constexpr std::int64_t least_trial = 1024;
/// A GPU that was not full when it was measured is measured again with so many times as many.
constexpr std::int64_t growth = 4;

} // namespace

void throw_variants_differ(std::string const& what, std::int64_t instance, std::string const& one,
                           std::string const& other)
{
    throw std::runtime_error(what + ", instance " + std::to_string(instance) + ": the variants '" +
                             one + "' and '" + other +
                             "' of its kernel do not agree; one of them is wrong");
}

std::size_t unmeasured_variant(std::span<int const> threads)
{
    CRX_EXPECT(!threads.empty());
    std::size_t variant = 0;
    for (std::size_t k = 1; k < threads.size(); ++k)
        if (threads[k] >= threads[variant]) variant = k;
    return variant;
}

std::optional<VariantTimes::Entry> VariantTimes::find(std::string const& key) const
{
    std::lock_guard const lock(mutex_);
    auto const found = entries_.find(key);
    if (found == entries_.end()) return {};
    return found->second;
}

void VariantTimes::put(std::string const& key, Entry const& entry)
{
    std::lock_guard const lock(mutex_);
    entries_[key] = entry;
}

std::int64_t trial_size(std::int64_t count, std::int64_t full,
                        std::optional<VariantTimes::Entry> const& before)
{
    auto const size = std::min(count, std::max(full, least_trial));
    if (size < least_trial) return 0;
    if (!before) return size;
    return before->instances < full && size >= growth * before->instances ? size : 0;
}

std::int64_t compared_size(std::int64_t count, std::optional<VariantTimes::Entry> const& before)
{
    constexpr std::int64_t enough = 128;
    auto const compared = before ? before->compared : 0;
    return compared < enough ? std::min(count, enough - compared) : 0;
}

} // namespace crx
