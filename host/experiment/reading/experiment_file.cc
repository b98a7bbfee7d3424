#include "host/experiment/reading/experiment_file.hh"

#include "host/error.hh"
#include "host/input/line_reader.hh"
#include "host/store/file/database_file.hh"

namespace crx {

std::string read_experiment_file(std::filesystem::path const& file)
{
    refuse_database_as_experiment(file);
    LineReader lines(file);
    std::string text;
    for (std::string_view line; lines.next(line);) {
        text += line;
        text += '\n';
        if (text.size() > 16 * 1024 * 1024)
            throw InputError(file.string() + ": longer than 16 MiB, which no experiment is");
    }
    return text;
}

} // namespace crx
