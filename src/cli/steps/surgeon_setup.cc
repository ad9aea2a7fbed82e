#include "cli/steps/surgeon_setup.h"

#include <optional>
#include <string>
#include <utility>

#include "data/fit_inputs.h"

namespace assay::cli {

surgeon::Engine surgeon_engine(const ToolEngineOptions& options, Context& context) {
  return {context.pool, [&options, &context] { return options.spec(context.installation); }, options.limits()};
}

surgeon::MakeFeeds first_inputs(const DataLoaderOptions& loader, std::map<std::string, Dimensions> shapes,
                                std::string_view shapes_option, Context& context) {
  return [&loader, shapes = std::move(shapes), option = std::string(shapes_option),
          &context](std::span<const tensor::TensorSpec> ports) -> base::Expected<tensor::NamedTensors> {
    ASSAY_ASSIGN(const auto source, loader.source(shapes, context, context.log, option));
    ASSAY_ASSIGN(const std::optional<tensor::NamedTensors> inputs, source->iteration(0, ports));
    if (!inputs) {
      return base::fail(base::ErrorKind::invalid_input, "the files hold no inputs to run the model with",
                        "--load-inputs", "Give inputs for at least one iteration, or leave the option out");
    }
    return data::fit_inputs(*inputs, ports, context.log);
  };
}

}  // namespace assay::cli
