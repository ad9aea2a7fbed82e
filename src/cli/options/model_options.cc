#include "cli/options/model_options.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <filesystem>

#include "base/absolute_path.h"
#include "base/mapped_file.h"
#include "base/strings.h"
#include "cli/options/float16_model.h"
#include "cli/parse/one_value_per_name.h"
#include "model/inference/infer_shapes.h"
#include "model/inference/symbolic_shapes.h"
#include "model/load.h"
#include "model/text_forms.h"
#include "run/marked_source.h"
#include "worker/models/model_source.h"

namespace assay::cli {
namespace {

using base::ErrorKind;
using base::fail;

constexpr std::array kRefused = {
    RefusedOption{"--fp-to-fp16", false,
                  "isn't supported by this command; give it a model that `assay convert --fp-to-fp16` saved"},
};

struct ModelType {
  std::string_view name;
  std::string_view extensions;  // separated by spaces, each with its dot
};

constexpr std::string_view kNetworkScript = "trt-network-script";

// Polygraphy's table: the values of --model-type, and the extensions that imply them.
constexpr std::array kModelTypes = {
    ModelType{"onnx", ".onnx"},       ModelType{"engine", ".engine .plan"},
    ModelType{"frozen", ".graphdef"}, ModelType{"keras", ".hdf5"},
    ModelType{"uff", ".uff"},         ModelType{"caffe", ".prototxt"},
    ModelType{kNetworkScript, ".py"}, ModelType{"ckpt", ""},
};
// The JSON of TensorRT's engine inspector. Polygraphy doesn't know it.
constexpr ModelType kEngineInfo{"engine-info", ".json"};

std::string_view type_of(const std::string& file) {
  const std::string extension = std::filesystem::path(file).extension().string();
  for (const ModelType& type : kModelTypes) {
    for (const std::string& known : base::split(type.extensions, ' ')) {
      if (!known.empty() && extension == known) return type.name;
    }
  }
  return "onnx";
}

// `where`: what says that the model has this type.
base::Status check_type(const std::string& type, const std::string& where) {
  if (type == "onnx") return {};
  return fail(ErrorKind::unsupported, fmt::format("models of type '{}' are not supported", type), where,
              type == kNetworkScript ? "With TensorRT alone, `assay run`, `convert`, `debug build` and `debug "
                                       "precision` take it"
              : type == "engine"     ? "With TensorRT alone, `assay run` takes it. Give the ONNX model otherwise"
                                     : "Export it to ONNX first, or give --model-type onnx if it is an ONNX model");
}

// Checks that a file can hold the Python function that creates a network.
base::Status check_script(const std::string& file) {
  if (!file.ends_with(".py")) {
    return fail(ErrorKind::invalid_input, fmt::format("'{}' isn't a Python file, whose name ends in .py", file),
                "--model-type trt-network-script", "Give the Python file, or leave the option out");
  }
  if (auto opened = base::MappedFile::open(file); !opened) return fail(std::move(opened).error());
  return {};
}

}  // namespace

void ModelOptions::add_to(CLI::App& app, const Parts& parts) {
  parts_ = parts;
  add_model_options(app);
  constexpr auto kGroup = "ONNX Model Loading";
  app.add_option("--external-data-dir,--load-external-data,--ext", external_data_dir_,
                 "Load external data from this folder (default: the model's)")
      ->option_text("FOLDER")
      ->group(kGroup);
  app.add_flag("--ignore-external-data", ignore_external_data_, "Load the graph only, without external weights")
      ->group(kGroup);
  if (parts.float16) {
    app.add_flag(
           "--fp-to-fp16", float16_,
           "Convert float32 inside the model to float16. Its inputs and outputs stay float32, with a Cast at each")
        ->group(kGroup);
  }
  refused_.add_to(app, kRefused);
  add_inference_options(app);
}

void ModelOptions::add_model_options(CLI::App& app) {
  constexpr auto kGroup = "Model";
  app.add_option("model_file", file_, "Path of the model")
      ->option_text("FILE")
      ->transform([this](const std::string& word) {
        const std::size_t colon = word.rfind(".py:");
        if (colon == std::string::npos) return word;
        function_ = word.substr(colon + 4);
        return word.substr(0, colon + 3);
      })
      ->required(!parts_.optional_file)
      ->group(kGroup);
  if (parts_.model_type) {
    std::vector<std::string> names;
    for (const ModelType& type : kModelTypes) names.emplace_back(type.name);
    if (parts_.engine_info) names.emplace_back(kEngineInfo.name);
    app.add_option("--model-type", model_type_,
                   parts_.engine_info
                       ? "Set the type of the file instead of taking it from the extension: onnx; engine for an engine "
                         "of TensorRT; trt-network-script for a Python file that creates a TensorRT network (FILE.py "
                         "or FILE.py:FUNCTION); or engine-info for a file (.json) of `trtexec --exportLayerInfo`. The "
                         "other types are refused"
                       : "Set the type of the model instead of taking it from the extension: onnx or, with TensorRT "
                         "alone, engine or trt-network-script (FILE.py or FILE.py:FUNCTION, which returns a network). "
                         "The other types are refused")
        ->option_text("TYPE")
        ->check(CLI::IsMember(names))
        ->group(kGroup);
  }
  if (parts_.input_shapes) {
    take_one_value_per_name(app.add_option("--input-shapes,--inputs", input_shapes_,
                                           "Set the shapes of generated inputs, name:[1,3,224,224]")
                                ->option_text("NAME:SHAPE")
                                ->expected(1, -1)
                                ->group(kGroup));
  }
  if (parts_.model_input_shapes) {
    take_one_value_per_name(
        app.add_option(
               "--model-input-shapes,--model-inputs", input_shapes_,
               "Set the shapes of the model's inputs for runs that find the shapes of tensors, name:[1,3,224,224]")
            ->option_text("NAME:SHAPE")
            ->expected(1, -1)
            ->group(kGroup));
  }
}

void ModelOptions::add_inference_options(CLI::App& app) {
  constexpr auto kGroup = "ONNX Shape Inference";
  CLI::Option* choice = nullptr;
  if (parts_.inference == Inference::opt_in) {
    choice = app.add_flag("--shape-inference,--do-shape-inference", infer_, "Infer shapes when the model is loaded")
                 ->group(kGroup);
  } else if (parts_.inference == Inference::opt_out) {
    choice =
        app.add_flag("--no-shape-inference", no_infer_, "Do not infer shapes when the model is loaded")->group(kGroup);
  }
  if (parts_.fallback_inference) {
    app.add_flag("--force-fallback-shape-inference", force_fallback_,
                 "Run the model in ONNX Runtime and take the shape and type of every tensor from that run")
        ->excludes(choice)
        ->group(kGroup);
  }
  if (parts_.inference != Inference::none) {
    app.add_flag("--no-onnxruntime-shape-inference", no_onnxruntime_inference_,
                 "Infer shapes with ONNX's own inference. This is always so: ONNX Runtime's symbolic one isn't used")
        ->group(kGroup);
  }
}

std::string ModelOptions::type() const {
  if (!model_type_.empty()) return model_type_;
  if (parts_.engine_info && std::filesystem::path(file_).extension() == kEngineInfo.extensions &&
      !model::is_text_file(file_)) {
    return std::string(kEngineInfo.name);
  }
  return std::string(type_of(file_));
}

bool ModelOptions::is_engine_info() const {
  return type() == kEngineInfo.name;
}

bool ModelOptions::wants_inference() const {
  return parts_.inference == Inference::opt_out ? !no_infer_ : infer_;
}

base::Expected<std::map<std::string, Dimensions>> ModelOptions::generated_shapes() const {
  ASSAY_ASSIGN(auto shapes, input_shapes());
  if (type() != "onnx") return shapes;
  const auto model = load_as_it_is();
  return model ? model::shapes_by_names(model->graph(), std::move(shapes)) : shapes;  // engines say what is wrong
}

base::Expected<std::map<std::string, Dimensions>> ModelOptions::input_shapes() const {
  return parse_shapes(input_shapes_, parts_.input_shapes ? "--input-shapes" : "--model-input-shapes");
}

base::Status ModelOptions::check() const {
  ASSAY_TRY(refused_.check());
  return check_type(type(), model_type_.empty() ? file_ : "--model-type " + model_type_);
}

bool ModelOptions::is_engine() const {
  return type() == "engine";
}

bool ModelOptions::is_network_script() const {
  return type() == kNetworkScript;
}

base::Status ModelOptions::check_runnable(Takes takes) const {
  const bool takes_engine = takes == Takes::scripts_and_engines && is_engine();
  const bool takes_script = takes != Takes::onnx && is_network_script();
  if ((float16_ || infer_) && (takes_engine || takes_script)) {
    return fail(ErrorKind::invalid_input,
                fmt::format("only ONNX models can be changed, and {}",
                            takes_engine ? "this is an engine" : "a script makes this network"),
                float16_ ? "--fp-to-fp16" : "--shape-inference", "Leave it out");
  }
  if (takes_script) ASSAY_TRY(check_script(file_));
  if (takes_engine || takes_script) {
    ASSAY_TRY(refused_.check());
    if (external_data_dir_.empty() && !ignore_external_data_) return {};
    return fail(ErrorKind::invalid_input,
                takes_engine ? "only ONNX models have their weights in other files"
                             : "a script finds the weights of its network by itself",
                external_data_dir_.empty() ? "--ignore-external-data" : "--external-data-dir", "Leave it out");
  }
  ASSAY_TRY(check());
  if (!ignore_external_data_) return {};
  return base::fail(base::ErrorKind::invalid_input, "a model can't run without its weights", "--ignore-external-data",
                    "Leave it out");
}

base::Expected<worker::ModelSource> ModelOptions::source() const {
  ASSAY_ASSIGN(auto file, base::MappedFile::open(file_));
  if (type() == "onnx" && !external_data_dir_.empty() && model::is_text_file(file_)) {
    ASSAY_ASSIGN(const model::Model model, load_as_it_is());
    return worker::model_source(model);
  }
  if (external_data_dir_.empty()) return type() == "onnx" ? worker::file_source(file_) : worker::ModelFile{file_};
  const auto bytes = file->bytes();
  return worker::ModelBytes{{bytes, std::move(file)}, base::absolute_path(external_data_dir_)};
}

base::Expected<worker::ModelSource> ModelOptions::engine_source(base::Log& log) const {
  if (!changes_model()) return source();
  ASSAY_ASSIGN(const model::Model changed, load(log));
  return run::unmarked_source(changed);
}

base::Expected<model::Model> ModelOptions::load_as_it_is() const {
  ASSAY_TRY(check());
  model::LoadOptions options;
  if (!external_data_dir_.empty()) options.external_data_dir = external_data_dir_;
  options.ignore_external_data = ignore_external_data_;
  return model::load(file_, options);
}

void ModelOptions::infer_shapes(model::Model& model, base::Log& log) const {
  if (!wants_inference()) return;
  if (const base::Status inferred = model::infer_shapes(model); !inferred) {
    log.warning("Shape inference failed, continuing without it: {}", inferred.error().message());
  }
}

base::Status ModelOptions::make_float16(model::Model& model, base::Log& log) const {
  return wants_float16() ? cli::make_float16(model, log) : base::Status();
}

base::Expected<model::Model> ModelOptions::load(base::Log& log) const {
  ASSAY_ASSIGN(model::Model model, load_as_it_is());
  infer_shapes(model, log);
  ASSAY_TRY(make_float16(model, log));
  return model;
}

}  // namespace assay::cli
