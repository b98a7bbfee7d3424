#include "analysis/hardness/reductions.hh"
#include "host/commands/command_line.hh"
#include "host/commands/commands.hh"
#include "host/error.hh"
#include "host/output_file.hh"
#include "host/simulate/run_report.hh"

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace crx {
namespace {

struct ReductionOptions
{
    std::string problem, file;
    std::vector<std::int64_t> numbers;
    bool json = false;
};

void run(ReductionOptions const& given)
{
    check_outputs({{"-o", given.file}}, {});
    bool const triples = given.problem == "3-partition";
    auto const fault =
        triples ? three_partition_fault(given.numbers) : partition_fault(given.numbers);
    if (!fault.empty())
        throw ConfigError("command line", "--numbers",
                          fmt::format("{}", fmt::join(given.numbers, ",")), fault);
    auto const made =
        triples ? reduce_three_partition(given.numbers) : reduce_partition(given.numbers);
    write_file(given.file, instance_as_csv(made.instance));
    auto const* const measure = triples ? "total latency" : "makespan";
    if (given.json) {
        nlohmann::ordered_json const object{{"problem", given.problem},
                                            {"file", given.file},
                                            {"requests", given.numbers.size()},
                                            {"memory", made.instance.memory},
                                            {"measure", measure},
                                            {"threshold", made.threshold}};
        write_stdout(object.dump(1) + "\n");
        return;
    }
    auto text = fmt::format(
        "made {}: {} requests, M = {}\nyes exactly if some schedule has {} {}\n", given.file,
        given.numbers.size(), made.instance.memory, measure, made.threshold);
    if (triples)
        text += fmt::format("next: crx baseline --instance {} --memory {}\n", given.file,
                            made.instance.memory);
    write_stdout(text);
}

} // namespace

void add_reduction_command(CLI::App& app)
{
    Command const command(
        app, "reduction",
        "Write 3-Partition or Partition as an instance (WANG Theorems 2 and EC.2)");
    command->footer("Example: crx reduction 3-partition --numbers 8,9,10,8,8,11 --output yes.csv");
    auto const given = std::make_shared<ReductionOptions>();
    command->add_option("PROBLEM", given->problem, "3-partition or partition")
        ->required()
        ->one_of({"3-partition", "partition"});
    command->add_option("--numbers", given->numbers, "The numbers, parted by commas")
        ->required()
        ->delimiter(',')
        ->check(whole_number<std::int64_t>(1, 1'000'000'000));
    command->add_option("-o,--output", given->file, "Instance file to write")->required();
    command->add_flag("--json", given->json, "JSON");
    command->callback([given] { run(*given); });
}

} // namespace crx
