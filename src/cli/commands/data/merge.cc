// `assay data merge`: merges files of inputs or outputs, iteration by iteration, into one file of inputs.
#include <filesystem>
#include <iterator>
#include <memory>
#include <vector>

#include "base/counted.h"
#include "cli/commands/make_commands.h"
#include "cli/context/command.h"
#include "cli/options/check_paths.h"
#include "cli/options/output_file.h"
#include "data/merge_data.h"

namespace assay::cli {
namespace {

class DataMerge final : public Command {
 public:
  void add_options(CLI::App& app) override;
  base::Expected<int> run(Context& context) override;

 private:
  std::vector<std::filesystem::path> paths_;
  std::filesystem::path output_;
};

}  // namespace

void DataMerge::add_options(CLI::App& app) {
  app.add_option(
         "paths", paths_,
         "Files or folders of inputs (--save-inputs) or outputs (--save-outputs), and .npz archives. If several files "
         "have an array of the same name, the last one wins")
      ->option_text("FILE")
      ->required();
  add_output(app, output_, "Write the inputs to this file: its iteration i holds all arrays of iteration i")
      ->required();
}

base::Expected<int> DataMerge::run(Context& context) {
  ASSAY_TRY(check_writable(output_.string(), "-o"));
  ASSAY_ASSIGN(const auto iterations, data::merge_data(paths_, context.log));
  ASSAY_TRY(data::save_data(output_, iterations));
  context.log.info("Saved inputs of {} to {}", base::counted(std::ssize(iterations), "iteration"), output_.string());
  return kExitPassed;
}

std::unique_ptr<Command> make_data_merge() {
  return std::make_unique<DataMerge>();
}

}  // namespace assay::cli
