#include "cli/shapes_of_inputs.h"

namespace assay::cli {

base::Expected<std::map<std::string, Dimensions>> shapes_of_inputs(const ModelOptions& model,
                                                                   const DataLoaderOptions& loader) {
  return loader.custom() ? model.input_shapes() : model.generated_shapes();
}

}  // namespace assay::cli
