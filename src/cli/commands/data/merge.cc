#include "cli/commands/data/merge.h"

#include "data/merge_data.h"

namespace assay::cli {

void DataMerge::add_options(CLI::App& app) {
  app.add_option(
         "paths", paths_,
         "Files or folders of inputs (--save-inputs) or outputs (--save-outputs), and .npz archives. If several files "
         "have an array of the same name, the last one wins")
      ->option_text("FILE")
      ->required();
  app.add_option("-o,--output", output_,
                 "Write the inputs to this file: its iteration i holds all arrays of iteration i")
      ->option_text("FILE")
      ->required();
}

base::Expected<int> DataMerge::run(Context& context) {
  ASSAY_ASSIGN(const auto iterations, data::merge_data(paths_, context.log));
  ASSAY_TRY(data::save_data(output_, iterations));
  context.log.info("Saved inputs of {} iteration(s) to {}", iterations.size(), output_.string());
  return kExitPassed;
}

}  // namespace assay::cli
