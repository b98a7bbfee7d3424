#include "kernels/cuda/variant_times.hh"

#include <algorithm>
#include <stdexcept>

namespace crx {
namespace {

/// Fewer do not pay for running each variant once.
constexpr std::int64_t least_trial = 1024;
/// A GPU that was not full when it was measured is measured again with so many times as many.
constexpr std::int64_t growth = 4;
/// Of longer tables the first so many entries tell cells apart.
constexpr std::size_t most_entries = 4096;

/// FNV-1a.
class Hash
{
  public:
    void add(std::uint64_t value)
    {
        for (int byte = 0; byte < 8; ++byte) {
            hash_ ^= value >> (8 * byte) & 0xff;
            hash_ *= 1099511628211ull;
        }
    }
    template <class T>
    void add(std::span<T const> table)
    {
        add(table.size());
        for (std::size_t k = 0; k < std::min(table.size(), most_entries); ++k)
            add(static_cast<std::uint64_t>(table[k]));
    }
    std::uint64_t value() const { return hash_; }

  private:
    std::uint64_t hash_ = 14695981039346656037ull;
};

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

std::uint64_t VariantTimes::key_of(WorkloadView const& w, std::string const& what,
                                   std::span<std::string_view const> variants)
{
    Hash hash;
    for (auto const number :
         {w.requests, std::int64_t{w.memory}, static_cast<std::int64_t>(w.output_kind),
          static_cast<std::int64_t>(w.prompt_kind), std::int64_t{w.prompt_constant},
          static_cast<std::int64_t>(w.trace_order), static_cast<std::int64_t>(w.interval.kind),
          std::int64_t{w.interval.lower}, std::int64_t{w.interval.upper},
          std::int64_t{w.interval.width}, w.interval.numerator, w.interval.denominator,
          static_cast<std::int64_t>(w.clock.kind), static_cast<std::int64_t>(w.arrival_kind)})
        hash.add(static_cast<std::uint64_t>(number));
    hash.add(std::span<char const>(what));
    hash.add(variants.size());
    for (auto const name : variants) hash.add(std::span<char const>(name));
    hash.add(w.output_value);
    hash.add(w.output_threshold);
    hash.add(w.output_count);
    hash.add(w.prompt_value);
    hash.add(w.prompt_threshold);
    hash.add(w.trace_prompt);
    hash.add(w.trace_output);
    hash.add(w.source_count);
    return hash.value();
}

std::optional<VariantTimes::Entry> VariantTimes::find(std::uint64_t key) const
{
    std::lock_guard const lock(mutex_);
    auto const found = entries_.find(key);
    if (found == entries_.end()) return {};
    return found->second;
}

void VariantTimes::put(std::uint64_t key, Entry const& entry)
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
