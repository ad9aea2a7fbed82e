// A PrecisionSubject whose candidates are nodes of a model, so that a choice of them is a model that can be saved.
#pragma once

#include <filesystem>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "base/error.h"
#include "base/log.h"
#include "blame/precision_subject.h"
#include "model/model.h"
#include "model/save.h"

namespace assay::blame {

class MixedModel : public PrecisionSubject {
 public:
  [[nodiscard]] const char* unit() const final { return "node"; }
  [[nodiscard]] base::Expected<Reference> reference() const final;
  [[nodiscard]] base::Expected<Agreement> judge(const std::set<int>& keep, const OutputJudge& judge) const final;
  // Writes the model that save() saves, without its warnings.
  base::Status write(const std::set<int>& keep, const std::filesystem::path& file) const final;

  // Returns the model in which these candidates are kept. Errors: those of building it.
  [[nodiscard]] virtual base::Expected<model::Model> mix(const std::set<int>& keep) const = 0;
  // Saves the model in which these candidates are kept. Warnings: those of model::save(). Errors: those of mix() and of
  // model::save().
  base::Status save(const std::set<int>& keep, const std::filesystem::path& file, const model::SaveOptions& options,
                    base::Log& log) const;
  // Returns the model in which all candidates are kept, without functions.
  [[nodiscard]] virtual const model::Model& whole() const = 0;
  // Returns the names of these candidates in that model. A node without a name has that of its first output.
  [[nodiscard]] virtual std::vector<std::string> names_of(const std::set<int>& keep) const;

 protected:
  // `engine` runs the models; it may be missing if they are only written and saved.
  explicit MixedModel(std::optional<run::EngineSetup> engine) : engine_(std::move(engine)) {}

  // Returns the same model as an engine has to run it.
  [[nodiscard]] virtual base::Expected<model::Model> mix_for_run(const std::set<int>& keep) const { return mix(keep); }

 private:
  std::optional<run::EngineSetup> engine_;
};

}  // namespace assay::blame
