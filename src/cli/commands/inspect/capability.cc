// `assay inspect capability`: shows which nodes of a model TensorRT's parser takes, and saves the parts that it takes
// and those that it refuses as models.
#include <fmt/format.h>

#include <filesystem>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

#include "backend/engine_table.h"
#include "base/counted.h"
#include "base/files.h"
#include "cli/commands/make_commands.h"
#include "cli/context/command.h"
#include "cli/context/print_json.h"
#include "cli/options/check_paths.h"
#include "cli/options/engine_options.h"
#include "cli/options/format_option.h"
#include "cli/options/model_options.h"
#include "cli/options/model_save_options.h"
#include "cli/options/refused_options.h"
#include "cli/options/tool_engine_options.h"
#include "cli/steps/surgeon_setup.h"
#include "inspect/capability_text.h"
#include "model/save.h"
#include "run/ask_network.h"
#include "run/marked_source.h"
#include "surgeon/partition.h"

namespace assay::cli {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

class InspectCapability final : public Command {
 public:
  void add_options(CLI::App& app) override;
  base::Expected<int> run(Context& context) override;
  [[nodiscard]] bool prints_data() const override { return format_.json(); }

 private:
  [[nodiscard]] fs::path folder() const;
  // Checks that files can be created in the folder or, if it is new, that it can be created. Doesn't create it: if
  // TensorRT takes the whole model, there is nothing to save.
  [[nodiscard]] base::Status check_folder() const;
  // Saves the summary and logs it.
  [[nodiscard]] base::Status report(const std::string& summary, Context& context) const;
  [[nodiscard]] fs::path results() const { return folder() / "results.txt"; }
  [[nodiscard]] fs::path file_of(const surgeon::PartOfModel& part) const;
  [[nodiscard]] base::Status save_parts(const std::vector<surgeon::PartOfModel>& parts, const model::Model& model,
                                        Context& context) const;
  [[nodiscard]] base::Expected<std::vector<surgeon::PartOfModel>> split(const model::Model& model,
                                                                        const run::EngineSetup& parser,
                                                                        const tensorrt::Capability& whole,
                                                                        Context& context) const;
  void print(const tensorrt::Capability& whole, const std::vector<surgeon::PartOfModel>& parts, Context& context) const;

  ModelOptions model_;
  ModelSaveOptions saving_;
  DataLoaderOptions loader_;
  ToolEngineOptions shapes_engine_;
  EngineOptions tensorrt_{*backend::find_engine_row("tensorrt")};
  FormatOption format_;
  bool partitions_ = false;
};

base::Expected<tensorrt::Capability> ask(const model::Model& model, const run::EngineSetup& engine, Context& context) {
  ASSAY_ASSIGN(const worker::ModelSource source, run::unmarked_source(model));
  return run::ask_capability(engine, source, context.pool);
}

surgeon::Opinion opinion_of(const tensorrt::Capability& capability) {
  surgeon::Opinion opinion;
  for (const tensorrt::CapabilityGroup& group : capability.groups) {
    opinion.groups.push_back({group.nodes, group.supported});
  }
  for (const tensorrt::CapabilityError& error : capability.errors) {
    opinion.reason += (opinion.reason.empty() ? "" : " | ") + error.reason;
  }
  if (opinion.reason.empty()) opinion.reason = "unknown error";
  return opinion;
}

}  // namespace

void InspectCapability::add_options(CLI::App& app) {
  model_.add_to(app, {.model_type = false, .inference = ModelOptions::Inference::opt_in, .float16 = true});
  app.add_flag("--with-partitioning", partitions_,
               "Split the model at the nodes that TensorRT refuses, and save each part as a model");
  saving_.add_to(app, ModelSaveOptions::Output::optional);
  app.get_option("--output")
      ->description("Write results.txt and the parts to this folder (default: polygraphy_capability_dumps)");
  format_.add_to(app);
  tensorrt_.add_to(app);
  tensorrt_.add_tensorrt_to(app, {tensorrt::parser_settings(), tensorrt::plugin_settings()});
}

fs::path InspectCapability::folder() const {
  return saving_.output().empty() ? "polygraphy_capability_dumps" : saving_.output();
}

base::Status InspectCapability::check_folder() const {
  std::error_code code;
  fs::path place = folder();
  while (!place.empty() && !fs::exists(place, code)) place = place.parent_path();
  return check_writable_folder(place.empty() ? "." : place.string(), "-o");
}

base::Status InspectCapability::report(const std::string& summary, Context& context) const {
  log_text(context.log, summary);
  ASSAY_TRY(base::write_file(results(), summary));
  context.log.info("Saved the results to {}", results().string());
  return {};
}

fs::path InspectCapability::file_of(const surgeon::PartOfModel& part) const {
  return folder() / fmt::format("{}_subgraph-nodes-{}-{}.onnx", part.supported ? "supported" : "unsupported",
                                part.begin, part.end - 1);
}

base::Status InspectCapability::save_parts(const std::vector<surgeon::PartOfModel>& parts, const model::Model& model,
                                           Context& context) const {
  ASSAY_ASSIGN(const model::SaveOptions options, saving_.save_options());
  std::vector<inspect::RefusedNodes> refused;
  for (const surgeon::PartOfModel& part : parts) {
    const fs::path file = file_of(part);
    const auto another = model::options_for_another(options, file.stem().string() + "_");
    ASSAY_TRY(model::save(part.model, file, another, context.log));
    context.log.info("Saved {} to {}", base::counted(part.end - part.begin, "node"), file.string());
    if (part.supported) continue;
    const onnx::NodeProto& first = model.graph().node(static_cast<int>(part.begin));
    refused.push_back({first.op_type(), part.reason, part.begin, part.end});
  }
  return report(inspect::refused_table(refused), context);
}

base::Expected<std::vector<surgeon::PartOfModel>> InspectCapability::split(const model::Model& model,
                                                                           const run::EngineSetup& parser,
                                                                           const tensorrt::Capability& whole,
                                                                           Context& context) const {
  const surgeon::Engine engine = surgeon_engine(shapes_engine_, context);
  const surgeon::MakeFeeds feeds = first_inputs(loader_, {}, "", context);
  const surgeon::FindShapes find_shapes = [&](const std::vector<std::string>& tensors) {
    return surgeon::shapes_by_running(model, tensors, feeds, engine, context.log);
  };
  const surgeon::AskEngine ask_engine = [&](const model::Model& part) -> base::Expected<surgeon::Opinion> {
    if (&part == &model) return opinion_of(whole);
    ASSAY_ASSIGN(const tensorrt::Capability capability, ask(part, parser, context));
    return opinion_of(capability);
  };
  return surgeon::partition(model, ask_engine, find_shapes, context.log);
}

void InspectCapability::print(const tensorrt::Capability& whole, const std::vector<surgeon::PartOfModel>& parts,
                              Context& context) const {
  if (!format_.json()) return;
  Json errors = Json::array();
  for (const tensorrt::CapabilityError& error : whole.errors) {
    errors.push_back(
        {{"node", error.node}, {"op", error.op_type}, {"reason", error.reason}, {"stack_trace", error.stack_trace}});
  }
  Json list = Json::array();
  for (const surgeon::PartOfModel& part : parts) {
    list.push_back({{"supported", part.supported},
                    {"begin", part.begin},
                    {"end", part.end},
                    {"reason", part.reason},
                    {"model", file_of(part).string()}});
  }
  print_json({{"supported", whole.supported},
              {"errors", std::move(errors)},
              {"parts", std::move(list)},
              {"results", whole.supported ? Json(nullptr) : Json(results().string())}},
             context);
}

base::Expected<int> InspectCapability::run(Context& context) {
  ASSAY_TRY(check_folder());
  ASSAY_ASSIGN(const auto engines, tensorrt_.setups(context.installation));
  if (!partitions_) saving_.warn_if_not_saved("", "--with-partitioning", context.log);
  ASSAY_ASSIGN(const model::Model model, model_.load(context.log));
  ASSAY_ASSIGN(const tensorrt::Capability whole, ask(model, engines.front(), context));
  if (whole.supported) {
    context.log.info("TensorRT takes the whole model");
    print(whole, {}, context);
    return kExitPassed;
  }
  std::error_code code;
  fs::create_directories(folder(), code);
  if (code) return base::fail(base::system_error("cannot create the folder", folder().string(), code.value()));
  std::vector<surgeon::PartOfModel> parts;
  if (partitions_) {
    ASSAY_ASSIGN(parts, split(model, engines.front(), whole, context));
    ASSAY_TRY(save_parts(parts, model, context));
  } else {
    ASSAY_TRY(report(inspect::errors_table(whole.errors), context));
  }
  print(whole, parts, context);
  return kExitPassed;
}

std::unique_ptr<Command> make_inspect_capability() {
  return std::make_unique<InspectCapability>();
}

}  // namespace assay::cli
