#include <onnx/defs/parser.h>

#include <exception>

#include "model/load.h"

namespace assay::model {

base::Expected<Model> parse_text(std::string_view text) {
  const auto refuse = [](std::string what) {
    return base::fail(base::ErrorKind::invalid_input, "not a model in ONNX's text format: " + std::move(what));
  };
  try {
    const std::string copy(text);
    onnx::OnnxParser parser(copy.c_str());
    Model model;
    if (const auto status = parser.Parse(model.proto); !status.IsOK()) return refuse(status.ErrorMessage());
    if (!parser.EndOfInput()) return refuse("there is more text after the model");
    return model;
  } catch (const std::exception& error) {
    return refuse(error.what());
  }
}

}  // namespace assay::model
