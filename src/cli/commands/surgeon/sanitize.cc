// `assay surgeon sanitize`: folds constants, removes unused nodes, and sets shapes and outputs of a model.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/counted.h"
#include "base/strings.h"
#include "cli/commands/make_commands.h"
#include "cli/context/command.h"
#include "cli/context/print_json.h"
#include "cli/options/data_loader_options.h"
#include "cli/options/format_option.h"
#include "cli/options/model_options.h"
#include "cli/options/model_save_options.h"
#include "cli/options/output_options.h"
#include "cli/options/tool_engine_options.h"
#include "cli/options/validators.h"
#include "cli/parse/one_value_per_name.h"
#include "cli/parse/values.h"
#include "cli/steps/lost_inputs.h"
#include "cli/steps/surgeon_setup.h"
#include "model/count_operators.h"
#include "model/input_specs.h"
#include "surgeon/sanitize.h"

namespace assay::cli {
namespace {

using Json = nlohmann::ordered_json;

class SurgeonSanitize final : public Command {
 public:
  void add_options(CLI::App& app) override;
  base::Expected<int> run(Context& context) override;
  [[nodiscard]] bool prints_data() const override { return format_.json(); }

 private:
  void add_folding_options(CLI::App& app);
  [[nodiscard]] base::Expected<surgeon::UpperBounds> bounds() const;
  [[nodiscard]] base::Expected<surgeon::FoldOptions> fold_options() const;
  [[nodiscard]] base::Expected<surgeon::SanitizeOptions> sanitize_options(Context& context) const;

  ModelOptions model_;
  DataLoaderOptions loader_;
  ModelSaveOptions saving_;
  ToolEngineOptions engine_;
  OutputOptions marks_;
  bool cleanup_ = false;
  bool toposort_ = false;
  bool remove_no_ops_ = false;
  bool merge_duplicates_ = false;
  std::vector<std::string> input_shapes_;
  std::vector<std::string> bounds_;
  bool fold_ = false;
  std::optional<int> passes_;
  std::string partitioning_;
  bool no_fold_shapes_ = false;
  bool no_inference_between_ = false;
  std::string size_threshold_;
  FormatOption format_;
  std::vector<CLI::Option*> folding_only_;  // owned by the App, which outlives the command's run
};

Json to_json(const std::vector<model::OperatorChange>& changes) {
  Json json = Json::object();
  for (const model::OperatorChange& change : changes) {
    json[change.name] = {{"before", change.before}, {"after", change.after}};
  }
  return json;
}

}  // namespace

void SurgeonSanitize::add_options(CLI::App& app) {
  model_.add_to(app, {.model_type = false,
                      .inference = ModelOptions::Inference::opt_out,
                      .fallback_inference = true,
                      .float16 = true});
  app.add_flag("--cleanup", cleanup_, "Remove nodes that no output needs");
  app.add_flag("--toposort", toposort_, "Sort nodes topologically, so that every tensor is computed before it is read");
  app.add_flag(
      "--remove-no-ops", remove_no_ops_,
      "Remove nodes that return what they read: Identity, Dropout, Cast to the same type, Transpose in the same "
      "order, Reshape to the same shape and the like");
  app.add_flag("--merge-duplicates", merge_duplicates_, "Merge nodes that compute the same, and equal weights");
  app.add_option("--override-input-shapes,--override-inputs", input_shapes_,
                 "Set the shapes of inputs, name:[1,3,224,224]; a word is a symbolic dimension")
      ->option_text("NAME:SHAPE")
      ->expected(1, -1);
  marks_.add_to(app, "");
  app.add_option(
         "--set-unbounded-dds-upper-bound", bounds_,
         "[name:]N: limit this tensor with a Min of N; without a name, all tensors that decide a size and have no "
         "bound (`inspect model --list-unbounded-dds` lists them)")
      ->option_text("[NAME:]SIZE")
      ->expected(1, -1);
  for (const char* option : {"--override-input-shapes", "--set-unbounded-dds-upper-bound"}) {
    take_one_value_per_name(app.get_option(option));
  }
  add_folding_options(app);
  saving_.add_to(app, ModelSaveOptions::Output::required);
  format_.add_to(app);
  loader_.add_to(app, DataLoaderOptions::Runs::once);
  engine_.add_to(app);
}

void SurgeonSanitize::add_folding_options(CLI::App& app) {
  constexpr auto kGroup = "Constant Folding";
  app.add_flag("--fold-constants", fold_, "Replace tensors that depend only on constants by their values")
      ->group(kGroup);
  folding_only_ = {
      app.add_option("--num-passes,--num-const-fold-passes", passes_,
                     "Fold in this many passes (default: until nothing more folds)")
          ->option_text("COUNT")
          ->check(at_least(0)),
      app.add_option("--partitioning", partitioning_,
                     "Set how to fold a part of the graph in which a node can't be computed: basic leaves the whole "
                     "part unfolded, recursive (default) folds all of it but the nodes that fail")
          ->check(CLI::IsMember({"basic", "recursive"})),
      app.add_flag("--no-fold-shapes", no_fold_shapes_, "Don't fold Shape and Size, and what is computed from them"),
      app.add_flag("--no-per-pass-shape-inference", no_inference_between_, "Don't infer shapes between passes"),
      app.add_option("--fold-size-threshold", size_threshold_,
                     "Don't fold results of more bytes than this; K, M and G are powers of 1024 (default: no limit)")
          ->option_text("SIZE")
          ->check(size_in_bytes()),
  };
  for (CLI::Option* option : folding_only_) option->group(kGroup);
}

base::Expected<surgeon::UpperBounds> SurgeonSanitize::bounds() const {
  constexpr auto kOption = "--set-unbounded-dds-upper-bound";
  constexpr double kMost = 1e15;  // which a double represents exactly
  ASSAY_ASSIGN(const auto numbers, parse_numbers(bounds_, kOption));
  surgeon::UpperBounds bounds;
  for (const auto& [name, number] : numbers) {
    if (!(number >= 0 && number <= kMost) || number != std::floor(number)) {
      return base::fail(base::ErrorKind::invalid_input, fmt::format("{:g} can't be the largest size", number), kOption,
                        "Give a whole number of elements, as in 1000 or name:1000");
    }
    bounds[name] = static_cast<std::int64_t>(number);
  }
  return bounds;
}

base::Expected<surgeon::FoldOptions> SurgeonSanitize::fold_options() const {
  surgeon::FoldOptions options;
  options.passes = passes_;
  if (partitioning_ == "basic") options.partitioning = surgeon::Partitioning::basic;
  options.fold_shapes = !no_fold_shapes_;
  options.infer_between_passes = !no_inference_between_ && model_.wants_inference();
  if (!size_threshold_.empty()) {
    ASSAY_ASSIGN(options.size_threshold, base::parse_size(size_threshold_));
  }
  return options;
}

base::Expected<surgeon::SanitizeOptions> SurgeonSanitize::sanitize_options(Context& context) const {
  surgeon::SanitizeOptions options;
  ASSAY_ASSIGN(options.input_shapes, parse_shapes(input_shapes_, "--override-input-shapes"));
  ASSAY_ASSIGN(options.bounds, bounds());
  ASSAY_ASSIGN(options.outputs, marks_.options());
  options.cleanup = cleanup_;
  options.toposort = toposort_;
  options.remove_no_ops = remove_no_ops_;
  options.merge_duplicates = merge_duplicates_;
  // Loading has already inferred shapes. A second time only helps if shapes, outputs or the order change.
  const bool changed = !options.input_shapes.empty() || marks_.given() || toposort_;
  options.infer_shapes = model_.wants_inference() && changed;
  if (model_.force_fallback_inference()) {
    options.run_for_shapes = first_inputs(loader_, {}, "--override-input-shapes", context);
  }
  if (fold_) {
    ASSAY_ASSIGN(options.fold, fold_options());
  }
  return options;
}

base::Expected<int> SurgeonSanitize::run(Context& context) {
  ASSAY_TRY(saving_.check());
  ASSAY_TRY(loader_.check());
  for (const CLI::Option* option : folding_only_) {
    if (!fold_ && option->count() > 0) {
      context.log.warning("{} has no effect without --fold-constants", option->get_name());
    }
  }
  if (!model_.force_fallback_inference()) {
    loader_.warn_of_unused(" without --force-fallback-shape-inference", context.log);
  }
  ASSAY_ASSIGN(const surgeon::SanitizeOptions options, sanitize_options(context));
  const surgeon::Engine engine = surgeon_engine(engine_, context);
  ASSAY_ASSIGN(model::Model model, model_.load(context.log));
  const model::OperatorCounts before = model::count_all_operators(model.graph());
  std::vector<std::string> with_values = model::inputs_with_values(model.graph());
  ASSAY_TRY(surgeon::sanitize(model, options, engine, context.log));
  const std::vector<std::string> lost_inputs = model::lost_inputs(std::move(with_values), model.proto);
  warn_of_lost_inputs(lost_inputs, context.log);
  const model::OperatorCounts after = model::count_all_operators(model.graph());
  context.log.info("The model now has {}; before, it had {}", base::counted(model::total(after), "node"),
                   model::total(before));
  ASSAY_TRY(saving_.save(model, context.log));
  if (format_.json()) {
    print_json({{"nodes_before", model::total(before)},
                {"nodes_after", model::total(after)},
                {"operators", to_json(model::changed_operators(before, after))},
                {"lost_inputs", lost_inputs},
                {"model", saving_.output()}},
               context);
  }
  return kExitPassed;
}

std::unique_ptr<Command> make_surgeon_sanitize() {
  return std::make_unique<SurgeonSanitize>();
}

}  // namespace assay::cli
