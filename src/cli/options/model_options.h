// Options for the model and its loading: Polygraphy's groups "Model", "ONNX Model Loading" and "ONNX Shape Inference".
// All commands that read a model share them, so an option means the same everywhere.
#pragma once

#include <CLI/App.hpp>

#include <map>
#include <string>
#include <vector>

#include "base/error.h"
#include "base/log.h"
#include "cli/options/refused_options.h"
#include "cli/parse/values.h"
#include "model/model.h"
#include "worker/engine.h"

namespace assay::cli {

class ModelOptions {
 public:
  // Whether a command infers shapes: never, with --shape-inference, or unless --no-shape-inference is given.
  enum class Inference { none, opt_in, opt_out };
  // Which of the options a command has. All have the model file.
  struct Parts {
    bool optional_file = false;       // `assay run --load-outputs` needs no model
    bool model_type = true;           // --model-type
    bool engine_info = false;         // takes the layers of a TensorRT engine, too: see is_engine_info()
    bool input_shapes = false;        // --input-shapes, --inputs
    bool model_input_shapes = false;  // --model-input-shapes, --model-inputs
    Inference inference = Inference::none;
    bool fallback_inference = false;  // --force-fallback-shape-inference
    bool float16 = false;             // --fp-to-fp16; refused if false
  };
  void add_to(CLI::App& app, const Parts& parts);

  [[nodiscard]] const std::string& file() const { return file_; }
  // Returns whether the file has the layers of a TensorRT engine, to be loaded by tensorrt::load_engine_info(): by
  // --model-type or, without it, by the extension .json. False unless Parts::engine_info.
  [[nodiscard]] bool is_engine_info() const;
  [[nodiscard]] const std::string& external_data_dir() const { return external_data_dir_; }
  [[nodiscard]] bool ignores_external_data() const { return ignore_external_data_; }
  [[nodiscard]] bool force_fallback_inference() const { return force_fallback_; }
  // Returns whether to infer shapes on load: requested (opt_in) or not declined (opt_out).
  [[nodiscard]] bool wants_inference() const;
  // Returns whether --fp-to-fp16 is given.
  [[nodiscard]] bool wants_float16() const { return float16_; }
  // Returns whether load() returns another model than load_as_it_is().
  [[nodiscard]] bool changes_model() const { return wants_inference() || float16_; }
  // Returns the shapes of --input-shapes or --model-input-shapes, whichever the command has.
  [[nodiscard]] base::Expected<std::map<std::string, Dimensions>> input_shapes() const;
  // Returns these shapes, and those of generated inputs whose dimensions have the same names
  // (model/inference/symbolic_shapes.h).
  [[nodiscard]] base::Expected<std::map<std::string, Dimensions>> generated_shapes() const;

  // Checks the options without loading the model. Errors: unsupported for models that aren't ONNX and for options that
  // can't work here.
  [[nodiscard]] base::Status check() const;
  // The types of models that the engines take besides ONNX models: Python scripts that create TensorRT networks, and
  // engines that TensorRT has built.
  enum class Takes { onnx, scripts, scripts_and_engines };
  // Checks that engines can run the model. Errors: those of check(); invalid_input with --ignore-external-data, and for
  // options that a script can't use.
  [[nodiscard]] base::Status check_runnable(Takes takes = Takes::onnx) const;
  // Returns whether the model is an engine that TensorRT has built.
  [[nodiscard]] bool is_engine() const;
  // Returns whether the model is a Python file that creates a TensorRT network.
  [[nodiscard]] bool is_network_script() const;
  // Returns the function of such a file that the user names after it, FILE.py:FUNCTION; empty: none.
  [[nodiscard]] const std::string& function() const { return function_; }
  // Returns the unchanged file for an engine, which loads it by its path, as users do. Errors: those of
  // base::MappedFile::open().
  [[nodiscard]] base::Expected<worker::ModelSource> source() const;
  // Returns what load() returns if that changes the model, and otherwise source(), for engines. Errors: those of both.
  [[nodiscard]] base::Expected<worker::ModelSource> engine_source(base::Log& log) const;
  // Loads the file, infers shapes if wants_inference(), and converts the model to float16 if asked to. Like Polygraphy,
  // only warns if inference fails. Errors: those of check(), model::load and make_float16.
  [[nodiscard]] base::Expected<model::Model> load(base::Log& log) const;
  // Infers the shapes of a model that was loaded from the file, if wants_inference(). Only warns if that fails.
  void infer_shapes(model::Model& model, base::Log& log) const;
  // Converts a model that was loaded from the file, if wants_float16(). Errors: those of cli::make_float16.
  [[nodiscard]] base::Status make_float16(model::Model& model, base::Log& log) const;
  // Loads the file without inference, for commands that must not add anything to the model.
  [[nodiscard]] base::Expected<model::Model> load_as_it_is() const;

 private:
  void add_model_options(CLI::App& app);
  void add_inference_options(CLI::App& app);
  [[nodiscard]] std::string type() const;  // one of --model-type's

  Parts parts_;
  RefusedOptions refused_;
  std::string file_;
  std::string function_;
  std::string model_type_;
  std::vector<std::string> input_shapes_;
  std::string external_data_dir_;
  bool ignore_external_data_ = false;
  bool infer_ = false;
  bool no_infer_ = false;
  bool force_fallback_ = false;
  bool no_onnxruntime_inference_ = false;
  bool float16_ = false;
};

}  // namespace assay::cli
