#include "analysis/plot/scratch_folder.hh"

#include "analysis/plot/picture_file.hh"

#include <algorithm>
#include <cstdlib>
#include <cstring>

namespace crx::plot {

ScratchFolder::ScratchFolder(std::filesystem::path const& parent)
{
    std::string name = (parent / ".crx-plot-XXXXXX").string();
    bool const plain = std::none_of(name.begin(), name.end(), [](char c) {
        return static_cast<unsigned char>(c) < 32 || c == 127;
    });
    if (!plain) throw PlotError("the folder's name has a control character, which gnuplot refuses");
    if (mkdtemp(name.data()) == nullptr)
        throw PlotError(parent.string() + ": cannot write there: " + std::strerror(errno));
    path_ = name;
}

ScratchFolder::~ScratchFolder()
{
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
}

} // namespace crx::plot
