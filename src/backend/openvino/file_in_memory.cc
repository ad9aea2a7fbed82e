#include "backend/openvino/file_in_memory.h"

#include <cerrno>
#include <limits>
#include <utility>

#include "model/load.h"
#include "model/splice_weights.h"

namespace assay::backend {
namespace {

using worker::Phase;

base::Expected<model::Splice> with_external_data(const worker::ModelBytes& bytes) {
  ASSAY_ASSIGN(const model::Model model,
               model::load_bytes(bytes.bytes.view(), {.external_data_dir = bytes.external_data_dir}));
  return model::splice_weights(model.proto, *model.files, model::ExternalWeights::inlined);
}

}  // namespace

Answer<std::optional<MemoryFile>> file_in_memory(const worker::ModelBytes& model) {
  model::Splice splice;
  if (model.external_data_dir.empty()) {
    splice.segments.push_back({.bytes = model.bytes.view(), .range = {}});
  } else {
    auto found = with_external_data(model);
    if (!found) return refuse(Phase::load, 0, found.error().message());
    if (found->size > std::numeric_limits<std::int32_t>::max()) return std::nullopt;
    splice = *std::move(found);
  }
  std::optional<MemoryFile> file = MemoryFile::create();
  for (const model::Segment& segment : splice.segments) {
    if (!file || !file->append(model::bytes_of(segment)))
      return refuse(Phase::load, errno, "cannot store the model in memory");
  }
  return file;
}

}  // namespace assay::backend
