#include "cli/commands/data_merge.h"

#include "data/merge_data.h"

namespace assay::cli {

void DataMerge::add_options(CLI::App& app) {
  app.add_option("paths", paths_,
                 "Files or folders of inputs (--save-inputs) or outputs (--save-outputs), and .npz archives. Where a "
                 "name comes again, the later array stays")
      ->required();
  app.add_option("-o,--output", output_, "File of inputs to write: iteration i holds all arrays of iteration i")
      ->required();
}

base::Expected<int> DataMerge::run(Context& context) {
  ASSAY_ASSIGN(const auto iterations, data::merge_data(paths_, context.log));
  ASSAY_TRY(data::save_data(output_, iterations));
  context.log.info("Saved inputs of {} iteration(s) to {}", iterations.size(), output_.string());
  return kExitPassed;
}

}  // namespace assay::cli
