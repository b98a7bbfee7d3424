#include "support/temporary_folder.hh"
#include "tests/host/run_program.hh"

#include <fstream>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

/// What pictures are made from is what it was: the document of a shipped experiment, its numbers to
/// nine digits, every 50th place of a curve. Beside tests/host/results/panel_document.json a
/// difference writes NAME.new: look at it and move it in place.
namespace crx {
namespace {

using Json = nlohmann::ordered_json;

Json shortened(Json const& value)
{
    if (value.is_number_float()) {
        char text[32];
        std::snprintf(text, sizeof text, "%.9g", value.get<double>());
        return std::stod(text);
    }
    if (!value.is_structured()) return value;
    Json out = value.is_array() ? Json::array() : Json::object();
    if (value.is_array())
        for (auto const& one : value) out.push_back(shortened(one));
    else
        for (auto const& [key, one] : value.items()) {
            out[key] = shortened(one);
            if (key != "points" && key != "drawn") continue;
            if (!one.is_array() || one.empty() || !one[0].is_array()) continue;
            out[key] = Json::array();
            for (std::size_t i = 0; i < one.size(); i += 50) out[key].push_back(shortened(one[i]));
        }
    return out;
}

TEST(PanelDocument, IsWhatItWas)
{
    crx_test::TemporaryFolder const folder;
    auto const run = [&](std::string const& arguments, bool errors = true) {
        auto const ending = crx_test::run_program(arguments, folder.path(), errors);
        EXPECT_EQ(ending.status, 0) << ending.text;
        return ending.text;
    };
    run("sweep " CRX_SOURCE_DIR "/experiments/chen/chen_two_point_alpha.toml --backend cpu "
        "--db x.db --set stop.instances=2 --set sweep.1.set.variables.load=3 "
        "--set sweep.0.set.variables.load=2 --set sweep.0.refine.rounds=0");
    auto document = Json::parse(run("panels x.db --json --report", false));
    auto& provenance = document["provenance"];
    EXPECT_EQ(provenance["overrides"].size(), 4u);
    EXPECT_EQ(provenance["runs"].size(), 1u);
    for (char const* key : {"folder", "runs", "program", "identity", "text"})
        provenance.erase(key); // of this machine, or the file itself
    auto const text = shortened(document).dump(1) + "\n";
    std::filesystem::path const file = CRX_SOURCE_DIR "/tests/host/results/panel_document.json";
    std::ifstream in(file);
    std::string const known{std::istreambuf_iterator<char>(in), {}};
    if (text == known) return;
    std::ofstream(file.string() + ".new") << text;
    ADD_FAILURE() << "another document than " << file << " holds: look at " << file << ".new";
}

} // namespace
} // namespace crx
