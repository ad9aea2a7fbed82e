// Recording and replaying tactics, with the stand-in for TensorRT. Each of its layers has three tactics, and it takes
// the first that the selector allows.
#include "backend/tensorrt/sdk/headers.h"
#if ASSAY_TENSORRT_UNTIL_10
#include <gmock/gmock.h>

#include <filesystem>
#include <nlohmann/json.hpp>

#include "backend/tensorrt/sdk/worker_test_support.h"
#include "base/files.h"
#include "tensorrt/tactic_replay.h"

namespace assay::backend {
namespace {

using tensorrt::TacticReplay;
using test::floats;
using test::from_text;
using test::named;
using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using worker::Phase;

constexpr auto kFused = R"(<ir_version: 8, opset_import: ["" : 17]>
  g (float[2, 3] x) => (float[2, 3] y) { [a] s = Add(x, x) [b] t = Add(s, x) [c] y = Relu(t) })";

class Tactics : public TensorRt {
 protected:
  // Builds the model and returns the tactics that were recorded.
  TacticReplay record(const char* model) {
    given_ = {};
    with("--save-tactics", {path("replay.json")});
    const auto session = load(from_text(model));
    if (!session) ADD_FAILURE() << worker::describe(session.error());
    given_ = {};
    return tensorrt::load_tactic_replay(path("replay.json")).value_or(TacticReplay());
  }
  void replay(const TacticReplay& replay) {
    ASSERT_TRUE(base::write_file(path("replay.json"), tensorrt::write_tactic_replay(replay)));
    with("--load-tactics", {path("replay.json")});
  }
  // Returns the tactics in the engine, by the index that the stand-in gives them.
  std::vector<int> built(const char* model) {
    with_option("save_built", path("built"));
    const auto session = load(from_text(model));
    if (!session) ADD_FAILURE() << worker::describe(session.error());
    std::vector<int> indices;
    const auto engine = nlohmann::json::parse(plan("built"));
    for (const auto& layer : engine.at("graph").at("layers")) indices.push_back(layer.at("tactic"));
    return indices;
  }
  std::vector<std::string> warnings(const char* model) {
    const auto session = load(from_text(model));
    if (!session) ADD_FAILURE() << worker::describe(session.error());
    return session ? texts((*session)->info().messages, base::Level::warning) : std::vector<std::string>();
  }
  void restart_with(const char* how) {
    misbehave(how);
    SetUp();  // a new pool, whose workers see the variable
  }
};

constexpr std::int64_t kStep = -0x0123'4567'89AB'CDEF;  // between the numbers of the stand-in's tactics

TEST_F(Tactics, AreRecordedForEachLayerOfTheEngine) {
  const TacticReplay replay = record(kFused);
  ASSERT_EQ(replay.size(), 2U);
  EXPECT_EQ(replay[0].first, "a + b");
  EXPECT_EQ(replay[1].first, "c");
  const tensorrt::Tactic& relu = replay[1].second;
  EXPECT_EQ(relu.tactic, 0);
  EXPECT_THAT(relu.inputs, ElementsAre(tensorrt::TacticTensor{"DataType.FLOAT", {3, 1}, -1, 1}));
  EXPECT_EQ(relu.outputs, relu.inputs);
}

TEST_F(Tactics, HaveTheTypesThatLayersRunIn) {
  with("--fp16").with("--save-tactics", {path("replay.json")});
  ASSERT_TRUE(load(from_text(kFused)));
  EXPECT_EQ(tensorrt::load_tactic_replay(path("replay.json")).value()[1].second.outputs[0].dtype, "DataType.HALF");
}

TEST_F(Tactics, AreThoseOfTheReplay) {
  TacticReplay changed = record(kFused);
  changed[0].second.tactic = 2 * kStep;
  changed[1].second.tactic = kStep;
  replay(changed);
  EXPECT_THAT(built(kFused), ElementsAre(0, 2, 1)) << "the second of the fused layers has their tactic";
  EXPECT_THAT(warnings(kFused), IsEmpty());
}

TEST_F(Tactics, OfLayersThatAreAlikeCanDiffer) {
  constexpr auto kAlike = R"(<ir_version: 8, opset_import: ["" : 17]>
    g (float[2, 3] x) => (float[2, 3] y) { [a] s = Relu(x) [b] y = Relu(s) })";
  TacticReplay changed = record(kAlike);
  ASSERT_EQ(changed.size(), 2U);
  changed[1].second.tactic = kStep;
  replay(changed);
  EXPECT_THAT(built(kAlike), ElementsAre(0, 1));
}

TEST_F(Tactics, AreReplayedForEachProfile) {
  TacticReplay changed = record(kModel);
  changed.at(1).second.tactic = kStep;
  replay(changed);
  for (const char* shape : {"x:[1,2]", "x:[4,2]"}) {
    with("--trt-min-shapes", {shape}).with("--trt-opt-shapes", {shape}).with("--trt-max-shapes", {shape});
  }
  EXPECT_THAT(built(kModel), ElementsAre(0, 1));
}

TEST_F(Tactics, OfLayersThatTheReplayLacksAreTensorRts) {
  TacticReplay changed = record(kFused);
  changed[0].first = "other";
  changed[1].second.tactic = kStep;
  replay(changed);
  EXPECT_THAT(built(kFused), ElementsAre(0, 0, 1));
  EXPECT_THAT(warnings(kFused),
              ElementsAre(AllOf(HasSubstr("lacks 1 of the engine's layers"), HasSubstr(": a + b")),
                          AllOf(HasSubstr("the engine lacks 1 of the tactic replay's layers"), HasSubstr(": other"))));
}

TEST_F(Tactics, ThatTensorRtDoesNotOfferAreAnError) {
  TacticReplay changed = record(kFused);
  changed[1].second.tactic = 5;
  replay(changed);
  EXPECT_THAT(load_error(from_text(kFused), Phase::build),
              AllOf(HasSubstr("doesn't offer the tactic that the replay has for the layer 'c': implementation"),
                    HasSubstr("tactic 5 |"), HasSubstr("It offers:"), HasSubstr("tactic 0 |"),
                    HasSubstr("record a new replay with --save-tactics")));
  changed[1].second = record(kFused)[1].second;
  changed[1].second.inputs[0].strides = {1, 2};
  given_ = {};
  replay(changed);
  EXPECT_THAT(load_error(from_text(kFused), Phase::build), HasSubstr("strides (1, 2)"));
}

TEST_F(Tactics, ThatTensorRtDoesNotObeyAreAnError) {
  replay(record(kFused));
  restart_with("disobey_selector");
  EXPECT_THAT(load_error(from_text(kFused), Phase::build),
              HasSubstr("TensorRT chose another tactic for the layer 'a + b' than the replay has"));
}

TEST_F(Tactics, NeedATensorRtThatAsksForThem) {
  const TacticReplay recorded = record(kFused);
  restart_with("no_selector");
  std::filesystem::remove(path("replay.json"));
  with("--save-tactics", {path("replay.json")});
  EXPECT_THAT(load_error(from_text(kFused), Phase::build), HasSubstr("so --save-tactics had no effect"));
  EXPECT_FALSE(std::filesystem::exists(path("replay.json")));
  given_ = {};
  replay(recorded);
  EXPECT_THAT(load_error(from_text(kFused), Phase::build), HasSubstr("so --load-tactics had no effect"));
}

TEST_F(Tactics, OfAFailedBuildAreNotSaved) {
  with("--save-tactics", {path("replay.json")});
  misbehave("fail_build");
  EXPECT_THAT(load_error(from_text(kFused), Phase::build), HasSubstr("Could not find any implementation"));
  EXPECT_FALSE(std::filesystem::exists(path("replay.json")));
}

TEST_F(Tactics, ComeFromAReplay) {
  with("--load-tactics", {path("missing.json")});
  EXPECT_THAT(load_error(from_text(kFused), Phase::build), HasSubstr("missing.json"));
  given_ = {};
  ASSERT_TRUE(base::write_file(path("other.json"), "{}"));
  with("--load-tactics", {path("other.json")});
  EXPECT_THAT(load_error(from_text(kFused), Phase::build), HasSubstr("not a tactic replay"));
}

}  // namespace
}  // namespace assay::backend
#endif
