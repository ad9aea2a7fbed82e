// Models that are stored as text, in the three forms that onnx.load() reads: protobuf's text (.textproto, .pbtxt, ...),
// protobuf's JSON (.json, .onnxjson) and ONNX's own text format (.onnxtxt, .onnxtext).
//
// A form is recognised by what is in the file, since users rename files. The name decides only what is written.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

#include "base/error.h"
#include "model/model.h"

namespace assay::model {

enum class TextForm { protobuf, json, onnx };

// Returns whether the bytes are text, judging by the first ones.
bool is_text(std::string_view bytes);

// Returns the form if the bytes begin like a model in it.
std::optional<TextForm> text_form(std::string_view bytes);

// The same for a file. False also if it can't be opened.
bool is_text_file(const std::filesystem::path& path);

// Returns the model, serialized. Errors: invalid_input, with the place in the text if it is known, if this isn't a
// model; unsupported if the model has 2 GiB or more.
base::Expected<std::string> read_text(std::string_view bytes, TextForm form);

// Returns the form that ONNX takes a file of this name for, if that is a text.
std::optional<TextForm> text_form_of_name(const std::filesystem::path& path);

// Returns the model as text, with all weights inside. Errors: invalid_input if it takes more than 2 GiB; unsupported
// for ONNX's own format, which can't express every model; those of reading the weights.
base::Expected<std::string> write_text(const Model& model, TextForm form);

}  // namespace assay::model
