// Runs or saves a model of which some nodes stay in float32 and the others become float16.
#pragma once

#include <filesystem>
#include <set>

#include "base/error.h"
#include "blame/output_judge.h"
#include "model/model.h"
#include "model/save.h"

namespace assay::blame {

// `keep`: numbers of nodes, as in surgeon::Float16Options. Errors of all functions: those of
// surgeon::convert_to_float16().

// Runs the model in float32, but rounds each value that would be float16 to it. So the verdict is that of a device that
// computes in float16, even if the engine has no float16 kernels: ONNX Runtime, for example, would compute most nodes
// in float32 without rounding in between. Further errors: those of the judge.
base::Expected<Judged> judge_rounded(const model::Model& model, const std::set<int>& keep,
                                     const run::EngineSetup& engine, const OutputJudge& judge);

// Saves the model with float16 nodes. Further errors: those of model::save().
base::Status save_mixed(const model::Model& model, const std::set<int>& keep, const std::filesystem::path& path,
                        const model::SaveOptions& options);

}  // namespace assay::blame
