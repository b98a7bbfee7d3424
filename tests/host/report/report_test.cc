#include "host/report/html.hh"
#include "tests/host/report/report_stores.hh"

/// Pages that `crx report` writes, as text.
namespace crx_test {
namespace {

using crx::report::escaped;
using Report = ReportStores;

std::size_t count(std::string const& text, std::string const& part)
{
    std::size_t found = 0;
    for (auto at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++found;
    return found;
}

/// What is before the page's scripts.
std::string page_text(std::string const& html) { return html.substr(0, html.find("\n<script>")); }

/// A command ends by naming its page, after a note where the program was built without Vega.
void expect_written(std::string const& said, std::string const& page)
{
    auto const note = said.substr(0, said.size() - std::min(said.size(), page.size()));
    EXPECT_TRUE(said.ends_with(page)) << said;
    EXPECT_TRUE(note.empty() || note.find("without interactive charts") != std::string::npos)
        << said;
}

TEST_F(Report, HasEverySectionOfBothModels)
{
    expect_written(run("report rounds.db"), "rounds.html\n");
    auto const rounds = page("rounds.html");
    for (auto const* part : {"-panels\"", "-policies\"", "-worst\"", "-bounds\"", "-claims\"",
                             "-provenance\"", "<th scope=\"row\">C-3.3</th>", "over H-SF", "seed",
                             "time spent", "[workload.output]", "crx replay rounds.db --cell "})
        EXPECT_NE(rounds.find(part), std::string::npos) << part;
    EXPECT_EQ(count(rounds, "<figure class=\"panel\""), 2u);
    EXPECT_EQ(count(rounds, "<figure class=\"timeline\""), 3u);
    EXPECT_EQ(count(rounds, "<img alt="), 5u);

    expect_written(run("report paths.db -o p.html --worst 1"), "p.html\n");
    auto const paths = page("p.html");
    for (auto const* part : {"-panels\"", "-policies\"", "-worst\"", "-bounds\"", "-provenance\"",
                             "throughput (tokens/s)", "crx replay paths.db --cell 0 --instance "})
        EXPECT_NE(paths.find(part), std::string::npos) << part;
    EXPECT_EQ(count(paths, "<figure class=\"timeline\""), 1u);
}

// Theorem 3.3 bounds a-max in every cell: by 55 at alpha = 0.1, by 3 at alpha = 0.5, where it comes
// nearer, and by 1 at alpha = 1, where no schedule does better.
TEST_F(Report, SaysWhichPointComesNearestToABound)
{
    run("report rounds.db");
    auto const html = page("rounds.html");
    auto const at = html.find("comes nearest to a bound");
    ASSERT_NE(at, std::string::npos);
    auto const rows = html.substr(at, html.find("</table>", at) - at);
    EXPECT_EQ(count(rows, "<tr>"), 2u) << rows; // the head, and the only bound
    for (auto const* part : {"<td data-sort=\"1\">1: alpha=0.5</td>", "<td data-sort=\"3\">3</td>",
                             "&nbsp;% below</td>", "crx replay rounds.db --cell 1 --instance "})
        EXPECT_NE(rows.find(part), std::string::npos) << part << " in " << rows;
}

TEST_F(Report, EscapesHostileTexts)
{
    run("report rounds.db");
    auto const html = page("rounds.html");
    EXPECT_NE(html.find("<h1>" + escaped(hostile_title) + "</h1>"), std::string::npos);
    EXPECT_EQ(html.find("<img src=x"), std::string::npos);
    EXPECT_EQ(html.find("<script>alert"), std::string::npos);
    // Scripts are those of the page, and each is ended once.
    EXPECT_EQ(count(html, "<script"), count(html, "</script>"));
}

TEST_F(Report, NeedsNothingBesideIt)
{
    run("report rounds.db paths.db -o both.html --title Both");
    auto const html = page("both.html");
    EXPECT_LT(html.size(), 2'000'000u);
    EXPECT_NE(html.find("<title>Both</title>"), std::string::npos);
    EXPECT_NE(html.find("store-2-panel-1"), std::string::npos);
    // Nothing is loaded: there is no source but data in the page. (The libraries hold the texts
    // too.)
    for (auto const* element : {"<link", "<iframe", "<script src", "@import", "<source", "<object"})
        EXPECT_EQ(page_text(html).find(element), std::string::npos) << element;
    EXPECT_EQ(count(page_text(html), "<img "), count(html, " src=\"data:image/svg+xml;base64,"));
    EXPECT_NE(html.find("default-src 'none'"), std::string::npos);
}

TEST_F(Report, GivesTheSameBytesAgain)
{
    run("report rounds.db -o a.html --worst 0");
    run("report rounds.db -o b.html --worst 0");
    EXPECT_EQ(page("a.html"), page("b.html"));
}

TEST_F(Report, GoesWithoutGnuplotAndSaysSo)
{
    auto const ending = run_command("cd " + folder.path().string() + " && PATH= " + CRX_PROGRAM +
                                    " report rounds.db 2>&1");
    EXPECT_EQ(ending.status, 0);
    EXPECT_NE(ending.text.find("rounds.html: figures for print are missing: gnuplot was not found"),
              std::string::npos)
        << ending.text;
    EXPECT_EQ(count(page("rounds.html"), "<figure class=\"panel\""), 2u);
}

TEST_F(Report, RefusesWhatItCannotDo)
{
    EXPECT_NE(run("report missing.db", 2).find("missing.db"), std::string::npos);
    EXPECT_NE(run("report rounds.db -o rounds.db", 2).find("-o"), std::string::npos);
    EXPECT_NE(run("report rounds.db -o x.toml", 2).find("must be a name that ends in .html"),
              std::string::npos);
    EXPECT_NE(run("report rounds.db -o no/where.html", 2).find("no/where.html"), std::string::npos);
    EXPECT_NE(run("report rounds.db --worst -1", 2).find("whole number"), std::string::npos);
    EXPECT_NE(run("report", 2).find("DB"), std::string::npos);
}

} // namespace
} // namespace crx_test
