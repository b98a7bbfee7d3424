#pragma once

#include "host/sweep/runner.hh"

namespace crx {

/// Where a sweep's chunks run.
struct Backend
{
    std::string name;         ///< "cpu" or "cuda"
    std::string device;       ///< of the accelerator; empty on the CPU
    std::string text;         ///< what was chosen and why, for the user
    Launch launch;            ///< of the round model
    LaunchPaths launch_paths; ///< of the iteration model
    int chunks_at_once;       ///< as in SweepSettings
    std::int64_t least_chunk; ///< likewise
};

/// Runs on the CUDA device of this number. Throws InputError where `backend` is cpu or the device
/// cannot be used.
void choose_device_for(std::string const& backend, int number);

/// The same for a process that shares its machine's devices with others: number `place` among them
/// takes device `place` modulo the number of devices.
void choose_device_of_place(int place);

/// `wanted` is auto, cuda or cpu; `cpu_only` says what of the experiment only the CPU can do, as
/// "policy x orders requests beforehand"; empty: nothing. Throws InputError where cuda is wanted
/// and there is none, or something that it cannot do.
Backend choose_backend(std::string const& wanted, std::string const& cpu_only = {},
                       Model model = Model::rounds);

} // namespace crx
