// The layers of a TensorRT network as a PrecisionSubject: TensorRT keeps some layers in a given precision, and chooses
// lower precisions for the others while it builds the engine. The model isn't changed.
#pragma once

#include <filesystem>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "base/error.h"
#include "base/log.h"
#include "blame/precision_subject.h"

namespace assay::blame {

class PrecisionLayers final : public PrecisionSubject {
 public:
  struct Setting {
    run::EngineSetup engine;  // TensorRT, with settings that run::check_lower_precision() accepts
    worker::ModelSource model;
    std::string precision;  // of the layers that are kept: "float32", "float16"
    std::string name;       // of the model, for messages
  };

  // Asks TensorRT for the network. The pool and the log must outlive this object. Errors: invalid_input if no layer has
  // a precision that can be chosen; those of run::ask_network().
  static base::Expected<PrecisionLayers> make(Setting setting, worker::Pool& pool, base::Log& log);

  [[nodiscard]] const std::vector<PrecisionCandidate>& candidates() const override { return layers_; }
  [[nodiscard]] const char* unit() const override { return "layer"; }
  [[nodiscard]] std::string describe(const PrecisionCandidate& layer) const override;
  [[nodiscard]] std::vector<int> suspects(const std::map<std::string, double>& largest) const override;
  [[nodiscard]] base::Expected<Reference> reference() const override;
  [[nodiscard]] base::Expected<Agreement> judge(const std::set<int>& keep, const OutputJudge& judge) const override;
  base::Status write(const std::set<int>& keep, const std::filesystem::path& file) const override;

  // Returns the options to add to the command line so that TensorRT keeps these layers.
  [[nodiscard]] std::vector<std::string> options_for(const std::set<int>& keep) const;

 private:
  PrecisionLayers(Setting setting, worker::Pool& pool, base::Log& log)
      : setting_(std::move(setting)), pool_(&pool), log_(&log) {}
  [[nodiscard]] std::vector<std::string> words_for(const std::set<int>& keep) const;  // of --layer-precisions
  [[nodiscard]] base::Expected<run::EngineSetup> engine_for(const std::set<int>& keep) const;

  Setting setting_;
  worker::Pool* pool_;
  base::Log* log_;
  std::vector<PrecisionCandidate> layers_;
};

}  // namespace assay::blame
