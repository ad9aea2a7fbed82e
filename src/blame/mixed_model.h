// A PrecisionSubject whose candidates are nodes of a model, so that a choice of them is a model that can be saved.
#pragma once

#include <filesystem>
#include <set>

#include "base/error.h"
#include "base/log.h"
#include "blame/precision_subject.h"
#include "model/save.h"

namespace assay::blame {

class MixedModel : public PrecisionSubject {
 public:
  [[nodiscard]] const char* unit() const final { return "node"; }
  // Writes the model that save() saves, without its warnings.
  base::Status write(const std::set<int>& keep, const std::filesystem::path& file) const final;

  // Saves the model in which these candidates are kept. Warnings: those of model::save(). Errors: those of building the
  // model and of model::save().
  virtual base::Status save(const std::set<int>& keep, const std::filesystem::path& file,
                            const model::SaveOptions& options, base::Log& log) const = 0;
};

}  // namespace assay::blame
