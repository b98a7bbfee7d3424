#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

/// What libFuzzer calls, and the driver of the corpus: one input through one reader of the program.
/// It returns where the input is taken or refused with an error for users; every other end (another
/// exception, a broken contract, a sanitizer's report) ends the process.
extern "C" int LLVMFuzzerTestOneInput(std::uint8_t const* data, std::size_t size);

namespace crx_test {

/// The input as a file that readers of files can open, gone at the end.
class InputFile
{
  public:
    InputFile(std::uint8_t const* data, std::size_t size);
    InputFile(InputFile const&) = delete;
    ~InputFile();
    std::string const& path() const { return path_; }

  private:
    std::string folder_, path_;
};

} // namespace crx_test
