// `assay inspect model`: shows a model's inputs, outputs, nodes and weights, or the layers of a TensorRT engine.
#include <fmt/format.h>
#include <fmt/ostream.h>

#include <algorithm>
#include <array>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "backend/engine_table.h"
#include "cli/command.h"
#include "cli/commands/inspect/show_engine_info.h"
#include "cli/commands/make_commands.h"
#include "cli/options/engine_options.h"
#include "cli/options/format_option.h"
#include "cli/options/model_options.h"
#include "cli/options/refused_options.h"
#include "cli/options/report_option.h"
#include "cli/options/validators.h"
#include "cli/terminal/open_in_browser.h"
#include "inspect/model_description.h"
#include "inspect/model_json.h"
#include "inspect/model_text.h"
#include "inspect/serve_page.h"
#include "pages/model_page.h"

namespace assay::cli {
namespace {

class InspectModel final : public Command {
 public:
  void add_options(CLI::App& app) override;
  base::Expected<int> run(Context& context) override;
  [[nodiscard]] bool prints_data() const override { return format_.json(); }

 private:
  // Serves the page until Ctrl-C, for --visual, and writes it if --report is given, too.
  base::Expected<int> show(report::Page page, Context& context) const;

  base::Expected<tensorrt::EngineInfo> engine_info(const inspect::DescribeOptions& options, Context& context) const;

  const CLI::App* app_ = nullptr;
  ModelOptions model_;
  EngineOptions tensorrt_{*backend::find_engine_row("tensorrt")};
  RefusedOptions refused_;
  std::vector<std::string> show_;
  FormatOption format_;
  bool list_unbounded_ = false;
  bool visual_ = false;
  int visual_port_ = 8000;
  ReportOption report_{"inspect model"};
};

constexpr std::string_view kTensorRt = "needs the network inside TensorRT, which Assay can't show";

constexpr std::array kRefused = {
    RefusedOption{"--convert-to,--display-as", true, kTensorRt},
    RefusedOption{"--combine-tensor-info", true, kTensorRt},
};

}  // namespace

void InspectModel::add_options(CLI::App& app) {
  app_ = &app;
  ModelOptions::Parts parts;
  parts.engine_info = true;
  parts.inference = ModelOptions::Parts::Inference::opt_in;
  model_.add_to(app, parts);
  app.add_option(
         "--show", show_,
         "Also show layers (the nodes, or an engine's layers), attrs (their attributes; needs layers) or weights "
         "(values of initializers)")
      ->expected(1, -1)
      ->check(CLI::IsMember({"layers", "attrs", "weights"}));
  format_.add_to(app);
  app.add_flag("--list-unbounded-dds", list_unbounded_,
               "List tensors that decide the size of another tensor and have no bound. The model needs shapes "
               "(--shape-inference); fold constants first for better results");
  constexpr auto kVisual = "Visualization";
  app.add_flag("--visual", visual_,
               "Show the report in the browser instead of text: a page with the graph, served on this machine until "
               "Ctrl-C")
      ->group(kVisual);
  app.add_option("--visual-port", visual_port_, "Serve the page of --visual at this port; 0 chooses a free one")
      ->option_text("PORT")
      ->check(between(0, 65535))
      ->capture_default_str()
      ->group(kVisual);
  report_.add_to(app, "--report,--save-visual");
  tensorrt_.add_to(app);
  tensorrt_.add_tensorrt_to(app, {tensorrt::plugin_settings()});
  refused_.add_to(app, kRefused);
  refused_.add_to(app, tensorrt_options());
  refused_.add_to(app, tensorrt_engine_options());
  refused_.add_to(app, tensorflow_options());
}

base::Expected<int> InspectModel::run(Context& context) {
  ASSAY_TRY(refused_.check());
  const auto shows = [&](std::string_view part) { return std::ranges::find(show_, part) != show_.end(); };
  const inspect::DescribeOptions options{shows("layers"), shows("attrs"), shows("weights"), list_unbounded_};
  if (model_.is_engine_info() || model_.is_engine()) {
    ASSAY_ASSIGN(const tensorrt::EngineInfo engine, engine_info(options, context));
    show_engine_info(engine, options, format_.json(), context);
    return kExitPassed;
  }
  ASSAY_TRY(tensorrt_.check_unused());
  ASSAY_TRY(report_.check({}, {{"the model", model_.file()}}));
  ASSAY_ASSIGN(const model::Model model, model_.load(context.log));
  if (visual_ || report_.given()) {
    ASSAY_ASSIGN(report::Page page, pages::model_page(model));
    if (visual_) return show(std::move(page), context);
    ASSAY_TRY(report_.write(std::move(page), model_.file(), {}, context));
  }
  ASSAY_ASSIGN(const inspect::ModelDescription description, inspect::describe(model, options));
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
  if (model_.is_engine_info()) return tensorrt::load_engine_info(model_.file());
  ASSAY_ASSIGN(const auto engines, tensorrt_.setups(context.installation));
  return ask_inspector(model_.file(), engines.front(), context);
}

base::Expected<int> InspectModel::show(report::Page page, Context& context) const {
  report_.complete(page, model_.file(), {}, context);
  if (report_.given()) ASSAY_TRY(report_.write(page, model_.file(), {}, context));
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
