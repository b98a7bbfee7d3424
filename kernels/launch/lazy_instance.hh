#pragma once

#include "kernels/laws/host_generator.hh"

namespace crx {

/// The requests of an instance, written when first asked for.
class LazyInstance
{
  public:
    LazyInstance(HostGenerator const& generator, std::int64_t instance, Requests const& requests)
        : generator_(generator), instance_(instance), requests_(requests)
    {
    }
    Requests const& get()
    {
        if (!written_) generator_.generate(static_cast<std::uint64_t>(instance_), requests_);
        written_ = true;
        return requests_;
    }

  private:
    HostGenerator const& generator_;
    std::int64_t instance_;
    Requests const& requests_;
    bool written_ = false;
};

} // namespace crx
