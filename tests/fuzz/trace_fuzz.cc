#include "fuzz/target.hh"
#include "host/error.hh"
#include "host/input/trace_rows.hh"

/// Traces, with and without their times.
extern "C" int LLVMFuzzerTestOneInput(std::uint8_t const* data, std::size_t size)
{
    crx_test::InputFile const file(data, size);
    for (bool const with_times : {false, true}) {
        try {
            crx::TraceReading reading;
            reading.with_times = with_times;
            crx::rows_of(crx::read_trace(file.path(), reading), file.path());
        } catch (crx::InputError const&) {
            // A refusal in words.
        }
    }
    return 0;
}
