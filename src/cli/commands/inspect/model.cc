// `assay inspect model`: shows a model's inputs, outputs, nodes and weights, the network that TensorRT makes of it, or
// the layers of a TensorRT engine.
#include <fmt/format.h>
#include <fmt/ostream.h>

#include <algorithm>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "backend/engine_table.h"
#include "base/counted.h"
#include "cli/commands/inspect/model/show_engine_info.h"
#include "cli/commands/make_commands.h"
#include "cli/context/command.h"
#include "cli/options/engine_options.h"
#include "cli/options/format_option.h"
#include "cli/options/model_options.h"
#include "cli/options/refused_options.h"
#include "cli/options/report_option.h"
#include "cli/options/validators.h"
#include "cli/steps/tensorrt_network.h"
#include "cli/terminal/open_in_browser.h"
#include "inspect/engine_values.h"
#include "inspect/model_description.h"
#include "inspect/model_json.h"
#include "inspect/model_text.h"
#include "inspect/serve_page.h"
#include "pages/model_page.h"
#include "run/marked_source.h"

namespace assay::cli {
namespace {

class InspectModel final : public Command {
 public:
  void add_options(CLI::App& app) override;
  base::Expected<int> run(Context& context) override;
  [[nodiscard]] bool prints_data() const override { return format_.json(); }

 private:
  // Errors: invalid_input if an option only changes the text or JSON, which --visual doesn't print.
  [[nodiscard]] base::Status check_visual() const;
  // For --visual: serves the page until Ctrl-C. If --report is given, writes it instead, as Polygraphy does.
  base::Expected<int> show(report::Page page, Context& context) const;

  base::Expected<tensorrt::EngineInfo> engine_info(const inspect::DescribeOptions& options, Context& context) const;
  // Returns the network that TensorRT makes of the model.
  base::Expected<model::Model> network(bool weights, Context& context) const;

  const CLI::App* app_ = nullptr;
  ModelOptions model_;
  EngineOptions tensorrt_{*backend::find_engine_row("tensorrt")};
  RefusedOptions refused_;
  std::vector<std::string> show_;
  std::string display_as_;
  std::string tensor_info_;
  FormatOption format_;
  bool list_unbounded_ = false;
  bool visual_ = false;
  int visual_port_ = 8000;
  ReportOption report_{"inspect model"};
};

}  // namespace

void InspectModel::add_options(CLI::App& app) {
  app_ = &app;
  model_.add_to(app, {.engine_info = true, .inference = ModelOptions::Inference::opt_in, .float16 = true});
  app.add_option(
         "--show", show_,
         "Also show layers (the nodes, or an engine's layers), attrs (their attributes; needs layers) or weights "
         "(values of initializers)")
      ->expected(1, -1)
      ->check(CLI::IsMember({"layers", "attrs", "weights"}));
  app.add_option("--display-as,--convert-to", display_as_,
                 "trt: show the network that TensorRT's parser makes of the model, before it builds an engine")
      ->check(CLI::IsMember({"trt"}));
  app.add_option(
         "--combine-tensor-info", tensor_info_,
         "With --show layers of an engine, also show the range and the mean of its tensors, from outputs saved by "
         "`assay run --trt --mark-unfused-tensors-as-debug-tensors`")
      ->option_text("FILE");
  format_.add_to(app);
  app.add_flag("--list-unbounded-dds", list_unbounded_,
               "List tensors that decide the size of another tensor and have no bound. The model needs shapes "
               "(--shape-inference); fold constants first for better results");
  constexpr auto kVisual = "Visualization";
  app.add_flag("--visual", visual_,
               "Show the report in the browser instead of text: a page with the graph, served on this machine until "
               "Ctrl-C. With --report, the page is only written to that file")
      ->group(kVisual);
  app.add_option("--visual-port", visual_port_, "Serve the page of --visual at this port; 0 chooses a free one")
      ->option_text("PORT")
      ->check(between(0, 65535))
      ->capture_default_str()
      ->group(kVisual);
  report_.add_to(app, "--report,--save-visual");
  tensorrt_.add_to(app);
  tensorrt_.add_tensorrt_to(app,
                            {tensorrt::parser_settings(), tensorrt::network_settings(), tensorrt::plugin_settings()});
  refused_.add_engines_to(app);
}

base::Status InspectModel::check_visual() const {
  if (!visual_) return {};
  for (const auto& [given, option] : {std::pair(!show_.empty(), "--show"),
                                      {list_unbounded_, "--list-unbounded-dds"},
                                      {format_.json(), "--format json"}}) {
    if (!given) continue;
    return base::fail(base::ErrorKind::invalid_input, "the page of --visual doesn't depend on this option", option,
                      "Leave it out, or use --report to write the page besides the output");
  }
  return {};
}

base::Expected<int> InspectModel::run(Context& context) {
  ASSAY_TRY(refused_.check());
  const auto shows = [&](std::string_view part) { return std::ranges::find(show_, part) != show_.end(); };
  if (shows("attrs") && !shows("layers")) context.log.warning("--show attrs has no effect without --show layers");
  const inspect::DescribeOptions options{shows("layers"), shows("attrs"), shows("weights"), list_unbounded_};
  if (model_.is_engine_info() || model_.is_engine()) {
    ASSAY_ASSIGN(const tensorrt::EngineInfo engine, engine_info(options, context));
    show_engine_info(engine, options, format_.json(), context);
    return kExitPassed;
  }
  if (!tensor_info_.empty()) {
    return base::fail(base::ErrorKind::invalid_input, "this is for the layers of an engine, and the model isn't one",
                      "--combine-tensor-info", "Leave it out, or give the engine");
  }
  ASSAY_TRY(check_visual());
  const bool as_network = !display_as_.empty() || model_.is_network_script();
  if (!as_network) ASSAY_TRY(tensorrt_.check_unused());
  ASSAY_TRY(report_.check({}, {{"the model", model_.file()}}));
  ASSAY_ASSIGN(const model::Model model, as_network ? network(options.weights, context) : model_.load(context.log));
  if (visual_ || report_.given()) {
    ASSAY_ASSIGN(report::Page page, pages::model_page(model));
    if (visual_) return show(std::move(page), context);
    ASSAY_TRY(report_.write(std::move(page), model_.file(), {}, context));
  }
  ASSAY_ASSIGN(const inspect::ModelDescription description, inspect::describe(model, options));
  if (description.unknown_sizes > 0) {
    context.log.warning("The list may lack {}, because not all shapes are known. Add --shape-inference",
                        base::counted(description.unknown_sizes, "tensor"));
  }
  if (format_.json()) {
    fmt::print(context.out, "{}\n", inspect::to_json(description, options));
  } else if (context.log.shows(base::Level::info)) {
    log_text(context.log, inspect::to_text(description, options));
    if (list_unbounded_) log_text(context.log, inspect::unbounded_text(description));
  }
  return kExitPassed;
}

base::Expected<tensorrt::EngineInfo> InspectModel::engine_info(const inspect::DescribeOptions& options,
                                                               Context& context) const {
  ASSAY_TRY(check_engine_options(options, model_.is_engine(), *app_));
  if (!tensor_info_.empty() && !options.layers) {
    return base::fail(base::ErrorKind::invalid_input, "this adds to the tensors of layers, which aren't shown",
                      "--combine-tensor-info", "Add --show layers");
  }
  tensorrt::EngineInfo engine;
  if (model_.is_engine_info()) {
    ASSAY_ASSIGN(engine, tensorrt::load_engine_info(model_.file()));
  } else {
    ASSAY_ASSIGN(const worker::ModelSource file, model_.source());  // first: a missing file needs no TensorRT
    ASSAY_ASSIGN(const auto engines, tensorrt_.setups(context.installation));
    ASSAY_ASSIGN(engine, ask_inspector(file, engines.front(), context));
  }
  if (!tensor_info_.empty()) ASSAY_TRY(inspect::add_values(engine, tensor_info_, context.log));
  return engine;
}

base::Expected<model::Model> InspectModel::network(bool weights, Context& context) const {
  if (list_unbounded_) {
    return base::fail(base::ErrorKind::unsupported, "this is for ONNX models, not for networks of TensorRT",
                      "--list-unbounded-dds", "Leave it out, or leave --display-as out");
  }
  ASSAY_TRY(model_.check_runnable(ModelOptions::Takes::scripts));
  if (model_.is_network_script()) {
    ASSAY_ASSIGN(const worker::ModelSource script, model_.source());
    return load_network(tensorrt_, model_, script, weights, context);
  }
  ASSAY_ASSIGN(const model::Model model, model_.load(context.log));
  ASSAY_ASSIGN(const worker::ModelSource source, run::unmarked_source(model));
  return load_network(tensorrt_, model_, source, weights, context);
}

base::Expected<int> InspectModel::show(report::Page page, Context& context) const {
  if (report_.given()) {
    ASSAY_TRY(report_.write(std::move(page), model_.file(), {}, context));
    return kExitPassed;
  }
  report_.complete(page, model_.file(), {}, context);
  ASSAY_TRY(inspect::serve_page(report::to_html(page), visual_port_, context.stop, [&](int port) {
    const std::string address = fmt::format("http://127.0.0.1:{}/", port);
    context.log.info("The model is shown at {} until you press Ctrl-C", address);
    if (context.installation.has_display) open_in_browser(address);
  }));
  return kExitPassed;
}

std::unique_ptr<Command> make_inspect_model() {
  return std::make_unique<InspectModel>();
}

}  // namespace assay::cli
