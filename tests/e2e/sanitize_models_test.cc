// `surgeon sanitize` on real models: what its passes remove computes nothing, so every output stays the same, bit by
// bit, in an engine that changes nothing by itself.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <string>
#include <utility>

#include "tests/e2e/workspace.h"
#include "tests/support/paths.h"

namespace assay::e2e {
namespace {

class SanitizeModels : public EngineWorkspace {
 protected:
  // Sanitizes a model with these options. Returns the numbers of nodes before and after.
  [[nodiscard]] std::pair<std::size_t, std::size_t> expect_equal_outputs(const std::filesystem::path& model,
                                                                         const Words& options) const {
    Words sanitize = {"surgeon", "sanitize", model.string(), "-o", "small.onnx"};
    sanitize.insert(sanitize.end(), options.begin(), options.end());
    passes(sanitize);
    const Words exact = {"--onnxrt", "--graph-optimization-level", "ORT_DISABLE_ALL", "--seed", "3"};
    Words before = {"run", model.string(), "--save-inputs", "in.json", "--save-outputs", "out.json"};
    Words after = {"run",    "small.onnx", "--load-inputs", "in.json", "--load-outputs",      "out.json",
                   "--rtol", "0",          "--atol",        "0",       "--nans-compare-equal"};
    before.insert(before.end(), exact.begin(), exact.end());
    after.insert(after.end(), exact.begin(), exact.end());
    passes(before);
    passes(after);
    std::filesystem::remove(path("in.json"));
    return {operators(model.string()).size(), operators("small.onnx").size()};
  }
};

TEST_F(SanitizeModels, RemovingNoOpsAndDuplicatesChangesNoOutput) {
  const Words both = {"--remove-no-ops", "--merge-duplicates"};
  for (const char* name : {"light_squeezenet", "mnist_quantized", "scan_1", "polygraphy_reduce_example"}) {
    SCOPED_TRACE(name);
    const auto [before, after] = expect_equal_outputs(test::models_dir() / (std::string(name) + ".onnx"), both);
    EXPECT_LE(after, before);
  }
}

// Each layer computes the shapes again.
TEST_F(SanitizeModels, ALanguageModelLosesManyNodes) {
  const auto shared = test::shared_dir();
  if (!shared) GTEST_SKIP() << test::kNoSharedDir;
  const auto [before, after] =
      expect_equal_outputs(*shared / "models/gpt2_past.onnx", {"--remove-no-ops", "--merge-duplicates"});
  EXPECT_LT(after, before * 7 / 10);
}

}  // namespace
}  // namespace assay::e2e
