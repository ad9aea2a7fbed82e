#include "blame/mixed_precision.h"

#include "run/marked_source.h"
#include "surgeon/convert_to_float16.h"

namespace assay::blame {

base::Expected<Judged> judge_rounded(const model::Model& model, const std::set<int>& keep,
                                     const run::EngineSetup& engine, const OutputJudge& judge) {
  ASSAY_ASSIGN(const surgeon::Float16Model rounded,
               surgeon::convert_to_float16(model, {.keep = keep, .only_round = true}));
  ASSAY_ASSIGN(const worker::ModelSource source, run::unmarked_source(rounded.model));
  return judge.judge(engine, source);
}

base::Status save_mixed(const model::Model& model, const std::set<int>& keep, const std::filesystem::path& path,
                        const model::SaveOptions& options) {
  ASSAY_ASSIGN(const surgeon::Float16Model mixed, surgeon::convert_to_float16(model, {.keep = keep}));
  return model::save(mixed.model, path, options);
}

}  // namespace assay::blame
