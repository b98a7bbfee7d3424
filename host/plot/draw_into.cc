#include "host/plot/draw_into.hh"

#include "host/output_file.hh"
#include "kernels/base/host_device.cuh"

namespace crx {

void draw_into(plot::Figure const& figure, std::filesystem::path const& file)
{
    auto const format = plot::picture_format(file);
    CRX_EXPECT(format.has_value());
    draw_into(figure, file, *format);
}

void draw_into(plot::Figure const& figure, std::filesystem::path const& file,
               plot::PictureFormat format)
{
    auto const bytes = [&] {
        try {
            return plot::picture(figure, format);
        } catch (plot::PlotError const& error) {
            throw plot::PlotError(file.string() + ": " + error.what());
        }
    }();
    write_file(file, bytes);
}

} // namespace crx
