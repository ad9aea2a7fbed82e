// Writes a bug report folder of a small model, for tests.
#pragma once

#include <gtest/gtest.h>

#include <filesystem>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "base/files.h"
#include "base/temp_dir.h"
#include "model/load.h"
#include "report/repro.h"
#include "worker/process.h"

namespace assay::report {

inline constexpr auto kAdd = R"(<ir_version: 8, opset_import: ["" : 17]>
  g (float[2] x, bool b, string[2] s) => (float[2] y, string[2] t, bool c)
  { y = Add(x, x) t = Identity(s) c = Not(b) })";

inline tensor::Tensor floats(const std::vector<float>& values) {
  return tensor::Tensor::of<float>(tensor::ElementType::float32, {static_cast<std::int64_t>(values.size())}, values);
}

class Repro : public testing::Test {
 protected:
  explicit Repro(const char* text = kAdd)
      : folder_(base::TempDir::create().value()), model_(model::parse_text(text).value()), input_{.model = model_} {
    input_.inputs.set("x", floats({1, 2}));
    input_.inputs.set("b", tensor::Tensor::of<std::uint8_t>(tensor::ElementType::boolean, {}, {1}));
    input_.inputs.set("s", tensor::Tensor::make_strings({2}, {"one \"two\"", "gr\xc3\xbc\xc3\x9f"}).value());
    input_.inputs_from = "generated with seed 1";
    input_.check = "assay run polygraphy_debug.onnx --onnxrt";
    input_.ending = "exit status 1";
    input_.output = "it broke\n";
    input_.check_is_known = true;
    input_.versions = {{"Assay", "0.0"}, {"ONNX Runtime", "1.2.3"}};
  }
  void use(const char* text, const std::string& name, tensor::Tensor values) {
    model_ = model::parse_text(text).value();
    input_.inputs = {};
    input_.inputs.set(name, std::move(values));
  }
  std::filesystem::path at(const std::string& name) const { return folder_.path() / "r" / name; }
  std::string read(const std::string& name) const { return base::read_file(at(name)).value_or("?"); }
  base::Status write() { return write_repro(folder_.path() / "r", input_); }

  // Returns exit status and output; a signal N gives the code 128 + N.
  std::pair<int, std::string> run(const std::vector<std::string>& argv) const {
    base::Stop stop;
    const auto outcome = worker::run({.argv = argv, .environment = {}, .folder = at("")}, {}, stop);
    EXPECT_TRUE(outcome) << outcome.error().message();
    if (*outcome) return {(*outcome)->code, (*outcome)->output};
    const auto* crash = std::get_if<worker::Crashed>(&outcome->error());
    return crash != nullptr ? std::pair{128 + crash->signal, crash->last_output} : std::pair{-1, std::string()};
  }

  base::TempDir folder_;
  model::Model model_;
  ReproInput input_;
};

}  // namespace assay::report
