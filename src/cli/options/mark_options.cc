#include "cli/options/mark_options.h"

namespace assay::cli {

void MarkOptions::add_to(CLI::App& app, const std::string& prefix) {
  constexpr auto kGroup = "ONNX Model Loading";
  app.add_option("--" + prefix + "outputs", options_.outputs,
                 "Tensors that become the outputs: names, or patterns such as 'conv_*'; '*' for all")
      ->expected(1, -1)
      ->group(kGroup);
  app.add_option("--" + prefix + "exclude-outputs", options_.exclude, "Outputs that are taken away: names or patterns")
      ->expected(1, -1)
      ->group(kGroup);
  app.add_option("--" + prefix + "outputs-by-type", options_.op_types,
                 "All that nodes of these types make becomes an output, e.g. Conv Add")
      ->expected(1, -1)
      ->group(kGroup);
}

edit::MarkOptions MarkOptions::options() const {
  edit::MarkOptions options = options_;
  if (options.outputs == std::vector<std::string>{"mark", "all"}) options.outputs = {"*"};
  return options;
}

}  // namespace assay::cli
