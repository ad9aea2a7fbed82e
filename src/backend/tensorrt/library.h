// TensorRT's shared libraries: the engine, and next to it the parser of ONNX models. They are opened at run time, so
// that the user can debug the very libraries that fail.
//
// Only C functions appear here. What they return are C++ objects, for which TensorRT's headers are needed (sdk/).
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <tl/expected.hpp>

#include "backend/serve/serve.h"
#include "tensorrt/version.h"

namespace assay::backend {

// Stays open for the life of the process.
class TensorRtLibrary {
 public:
  // Opens the libnvinfer.so at `path`. `major`: the version of the headers with which its objects will be used. Returns
  // a Refused if it isn't TensorRT, or of another major version: its objects have other functions.
  static Answer<TensorRtLibrary> open(const std::string& path, int major);

  // The entry points of NvInfer.h and NvInferRuntime.h. `logger` is an ILogger; `version` must be number().
  using Create = void* (*)(void* logger, int version) noexcept;
  Create create_builder = nullptr;  // IBuilder; null on failure
  Create create_runtime = nullptr;  // IRuntime; null on failure, but not if there is no GPU
  // `engine` is an ICudaEngine. Returns an IRefitter; null on failure.
  using CreateRefitter = void* (*)(void* engine, void* logger, int version) noexcept;
  struct Refitters {
    CreateRefitter create = nullptr;  // null if the library has none
    int version = 0;                  // what it must be given
  };

  // Returns the version as TensorRT counts it: 101501 for 10.15.1.
  [[nodiscard]] int number() const { return number_; }
  [[nodiscard]] tensorrt::Version version() const { return tensorrt::Version::from_number(number_); }

  // Returns the version of the library that made this object, which must have virtual functions. An engine may be run
  // by a lean runtime: that of --load-runtime, or the one that a version-compatible engine contains. Its functions are
  // those of that runtime's version. Returns nullopt if the version is unknown.
  static std::optional<tensorrt::Version> version_that_made(const void* object);

  // Returns what creates refitters for this engine. Another library than the one that made the engine can't refit it.
  [[nodiscard]] Refitters refitters_of(const void* engine) const;

  // The entry points of NvOnnxParser.h. `filled` is an INetworkDefinition for IParser, and an IRefitter for
  // IParserRefitter.
  using CreateParser = void* (*)(void* filled, void* logger, int version) noexcept;
  // Opens the parser's library: in the folder of libnvinfer.so, else where the system finds it. Returns the function
  // that creates an IParser, or a Refused if there is none.
  [[nodiscard]] Answer<CreateParser> open_parser() const;
  // The same for IParserRefitter.
  [[nodiscard]] Answer<CreateParser> open_parser_refitter() const;
  // Opens NVIDIA's plug-ins and registers them, if they are installed. Without them, models with such nodes are refused
  // by the parser, so a missing library isn't an error. Returns why an installed library can't be opened, or nothing.
  [[nodiscard]] std::optional<std::string> register_plugins(void* logger) const;

 private:
  // Opens another library of the same release: "libnvonnxparser". The error is the loader's reason.
  [[nodiscard]] tl::expected<void*, std::string> open_companion(const std::string& name) const;
  // Returns the path that it has in the folder of libnvinfer.so, whether it is there or not.
  [[nodiscard]] std::filesystem::path companion(const std::string& name) const;
  // Returns this function of the parser's library.
  [[nodiscard]] Answer<CreateParser> find_in_parser(const char* function) const;

  std::string path_;
  int number_ = 0;
  CreateRefitter create_refitter_ = nullptr;
};

}  // namespace assay::backend
