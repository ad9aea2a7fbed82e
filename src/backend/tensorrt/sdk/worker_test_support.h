// Shared by the tests of the whole worker. They run it with stand-ins for TensorRT and NVIDIA's driver
// (tests/fakes/tensorrt), since no test can count on a GPU. They show that our code calls TensorRT as its headers say,
// not that TensorRT computes as it should.
#pragma once

#include <fmt/format.h>
#include <gmock/gmock.h>

#include <cstdlib>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "backend/engine_test_support.h"
#include "backend/find_engines.h"
#include "backend/tensorrt/sdk/headers.h"
#include "base/files.h"
#include "base/stop.h"
#include "base/temp_dir.h"
#include "tensorrt/encode_settings.h"
#include "tests/support/paths.h"

namespace assay::backend {

inline constexpr auto kModel = R"(<ir_version: 8, opset_import: ["" : 17]>
  g (float[N, 2] x) => (float[N, 2] y) { s = Add(x, x) y = Relu(s) })";

// Skips a test of settings that TensorRT 11 doesn't have.
#define ASSAY_NEEDS_TENSORRT_10() \
  if (!ASSAY_TENSORRT_UNTIL_10) GTEST_SKIP() << "the headers are those of TensorRT 11, which removed these settings"

class TensorRt : public testing::Test {
 protected:
  void SetUp() override {
    ::setenv("LD_LIBRARY_PATH", test::fake("tensorrt/fake_cuda").c_str(), 1);
    pool_.emplace(worker::Pool::Options{.worker_dir = test::workers_dir()}, stop_);
  }
  void TearDown() override {
    for (const char* variable : {"ASSAY_FAKE_TENSORRT", "ASSAY_FAKE_CUDA", "LD_LIBRARY_PATH"}) ::unsetenv(variable);
  }

 public:
  TensorRt& with(const std::string& setting, tensorrt::Words words = {}) {
    given_.add(setting, std::move(words));
    return *this;
  }
  TensorRt& with_option(const std::string& option, const std::string& value) {
    options_[option] = value;
    return *this;
  }

 protected:
  worker::Outcome<std::unique_ptr<worker::Session>> load(const worker::ModelSource& model, worker::Limits limits = {}) {
    auto options = tensorrt::encode_settings(given_);
    options.insert(options_.begin(), options_.end());
    return pool_->load(make_engine_spec(*find_engine_row("tensorrt"), library_, std::move(options)), model, limits);
  }
  worker::Outcome<worker::InferResult> run(const worker::ModelSource& model, const tensor::NamedTensors& feeds) {
    auto session = load(model);
    if (!session) return tl::make_unexpected(session.error());
    return (*session)->infer(feeds, {}, {});
  }
  std::string run_error(const tensor::Tensor& x, worker::Phase phase) {
    const auto result = run(test::from_text(kModel), test::named("x", x));
    return result ? "no error" : test::message(result.error(), phase);
  }
  std::string load_error(const worker::ModelSource& model, worker::Phase phase) {
    const auto session = load(model);
    return session ? "no error" : test::message(session.error(), phase);
  }
  // Makes the stand-in misbehave in workers that start from now on.
  static void misbehave(const char* how) { ::setenv("ASSAY_FAKE_TENSORRT", how, 1); }
  static std::string library() { return test::fake(fmt::format("tensorrt/sdk/libnvinfer.so.{}", NV_TENSORRT_MAJOR)); }
  // Runs models in TensorRT 10.0 or 11.0, for which copies of the stand-in in a folder "lean" stand.
  void use_oldest_library() {
    const std::filesystem::path folder = std::filesystem::path(library()).parent_path();
    std::filesystem::create_directory(path("lean"));
    for (const std::string& file :
         {fmt::format("libnvinfer.so.{}", NV_TENSORRT_MAJOR), fmt::format("libnvonnxparser.so.{}", NV_TENSORRT_MAJOR),
          std::string("libnvinfer_builder_resource_fake.so")}) {
      std::filesystem::copy_file(folder / file, path("lean/" + file));
    }
    library_ = path(fmt::format("lean/libnvinfer.so.{}", NV_TENSORRT_MAJOR));
  }
  std::string path(const std::string& name) const { return (folder_.path() / name).string(); }
  // Returns what the stand-in remembers of an engine, as JSON: its settings, profiles and graph.
  std::string plan(const std::string& file) const {
    const std::string text = base::read_file(path(file)).value();
    return text.substr(text.find('\n') + 1);
  }

  base::TempDir folder_ = base::TempDir::create().value();
  base::Stop stop_;
  std::optional<worker::Pool> pool_;
  std::string library_ = library();
  tensorrt::GivenSettings given_;
  std::map<std::string, std::string> options_;
};

inline std::vector<float> values(const tensor::Tensor& tensor) {
  std::vector<float> values;
  for (std::uint64_t i = 0; i < tensor.size(); ++i) values.push_back(tensor.load<float>(i));
  return values;
}

inline std::vector<std::string> texts(const std::vector<worker::EngineMessage>& messages, base::Level level) {
  std::vector<std::string> texts;
  for (const worker::EngineMessage& message : messages) {
    if (message.level == level) texts.push_back(message.text);
  }
  return texts;
}

}  // namespace assay::backend
