#include "cli/steps/run_inputs.h"

#include <utility>

namespace assay::cli {

base::Expected<std::map<std::string, Dimensions>> shapes_of_inputs(const ModelOptions& model,
                                                                   const DataLoaderOptions& loader) {
  return loader.custom() ? model.input_shapes() : model.generated_shapes();
}

base::Expected<std::unique_ptr<data::InputSource>> open_inputs(const ModelOptions& model,
                                                               const DataLoaderOptions& loader, Context& context) {
  ASSAY_ASSIGN(const auto shapes, shapes_of_inputs(model, loader));
  return loader.source(shapes, context, context.log);
}

std::vector<OptionPath> files_read(const ModelOptions& model, const DataLoaderOptions& loader,
                                   std::vector<OptionPath> others) {
  std::vector<OptionPath> files = std::move(others);
  files.insert(files.begin(), OptionPath{"the model", model.file()});
  for (const std::string& path : loader.load_paths()) files.push_back({"--load-inputs", path});
  return files;
}

}  // namespace assay::cli
