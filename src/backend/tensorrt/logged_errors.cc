#include "backend/tensorrt/logged_errors.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace assay::backend {
namespace {

struct Known {
  std::string_view words;  // in a message of TensorRT, or of CUDA for the first two
  std::string_view advice;
};

constexpr std::string_view kOtherGpu =
    ". This version of TensorRT doesn't support this GPU. Name the library of another version with --trt-lib";
constexpr std::string_view kStronglyTyped = ". Add --strongly-typed";
constexpr std::string_view kSymmetric =
    ". Quantize the model so that all zero points are 0: with ActivationSymmetric and WeightSymmetric in ONNX Runtime";
constexpr std::string_view kProfile =
    ". The sizes in the profile don't fit together; those that aren't given are 1. Give them with --trt-min-shapes, "
    "--trt-opt-shapes and --trt-max-shapes";

// The first row whose words occur counts.
constexpr std::array kKnown = {
    Known{"PTX was compiled with an unsupported toolchain",
          ". NVIDIA's driver is older than the CUDA with which TensorRT was built, so it can't compile TensorRT's "
          "kernels for this GPU. Install a newer driver, or a TensorRT that has the kernels of this GPU"},
    Known{"no kernel image is available",
          ". This TensorRT has no kernels for this GPU. Install a version that supports it, or all of TensorRT's "
          "libraries (libnvinfer_builder_resource_*)"},
    Known{"Unable to load library: libnvinfer_builder_resource",
          ". Put this library of TensorRT's next to libnvinfer.so, in the same version to the last number"},
    Known{"Target GPU SM", kOtherGpu},
    Known{"Unsupported SM", kOtherGpu},
    Known{"generated on an incompatible device",
          ". The engine was built for other GPUs. Build it on this one, or for several generations with "
          "--hardware-compatibility-level ampere_plus"},
    Known{"not found in Plugin Registry", ". Name the library that has the plug-in with --plugins"},
    Known{"Plugin not found", ". If a plug-in computes this operator, name its library with --plugins"},
    Known{"plugin was not found in the plugin registry",
          ". NVIDIA's library libnvinfer_plugin.so has it. Put it next to libnvinfer.so, in the same version"},
    // Types
    Known{"is only supported for kSTRONGLY_TYPED networks", kStronglyTyped},
    Known{"only be used with a strongly typed network", kStronglyTyped},
    Known{"NetworkDefinitionCreationFlag::kSTRONGLY_TYPED to be set", kStronglyTyped},
    Known{"cannot be set for weakly typed network", kStronglyTyped},
    Known{"A strongly typed network is recommended", kStronglyTyped},
    Known{"fp16 is not configured in the builder", ". Add --fp16"},
    Known{"bf16 is not configured in the builder", ". Add --bf16"},
    Known{"int8 is not configured in the builder", ". Add --int8"},
    Known{"INT8 data-type is not enabled in builder config", ". Add --int8"},
    Known{"can only be set if kVERSION_COMPATIBLE is set", ". Add --version-compatible"},
    Known{"require hardware with BF16 support",
          ". These are GPUs with a compute capability of 8.0 or higher. Use float16 instead, or float32"},
    Known{"require hardware with FP8 support", ". These are GPUs with a compute capability of 8.9 or higher"},
    Known{"INT8 and FP8 mixed precision is allowed only", ". Quantize the model to one of both types"},
    Known{"Could not infer output types for operation",
          ". If the model is quantized to another type than int8, add --strongly-typed"},
    Known{"only supports symmetric quantization", kSymmetric},
    Known{"Non-zero zero point is not supported", kSymmetric},
    Known{"`zero_point` whose coefficients aren't all zeros", kSymmetric},
    Known{"Calibration table does not match",
          ". The file of --calibration-cache was written for another model or --calib-base-cls. Remove it, so that the "
          "engine is calibrated again"},
    // Shapes
    Known{"dimensions not compatible for if-conditional outputs",
          ". Both branches of an If need outputs of the same shape. `assay surgeon sanitize --fold-constants` replaces "
          "an If by one of them if its condition follows from fixed shapes, which --override-input-shapes sets"},
    Known{"violate shape constraints", kProfile},
    Known{"values are not self-consistent", kProfile},
    Known{"impossible for the given optimization profiles", kProfile},
    Known{"Try applying constant folding on the model", ". `assay surgeon sanitize --fold-constants` does that, too"},
    Known{"due to insufficient memory on requested size",
          ". Tactics may use all of the GPU's memory, unless --pool-limit allows less"},
};

}  // namespace

std::optional<std::string_view> reason_of_skipped_tactic(std::string_view message) {
  const std::size_t at = message.find("Skipping tactic");
  if (at == std::string_view::npos) return std::nullopt;
  const std::size_t reason = message.find("due to", at);
  if (reason == std::string_view::npos) return message.substr(at);
  return message.substr(reason, message.find(" on requested size", reason) - reason);  // the size and the tactic follow
}

std::string_view advice_about(std::string_view errors) {
  const auto* const known =
      std::ranges::find_if(kKnown, [&](const Known& row) { return errors.find(row.words) != std::string_view::npos; });
  return known == kKnown.end() ? std::string_view() : known->advice;
}

void LoggedErrors::add(std::string_view message) {
  constexpr std::size_t kFirst = 5;
  constexpr std::size_t kNewest = 15;
  if (reason_of_skipped_tactic(message)) {
    skipped_ = message;
    return;
  }
  if (std::ranges::find(first_, message) != first_.end() || std::ranges::find(newest_, message) != newest_.end())
    return;
  if (first_.size() < kFirst) {
    first_.emplace_back(message);
    return;
  }
  newest_.emplace_back(message);
  if (newest_.size() <= kNewest) return;
  newest_.pop_front();
  ++left_out_;
}

void LoggedErrors::clear() {
  *this = {};
}

std::vector<std::string> LoggedErrors::texts() const {
  std::vector<std::string> texts = first_;
  if (left_out_ > 0) texts.push_back(fmt::format("({} errors are left out)", left_out_));
  texts.insert(texts.end(), newest_.begin(), newest_.end());
  const auto lacks_tactics = [](const std::string& text) {
    return text.find("Could not find any implementation") != std::string::npos;
  };
  if (!skipped_.empty() && std::ranges::any_of(texts, lacks_tactics)) texts.push_back(skipped_);
  return texts;
}

}  // namespace assay::backend
