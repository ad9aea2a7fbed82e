#include "blame/judge_precision.h"

#include <utility>

namespace assay::blame {

using Kind = reduce::Verdict::Kind;

PrecisionJudge judge_by_outputs(const PrecisionSubject& subject, std::shared_ptr<const OutputJudge> outputs) {
  return [&subject, outputs = std::move(outputs)](const std::set<int>& keep) -> base::Expected<reduce::Verdict> {
    ASSAY_ASSIGN(Agreement judged, subject.judge(keep, *outputs));
    return reduce::Verdict{.kind = judged.agrees ? Kind::passes : Kind::fails,
                           .text = std::move(judged.text),
                           .seconds = judged.seconds,
                           .output_error = judged.error};
  };
}

PrecisionJudge judge_by_file(const PrecisionSubject& subject, std::filesystem::path file, reduce::FileJudge check) {
  return [&subject, file = std::move(file),
          check = std::move(check)](const std::set<int>& keep) -> base::Expected<reduce::Verdict> {
    const base::Status written = subject.write(keep, file);
    if (written) return check();
    if (written.error().kind != base::ErrorKind::engine) return base::fail(written.error());
    return reduce::Verdict{.kind = Kind::fails, .text = written.error().message()};
  };
}

}  // namespace assay::blame
