#include "fuzz/target.hh"
#include "host/error.hh"
#include "host/input/instance.hh"

/// Instance files, with rounds and with nanoseconds as times.
extern "C" int LLVMFuzzerTestOneInput(std::uint8_t const* data, std::size_t size)
{
    crx_test::InputFile const file(data, size);
    for (auto const times : {crx::InstanceTimes::rounds, crx::InstanceTimes::nanoseconds}) {
        try {
            std::vector<std::string> ignored;
            auto const requests = crx::read_instance(file.path(), &ignored, times);
            crx::check_fits(requests, file.path(), 1000, true);
        } catch (crx::InputError const&) {
            // A refusal in words.
        }
    }
    return 0;
}
