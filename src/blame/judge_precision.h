// Two ways to judge a PrecisionSubject of which some candidates are kept: by its outputs, or by a check of a file.
#pragma once

#include <filesystem>
#include <functional>
#include <memory>
#include <set>

#include "base/error.h"
#include "blame/precision_subject.h"
#include "reduce/judge/repeat_judge.h"
#include "reduce/verdicts/verdict.h"

namespace assay::blame {

// `keep`: numbers of candidates.
using PrecisionJudge = std::function<base::Expected<reduce::Verdict>(const std::set<int>& keep)>;

// Returns a judge that compares outputs with those of the subject's reference. The subject must outlive it. Errors of
// the judge: those of PrecisionSubject::judge().
PrecisionJudge judge_by_outputs(const PrecisionSubject& subject, std::shared_ptr<const OutputJudge> outputs);

// Returns a judge that writes the file and calls `check`. If the engine can't be built, the subject fails. The subject
// must outlive the judge. Errors of the judge: those of PrecisionSubject::write() and of the check.
PrecisionJudge judge_by_file(const PrecisionSubject& subject, std::filesystem::path file, reduce::FileJudge check);

}  // namespace assay::blame
