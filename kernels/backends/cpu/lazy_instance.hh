#pragma once

#include "kernels/backends/instance_source.hh"
#include "kernels/laws/host_generator.hh"

namespace crx {

/// The requests of an instance, written when first asked for.
class LazyInstance
{
  public:
    /// `source`, where there is one, makes it in place of the generator, with its own n and M.
    LazyInstance(HostGenerator const& generator, InstanceSource const* source, std::uint64_t seed,
                 std::int64_t instance, Requests& requests)
        : generator_(generator), source_(source), seed_(seed),
          instance_(static_cast<std::uint64_t>(instance)), requests_(requests)
    {
    }
    /// They are written already.
    void note_written() { written_ = true; }
    Requests const& get()
    {
        if (written_) return requests_;
        written_ = true;
        if (source_ != nullptr)
            source_->generate(seed_, instance_, requests_);
        else
            generator_.generate(instance_, requests_);
        return requests_;
    }

  private:
    HostGenerator const& generator_;
    InstanceSource const* source_;
    std::uint64_t seed_, instance_;
    Requests& requests_;
    bool written_ = false;
};

} // namespace crx
