#include "diagnose/journal.h"

#include <gtest/gtest.h>

#include <limits>
#include <nlohmann/json.hpp>

#include "base/files.h"
#include "base/temp_dir.h"

namespace assay::diagnose {
namespace {

State sample() {
  State state{.identity = "model\n--onnxrt", .steps = {}, .facts = {}};
  Step step{.name = "compare", .answer = {}, .cut_short = true};
  step.answer.question = "Does it agree?";
  step.answer.mark = report::Mark::bad;
  step.answer.answer = "no";
  step.answer.seconds = 1.5;
  step.answer.tables = {{.title = "Comparisons", .columns = {"First", "Error"}, .rows = {{"a", "0.1"}}}};
  state.steps = {step};
  state.facts.failure = Failure::differs;
  state.facts.faulty_side = 1;
  state.facts.good_side = kGolden;
  state.facts.good_is_sure = false;
  state.facts.versions = {{"onnxrt N0", "1.31.1"}};
  state.facts.slowest_s = 2.5;
  state.facts.engine_s = {{"onnxrt N0", 2.5}};
  state.facts.hung_s = 6.5;
  state.facts.refuses_all = true;
  state.facts.is_intermittent = true;
  state.facts.note = "'y' has the values of 'z'";
  state.facts.no_floor = "there is no Python";
  state.facts.setting = {
      .text = "A is disabled", .options = {{"k", "v"}}, .level = "L", .optimizers = {"A"}, .plain = {}};
  state.facts.place.node = {.op_type = "Conv", .title = "Conv 'c'", .text = "Conv 'c' (node #3)"};
  state.facts.layers = {
      {.name = "x", .absolute = 0.5, .relative = 2, .norm = 1, .agrees = false, .origin = report::Origin::born}};
  state.facts.minimal.file = "m.onnx";
  state.facts.minimal.lines = {"Conv (node #0)"};
  state.facts.minimal.outer = {{.op_type = "Conv", .title = "Conv", .text = "Conv (node #0)"}};
  state.facts.minimal.checks = {{.seconds = 0.5, .nodes = 3, .failed = true, .pass = "nodes"}};
  state.facts.minimal.proof = {{.title = "Candidates", .columns = {"Tried"}, .rows = {{"without Conv"}}}};
  state.facts.known = {.what = "rounds", .link = "https://example.org"};
  return state;
}

TEST(Journal, KeepsTheState) {
  const auto folder = base::TempDir::create();
  ASSERT_TRUE(folder);
  ASSERT_TRUE(save_state(sample(), folder->path()));
  const auto loaded = load_state(folder->path());
  ASSERT_TRUE(loaded && *loaded);
  EXPECT_EQ(to_json(**loaded), to_json(sample()));
  EXPECT_EQ((*loaded)->facts.failure, Failure::differs);
  EXPECT_EQ((*loaded)->facts.good_side, kGolden);
  EXPECT_EQ((*loaded)->facts.no_floor, "there is no Python");
  EXPECT_EQ((*loaded)->facts.hung_s, 6.5);
  EXPECT_TRUE((*loaded)->facts.refuses_all);
  EXPECT_TRUE((*loaded)->facts.is_intermittent);
  EXPECT_EQ((*loaded)->facts.note, "'y' has the values of 'z'");
  EXPECT_EQ((*loaded)->facts.layers.at(0).origin, report::Origin::born);
  EXPECT_EQ((*loaded)->facts.minimal.checks.at(0).nodes, 3);
  EXPECT_TRUE((*loaded)->facts.minimal.checks.at(0).failed);
  EXPECT_EQ((*loaded)->facts.minimal.proof.at(0).rows.at(0).at(0), "without Conv");
  ASSERT_NE((*loaded)->find("compare"), nullptr);
  EXPECT_TRUE((*loaded)->find("compare")->cut_short);
  EXPECT_EQ((*loaded)->find("locate"), nullptr);
}

TEST(Journal, OfAnOlderVersionLacksFields) {
  auto json = nlohmann::ordered_json::parse(to_json(sample()));
  for (const char* field : {"hung_s", "is_intermittent", "refuses_all", "note", "is_moved", "moves_all", "no_floor"}) {
    EXPECT_EQ(json["facts"].erase(field), 1) << field;
  }
  EXPECT_EQ(json["facts"]["place"].erase("together"), 1);
  EXPECT_EQ(json["facts"]["place"].erase("confirmed"), 1);
  EXPECT_EQ(json["facts"]["place"].erase("node_title"), 1);
  EXPECT_EQ(json["facts"]["place"].erase("node_op_type"), 1);
  EXPECT_EQ(json["facts"]["minimal"].erase("outer"), 1);
  const auto state = parse_state(json.dump());
  ASSERT_TRUE(state) << state.error().message();
  EXPECT_EQ(state->facts.hung_s, 0);
  EXPECT_EQ(state->facts.note, "");
  EXPECT_EQ(state->facts.versions, sample().facts.versions);
  json["facts"].erase("versions");
  EXPECT_FALSE(parse_state(json.dump()));
}

TEST(Journal, KeepsInfiniteErrors) {
  State state = sample();
  state.facts.layers.at(0).relative = std::numeric_limits<double>::infinity();
  EXPECT_EQ(parse_state(to_json(state))->facts.layers.at(0).relative, std::numeric_limits<double>::infinity());
}

TEST(Journal, MayBeMissing) {
  const auto folder = base::TempDir::create();
  ASSERT_TRUE(folder);
  const auto loaded = load_state(folder->path());
  ASSERT_TRUE(loaded);
  EXPECT_FALSE(*loaded);
}

TEST(Journal, DamagedIsAnErrorThatNamesTheFile) {
  const auto folder = base::TempDir::create();
  ASSERT_TRUE(folder);
  for (const char* text : {"", "{", "[]", "{\"version\": 1}", "{\"version\": 77}"}) {
    ASSERT_TRUE(base::write_file(journal_file(folder->path()), text));
    const auto loaded = load_state(folder->path());
    ASSERT_FALSE(loaded) << text;
    EXPECT_NE(loaded.error().message().find("diagnosis.json"), std::string::npos) << loaded.error().message();
    EXPECT_EQ(loaded.error().message().find("json.exception"), std::string::npos) << loaded.error().message();
  }
}

}  // namespace
}  // namespace assay::diagnose
