// Parses the options of the ONNX Runtime worker.
#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "backend/serve/serve.h"

namespace assay::backend {

struct OnnxRuntimeOptions {
  std::vector<std::string> providers;                   // as given by the user: names or parts of names
  std::map<std::string, std::string> provider_options;  // by PROVIDER.KEY
  std::vector<std::filesystem::path> custom_ops;        // libraries of custom operators
  int graph_optimization_level = 99;                    // GraphOptimizationLevel: ORT_ENABLE_ALL
  int intra_op_threads = 0;                             // 0: ONNX Runtime's choice
  int inter_op_threads = 0;
  int log_severity = 3;                       // OrtLoggingLevel: errors. The log goes to the worker's standard error
  std::map<std::string, std::string> config;  // session configuration entries
  std::string save_built;                     // file for the optimised model; empty: none
  bool report_optimizers = false;             // return the optimizers that changed the graph
};

// Options:
//  - providers: for example "cuda,cpu", in order of preference; ONNX Runtime itself adds the CPU at the end.
//  - provider_options.PROVIDER.KEY: the value of an execution provider's option.
//  - custom_ops: paths of libraries of custom operators, separated by commas.
//  - graph_optimization_level: ORT_DISABLE_ALL, ORT_ENABLE_BASIC, ORT_ENABLE_EXTENDED, ORT_ENABLE_LAYOUT or
//    ORT_ENABLE_ALL.
//  - intra_op_threads, inter_op_threads: a number.
//  - log_severity: 0 (verbose) to 4 (fatal).
//  - save_built: a file to which the optimised model is saved.
//  - report_optimizers: 1 to return the names of the optimizers that changed the graph.
//  - config.KEY: the value of a session configuration entry.
// Returns a Refused that lists the valid ones for any other option or value.
Answer<OnnxRuntimeOptions> parse_onnxruntime_options(const std::map<std::string, std::string>& options);

}  // namespace assay::backend
