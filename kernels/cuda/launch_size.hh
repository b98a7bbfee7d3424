#pragma once

#include <cstdint>
#include <map>
#include <mutex>
#include <string>

namespace crx {

/// How many instances a launch on a GPU may take so that it lasts about as long as is wanted: a
/// GPU cannot be stopped in between, and one that also drives a screen ends what lasts for
/// seconds.
class LaunchSize
{
  public:
    explicit LaunchSize(double seconds = 0.1) : seconds_(seconds) {}

    /// Of the first launch few: how long they take is unknown.
    static constexpr std::int64_t first = 1024;

    std::int64_t instances() const { return instances_; }

    /// A launch of so many lasted so long. Then the next takes at most eight times as many, or an
    /// eighth. Fewer are no use where they take as long: a GPU that they do not fill takes one
    /// instance's time.
    void took(std::int64_t instances, double seconds);

  private:
    double seconds_;
    std::int64_t instances_ = first;
    std::int64_t floor_ = 1;
    std::int64_t before_ = 0; ///< the launch before, which was too long; 0: it was not
    double before_seconds_ = 0;
};

/// The sizes of the kinds of cells that a process has met: launches of a kind come one by one. Safe
/// to call from several threads.
class LaunchSizes
{
  public:
    LaunchSize of(std::string const& kind) const
    {
        std::lock_guard const lock(mutex_);
        auto const found = sizes_.find(kind);
        return found != sizes_.end() ? found->second : LaunchSize();
    }
    /// A launch of that kind lasted so long.
    void took(std::string const& kind, std::int64_t instances, double seconds)
    {
        std::lock_guard const lock(mutex_);
        sizes_[kind].took(instances, seconds);
    }

  private:
    mutable std::mutex mutex_;
    std::map<std::string, LaunchSize> sizes_;
};

} // namespace crx
