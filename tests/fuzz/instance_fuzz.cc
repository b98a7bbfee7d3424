#include "fuzz/target.hh"
#include "host/error.hh"
#include "host/input/trace.hh"

/// Instance files, with rounds and with nanoseconds as times.
extern "C" int LLVMFuzzerTestOneInput(std::uint8_t const* data, std::size_t size)
{
    crx_test::InputFile const file(data, size);
    for (auto const latest : {std::int64_t{1'000'000}, std::int64_t{1} << 61}) {
        try {
            crx::TraceReading reading;
            reading.latest_arrival = latest;
            auto const trace = crx::read_trace(file.path(), reading);
            crx::check_fits(trace.requests, file.path(), 1000, true);
        } catch (crx::InputError const&) {
            // A refusal in words.
        }
    }
    return 0;
}
