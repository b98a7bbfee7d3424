#include "host/sweep/backend/processor_text.hh"

#include "kernels/base/counted.hh"

#include <fstream>

namespace crx {

std::string processor_text(int threads)
{
    std::string name = "processor";
    std::ifstream in("/proc/cpuinfo");
    for (std::string line; std::getline(in, line);)
        if (line.starts_with("model name"))
            if (auto const at = line.find(": "); at != std::string::npos) {
                name = line.substr(at + 2);
                break;
            }
    return name + ", " + counted(threads, "thread");
}

} // namespace crx
