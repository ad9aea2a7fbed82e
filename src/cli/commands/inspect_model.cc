#include "cli/commands/inspect_model.h"

#include <fmt/ostream.h>

#include <algorithm>
#include <array>

#include "cli/console_log.h"
#include "inspect/model_description.h"
#include "inspect/model_json.h"
#include "inspect/model_text.h"
#include "model/unbounded_sizes.h"

namespace assay::cli {
namespace {

constexpr std::string_view kTensorRt = "needs TensorRT, and this build has no TensorRT worker";
constexpr std::string_view kNoPages = "needs a viewer, which this version doesn't have";

constexpr std::array kRefused = {
    RefusedOption{"--convert-to,--display-as", true, kTensorRt},
    RefusedOption{"--combine-tensor-info", true, kTensorRt},
    RefusedOption{"--visual", false, kNoPages},
    RefusedOption{"--visual-port", true, kNoPages},
    RefusedOption{"--save-visual", true, kNoPages},
};

void report_unbounded(const model::Model& model, Context& context) {
  const model::GraphView view(model.graph());
  const std::vector<model::UnboundedSize> found = model::find_unbounded_sizes(view);
  std::string text = fmt::format("Tensors that decide a size and have no bound: {}", found.size());
  for (const model::UnboundedSize& size : found) {
    text += fmt::format("\n{} decides the output of {}", size.tensor,
                        model::describe_node(view.node(size.node), size.node));
  }
  context.log.info("{}", as_message(text));
}

}  // namespace

void InspectModel::add_options(CLI::App& app) {
  ModelOptions::Parts parts;
  parts.inference = ModelOptions::Parts::Inference::opt_in;
  model_.add_to(app, parts);
  app.add_option("--show", show_,
                 "Also show layers (the nodes), attrs (attributes of the nodes; needs layers) or weights (values of "
                 "initializers)")
      ->expected(1, -1)
      ->check(CLI::IsMember({"layers", "attrs", "weights"}));
  app.add_option("--format", format_,
                 "Choose the output: text, or json for programs (the log then goes to standard error)")
      ->check(CLI::IsMember({"text", "json"}))
      ->capture_default_str();
  app.add_flag("--list-unbounded-dds", list_unbounded_,
               "List tensors that decide the size of another tensor and have no bound. The model needs shapes "
               "(--shape-inference); fold constants first for better results");
  refused_.add_to(app, kRefused);
  refused_.add_to(app, tensorrt_options());
  refused_.add_to(app, tensorrt_engine_options());
  refused_.add_to(app, tensorrt_plugin_options());
  refused_.add_to(app, tensorflow_options());
}

base::Expected<int> InspectModel::run(Context& context) {
  ASSAY_TRY(refused_.check());
  ASSAY_ASSIGN(const model::Model model, model_.load(context.log));
  const auto shows = [&](std::string_view part) { return std::ranges::find(show_, part) != show_.end(); };
  const inspect::DescribeOptions options{shows("layers"), shows("attrs"), shows("weights")};
  ASSAY_ASSIGN(const inspect::ModelDescription description, inspect::describe(model, options));
  if (format_ == "json") {
    fmt::print(context.out, "{}\n", inspect::to_json(description, options));
  } else if (context.log.shows(base::Level::info)) {
    context.log.info("{}", as_message(inspect::to_text(description, options)));
  }
  if (list_unbounded_) report_unbounded(model, context);
  return kExitPassed;
}

}  // namespace assay::cli
