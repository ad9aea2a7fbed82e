#include "blame/mixed_model.h"

#include "base/atomic_file.h"
#include "run/marked_source.h"

namespace assay::blame {

base::Expected<PrecisionSubject::Reference> MixedModel::reference() const {
  ASSAY_ASSIGN(worker::ModelSource source, run::unmarked_source(whole()));
  return Reference{.engine = engine_.value(), .model = std::move(source)};
}

base::Expected<Agreement> MixedModel::judge(const std::set<int>& keep, const OutputJudge& judge) const {
  ASSAY_ASSIGN(const model::Model model, mix_for_run(keep));
  ASSAY_ASSIGN(const worker::ModelSource source, run::unmarked_source(model));
  return judge.judge(engine_.value(), source);
}

std::vector<std::string> MixedModel::names_of(const std::set<int>& keep) const {
  std::vector<std::string> names;
  for (const PrecisionCandidate& node : candidates()) {
    if (keep.contains(node.number)) names.push_back(node.name);
  }
  return names;
}

base::Status MixedModel::save(const std::set<int>& keep, const std::filesystem::path& file,
                              const model::SaveOptions& options, base::Log& log) const {
  ASSAY_ASSIGN(const model::Model model, mix(keep));
  return model::save(model, file, options, log);
}

base::Status MixedModel::write(const std::set<int>& keep, const std::filesystem::path& file) const {
  base::SilentLog silent;
  return save(keep, file, {.durability = base::Durability::process}, silent);
}

}  // namespace assay::blame
