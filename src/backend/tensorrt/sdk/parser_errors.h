// The errors of TensorRT's parser of ONNX models, as text.
#pragma once

#include <NvOnnxParser.h>

#include <string>
#include <utility>
#include <vector>

#include "backend/tensorrt/sdk/logger.h"
#include "base/strings.h"

namespace assay::backend {

// Returns the parser's words. These are often the condition of an assertion, which may end with words for the user:
// `creator && "Plugin not found"`. Of most operators that the parser doesn't support, it only says `false`, which is
// replaced by what it means.
std::string reason_of(const nvonnxparser::IParserError& error);
// Returns an error with its node: "MyOp: No importer registered for op (node 3, 'n3')".
std::string describe(const nvonnxparser::IParserError& error);

// Returns a Refused in phase load with all errors of an IParser or IParserRefitter, what the user can do about them,
// and the code of the first one; with `otherwise` and what TensorRT has logged if it has none.
template <class Parser>
worker::Refused refused_by(const Parser& parser, const std::string& otherwise, TensorRtLogger& logger) {
  std::vector<std::string> errors;
  for (int i = 0; i < parser.getNbErrors(); ++i) errors.push_back(describe(*parser.getError(i)));
  if (errors.empty()) return logger.refused(worker::Phase::load, otherwise);
  std::string message = base::join(errors, "; ");
  message += advice_about(message);
  return refuse(worker::Phase::load, static_cast<int>(parser.getError(0)->code()), std::move(message)).value();
}

}  // namespace assay::backend
