#include "cli/commands/run/model_to_run.h"

#include <algorithm>
#include <utility>

#include "edit/mark_outputs.h"
#include "run/marked_source.h"

namespace assay::cli {

// An unchanged model goes to the engine as a user would load it, by its path. A changed one goes as bytes.
base::Expected<ModelToRun> model_to_run(const RunOptions& options, const std::vector<run::EngineSetup>& setups,
                                        base::Log& log) {
  ModelToRun subject;
  if (options.marks.given() || options.model.changes_model() || !options.save_onnx.empty()) {
    ASSAY_ASSIGN(subject.model, options.model.load(log));
    ASSAY_ASSIGN(const edit::MarkOptions marks, options.marks.options());
    ASSAY_ASSIGN(subject.outputs, edit::choose_outputs(*subject.model, marks, log));
    if (!options.save_onnx.empty()) {
      model::Model marked = *subject.model;
      ASSAY_TRY(edit::set_outputs(marked, subject.outputs));
      ASSAY_TRY(options.saving.save(marked, options.save_onnx, log));
    }
    if (subject.outputs.size() < 2 || std::ranges::any_of(setups, run::names_network_parts)) {
      ASSAY_ASSIGN(subject.source, run::marked_source(*subject.model, subject.outputs));
    }
    return subject;
  }
  ASSAY_ASSIGN(subject.source, options.model.source());
  return subject;
}

base::Status plan_windows(ModelToRun& subject, const ModelOptions& model, const std::vector<run::EngineSetup>& setups,
                          Context& context) {
  const bool is_onnx = !model.is_engine() && !model.is_network_script();
  if (!is_onnx || (subject.outputs.size() < 2 && std::ranges::none_of(setups, run::chooses_outputs))) return {};
  if (!subject.model) {
    auto loaded = model.load(context.log);
    if (!loaded) return {};  // engines say what is wrong with it
    subject.model = *std::move(loaded);
    ASSAY_ASSIGN(subject.outputs, edit::choose_outputs(*subject.model, {}, context.log));
  }
  ASSAY_ASSIGN(auto engines, run::layer_engines(setups, subject.source, subject.outputs, context.pool));
  if (run::all_tensors(engines).size() > 1 && run::share_tensors(engines)) subject.engines = std::move(engines);
  return {};
}

}  // namespace assay::cli
