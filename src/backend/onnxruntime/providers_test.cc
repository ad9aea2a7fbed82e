#include "backend/onnxruntime/providers.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/support/fetched.h"

namespace assay::backend {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::Pair;

const std::vector<std::string> kUsed = {"CUDAExecutionProvider", "QNNExecutionProvider", "CPUExecutionProvider"};

std::string refusal(const std::map<std::string, std::string>& options, const std::vector<std::string>& used = kUsed) {
  const auto sorted = options_by_provider(options, used);
  return sorted ? "accepted" : sorted.error().failed.message;
}

TEST(ProvidersTest, PartOfANameSaysWhoseOptionItIs) {
  const auto sorted = options_by_provider(
      {{"cuda.device_id", "1"}, {"qnn.backend_path", "a.b.so"}, {"QNNExecutionProvider.x.y", "2"}}, kUsed);
  ASSERT_TRUE(sorted);
  EXPECT_THAT(*sorted,
              ElementsAre(Pair("CUDAExecutionProvider", ElementsAre(Pair("device_id", "1"))),
                          Pair("QNNExecutionProvider", ElementsAre(Pair("backend_path", "a.b.so"), Pair("x.y", "2")))));
}

TEST(ProvidersTest, OptionsThatCannotTakeEffectAreRefused) {
  EXPECT_THAT(refusal({{"openvino.device_type", "GPU"}}), AllOf(HasSubstr("isn't used"), HasSubstr("QNN")));
  EXPECT_THAT(refusal({{"cuda.device_id", "1"}}, {}),
              AllOf(HasSubstr("--provider-options: "), HasSubstr("Those used are CPUExecutionProvider")));
  EXPECT_THAT(refusal({{"cpu.arena", "1"}}), HasSubstr("has no options. Leave it out"));
  EXPECT_THAT(refusal({{"cpu.arena", "1"}}, {}), HasSubstr("has no options. Leave it out"));
  for (const char* name : {"device_id", ".device_id", "cuda."}) {
    EXPECT_THAT(refusal({{name, "1"}}), HasSubstr("PROVIDER.KEY=VALUE"));
  }
}

// ONNX Runtime itself refuses empty values.
TEST(ProvidersTest, OptionsReachOnnxRuntime) {
  if (test::fetched_onnxruntime().empty()) GTEST_SKIP() << test::kNoOnnxRuntime;
  const auto library = OnnxRuntimeLibrary::open(test::fetched_onnxruntime());
  ASSERT_TRUE(library);
  OrtSessionOptions* raw = nullptr;
  ASSERT_TRUE(library->check(library->api().CreateSessionOptions(&raw), worker::Phase::start));
  const Owned<OrtSessionOptions> options(raw, library->api().ReleaseSessionOptions);
  const std::string azure = "AzureExecutionProvider";
  EXPECT_TRUE(append_providers(*library, {azure}, {{azure, {{"key", "5"}}}}, raw));
  const auto refused = append_providers(*library, {azure}, {{azure, {{"key", ""}}}}, raw);
  ASSERT_FALSE(refused);
  EXPECT_THAT(refused.error().failed.message, AllOf(HasSubstr(azure), HasSubstr("cannot be empty")));
}

}  // namespace
}  // namespace assay::backend
