#include "worker/models/refused_versions.h"

#include <variant>

#include "model/bare_model.h"
#include "worker/models/model_source.h"

namespace assay::worker {

std::optional<Failed> refused_versions(const onnx::ModelProto& like, Pool& pool, const EngineSpec& engine,
                                       const Limits& limits) {
  const auto source = model_source(model::bare_model(like));
  if (!source) return std::nullopt;
  const auto session = pool.load(engine, *source, limits);
  const auto* failed = session ? nullptr : std::get_if<Failed>(&session.error());
  return failed == nullptr ? std::nullopt : std::optional(*failed);
}

}  // namespace assay::worker
