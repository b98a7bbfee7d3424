#pragma once

#include "host/error.hh"

#include <string>

namespace crx {

/// Mistakes in parts of a document that can be read without each other, to be said all at once.
class Mistakes
{
  public:
    /// Calls `read` and keeps the InputError that it throws. False where it threw one.
    template <class Read>
    bool collect(Read read)
    {
        try {
            read();
            return true;
        } catch (ConfigError const& error) {
            add(error.what());
        } catch (InputError const& error) {
            add(error.what());
            all_of_values_ = false;
        }
        return false;
    }

    /// Throws what was kept, each mistake on lines of its own: a ConfigError where all are, else an
    /// InputError. Does nothing where there was none.
    void throw_all() const
    {
        if (text_.empty()) return;
        if (all_of_values_) throw ConfigError(text_);
        throw InputError(text_);
    }

  private:
    void add(std::string const& text) { text_ += (text_.empty() ? "" : "\n") + text; }

    std::string text_;
    bool all_of_values_ = true;
};

} // namespace crx
