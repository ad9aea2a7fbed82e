// The findings as Polygraphy's lint report.
#pragma once

#include <string>

#include "lint/report.h"

namespace assay::lint {

// {"summary": {"passing": [names], "failing": [names]}, "lint_entries": [{"level": "exception" or "warning", "source":
// "onnx_loader", "onnx_checker", "onnx_graphsurgeon" or "onnxruntime", "message", "nodes": [names]}]}. An entry about
// the whole model has no "nodes". A node fails if an exception names it; it passes if none does and the engine has
// judged it, even if a warning says that the engine rejects it.
std::string to_json(const Report& report);

}  // namespace assay::lint
