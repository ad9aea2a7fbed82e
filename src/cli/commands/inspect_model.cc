#include "cli/commands/inspect_model.h"

#include <fmt/ostream.h>

#include <algorithm>
#include <array>

#include "base/files.h"
#include "inspect/model_description.h"
#include "inspect/model_json.h"
#include "inspect/model_page.h"
#include "inspect/model_text.h"
#include "inspect/serve_page.h"

namespace assay::cli {
namespace {

constexpr std::string_view kTensorRt = "needs TensorRT, and this build has no TensorRT worker";

constexpr std::array kRefused = {
    RefusedOption{"--convert-to,--display-as", true, kTensorRt},
    RefusedOption{"--combine-tensor-info", true, kTensorRt},
};

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
  format_.add_to(app);
  app.add_flag("--list-unbounded-dds", list_unbounded_,
               "List tensors that decide the size of another tensor and have no bound. The model needs shapes "
               "(--shape-inference); fold constants first for better results");
  constexpr auto kVisual = "Visualization";
  app.add_flag("--visual", visual_,
               "Show the graph as a web page, served on this machine until Ctrl-C, instead of text")
      ->group(kVisual);
  app.add_option("--visual-port", visual_port_, "Serve that page at this port; 0 takes a free one")
      ->check(CLI::Range(0, 65535))
      ->capture_default_str()
      ->group(kVisual);
  app.add_option("--save-visual", save_visual_, "Save that page to this file instead of serving it")->group(kVisual);
  refused_.add_to(app, kRefused);
  refused_.add_to(app, tensorrt_options());
  refused_.add_to(app, tensorrt_engine_options());
  refused_.add_to(app, tensorrt_plugin_options());
  refused_.add_to(app, tensorflow_options());
}

base::Expected<int> InspectModel::run(Context& context) {
  ASSAY_TRY(refused_.check());
  ASSAY_ASSIGN(const model::Model model, model_.load(context.log));
  if (visual_ || !save_visual_.empty()) return show_page(model, context);
  const auto shows = [&](std::string_view part) { return std::ranges::find(show_, part) != show_.end(); };
  const inspect::DescribeOptions options{shows("layers"), shows("attrs"), shows("weights"), list_unbounded_};
  ASSAY_ASSIGN(const inspect::ModelDescription description, inspect::describe(model, options));
  if (format_.json()) {
    fmt::print(context.out, "{}\n", inspect::to_json(description, options));
  } else if (context.log.shows(base::Level::info)) {
    log_text(context.log, inspect::to_text(description, options));
    if (list_unbounded_) log_text(context.log, inspect::unbounded_text(description));
  }
  return kExitPassed;
}

base::Expected<int> InspectModel::show_page(const model::Model& model, Context& context) const {
  constexpr inspect::DescribeOptions kOptions{.layers = true, .attributes = true};
  ASSAY_ASSIGN(const inspect::ModelDescription description, inspect::describe(model, kOptions));
  const std::string page = inspect::to_page(description, kOptions);
  if (!save_visual_.empty()) {
    ASSAY_TRY(base::write_file(save_visual_, page));
    context.log.info("Saved the page to {}", save_visual_);
    return kExitPassed;
  }
  ASSAY_TRY(inspect::serve_page(page, visual_port_, context.stop, [&](int port) {
    context.log.info("The model is shown at http://127.0.0.1:{}/ until you press Ctrl-C", port);
  }));
  return kExitPassed;
}

}  // namespace assay::cli
