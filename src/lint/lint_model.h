// `check lint`: finds all independent defects of a model in one run.
#pragma once

#include "base/error.h"
#include "base/log.h"
#include "lint/engine.h"
#include "lint/report.h"
#include "model/model.h"

namespace assay::lint {

// Applies the rules of check_graph.h, ONNX's checker and inference to every part of the model (check_nodes.h), and, if
// there is an engine, has it judge every node (run_nodes.h). `engine` may be null. Errors: those of run_nodes().
base::Expected<Report> lint_model(const model::Model& model, const Engine* engine, base::Log& log);

}  // namespace assay::lint
