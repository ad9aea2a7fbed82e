// `assay data concat`: concatenates the iterations of files of inputs, or of outputs.
#include <filesystem>
#include <iterator>
#include <memory>
#include <variant>
#include <vector>

#include "base/counted.h"
#include "cli/commands/make_commands.h"
#include "cli/context/command.h"
#include "cli/options/check_paths.h"
#include "cli/options/output_file.h"
#include "data/merge_data.h"

namespace assay::cli {
namespace {

class DataConcat final : public Command {
 public:
  void add_options(CLI::App& app) override;
  base::Expected<int> run(Context& context) override;

 private:
  std::vector<std::filesystem::path> paths_;
  std::filesystem::path output_;
};

}  // namespace

void DataConcat::add_options(CLI::App& app) {
  app.add_option("paths", paths_,
                 "Files or folders, all of inputs (--save-inputs, .npz) or all of outputs (--save-outputs)")
      ->option_text("FILE")
      ->required();
  add_output(app, output_, "Write the iterations of all files, one after another, to this file")->required();
}

base::Expected<int> DataConcat::run(Context& context) {
  ASSAY_TRY(check_writable(output_.string(), "-o"));
  ASSAY_ASSIGN(const auto all, data::concat_data(paths_, context.log));
  ASSAY_TRY(data::save_data(output_, all));
  if (const auto* inputs = std::get_if<std::vector<tensor::NamedTensors>>(&all)) {
    context.log.info("Saved inputs of {} to {}", base::counted(std::ssize(*inputs), "iteration"), output_.string());
  }
  if (const auto* results = std::get_if<data::RunResults>(&all)) {
    for (const data::RunnerResults& runner : results->runners) {
      context.log.info("Saved outputs of {}: {}, to {}", runner.runner,
                       base::counted(std::ssize(runner.iterations), "iteration"), output_.string());
    }
  }
  return kExitPassed;
}

std::unique_ptr<Command> make_data_concat() {
  return std::make_unique<DataConcat>();
}

}  // namespace assay::cli
