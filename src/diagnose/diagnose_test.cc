#include "diagnose/diagnose.h"

#include <gtest/gtest.h>

#include <filesystem>

#include "base/temp_dir.h"
#include "diagnose/conclusion.h"
#include "diagnose/journal.h"
#include "diagnose/report_text.h"
#include "diagnose/steps/note_refusal.h"
#include "model/load.h"

namespace assay::diagnose {
namespace {

constexpr const char* kModel = R"(
<ir_version: 8, opset_import: ["" : 17]>
g (float[2] x) => (float[2] y) { y = Relu(x) })";

NodeLabel label(const std::string& op_type, const std::string& name, int index) {
  onnx::NodeProto node;
  node.set_op_type(op_type);
  node.set_name(name);
  return label_of(node, index);
}

// Steps that need no engine.
class DiagnoseTest : public testing::Test {
 protected:
  void SetUp() override {
    ASSERT_TRUE(model_ && folder_);
    task_.folder = folder_->path();
    tensor::NamedTensors inputs;
    inputs.set("x", tensor::Tensor::of(tensor::ElementType::float32, {2}, std::vector<float>{1, -1}));
    task_.inputs = {inputs};
    for (const StepRow& row : steps()) {
      if (row.name != "inputs" && row.name != "model") options_.skip.insert(std::string(row.name));
    }
    options_.step_begins = [this](const StepRow& row) { begun_.emplace_back(row.name); };
  }

  base::Expected<State> run(State state = {}) {
    return diagnose(task_, std::move(state), options_, pool_, log_, stop_);
  }

  base::Expected<model::Model> model_ = model::parse_text(kModel);
  base::Expected<base::TempDir> folder_ = base::TempDir::create();
  Case task_{.model = *model_};
  DiagnoseOptions options_;
  base::Stop stop_;
  base::SilentLog log_;
  worker::Pool pool_{{.worker_dir = ".", .max_idle = 1}, stop_};
  std::vector<std::string> begun_;
};

TEST_F(DiagnoseTest, EveryStepIsAnsweredInTheOrderOfTheTable) {
  const auto state = run();
  ASSERT_TRUE(state) << state.error().message();
  ASSERT_EQ(state->steps.size(), steps().size());
  for (std::size_t i = 0; i < steps().size(); ++i) EXPECT_EQ(state->steps[i].name, steps()[i].name);
  EXPECT_EQ(state->find("model")->answer.mark, report::Mark::good);
  EXPECT_EQ(state->find("reduce")->answer.mark, report::Mark::skipped);
  EXPECT_EQ(conclude(task_, *state).outcome, Conclusion::Outcome::healthy);
}

// ONNX's checker demands the shape, but doesn't say of which output. Engines don't need it.
TEST_F(DiagnoseTest, AnOutputWithoutAShapeIsNoted) {
  model_->graph().mutable_output(0)->mutable_type()->mutable_tensor_type()->clear_shape();
  const auto state = run();
  ASSERT_TRUE(state) << state.error().message();
  EXPECT_EQ(state->find("model")->answer.mark, report::Mark::note);
  EXPECT_EQ(state->find("model")->answer.answer, "no: The output 'y' declares no shape");
  EXPECT_EQ(conclude(task_, *state).outcome, Conclusion::Outcome::healthy);
}

TEST_F(DiagnoseTest, ResumesAfterTheLastFinishedStep) {
  const auto whole = run();
  ASSERT_TRUE(whole);
  State part = *whole;
  part.steps.resize(4);
  begun_.clear();
  const auto resumed = run(part);
  ASSERT_TRUE(resumed);
  ASSERT_FALSE(begun_.empty());
  EXPECT_EQ(begun_.front(), steps()[4].name);
  EXPECT_EQ(begun_.size(), steps().size() - 4);
  EXPECT_EQ(resumed->steps.size(), steps().size());
}

TEST_F(DiagnoseTest, AStopLeavesTheJournalOfTheFinishedSteps) {
  options_.step_ends = [&](const StepRow& row, const Step&) {
    if (row.name == "inputs") stop_.request();
  };
  const auto stopped = run();
  ASSERT_FALSE(stopped);
  EXPECT_EQ(stopped.error().kind, base::ErrorKind::interrupted);
  const auto kept = load_state(task_.folder);
  ASSERT_TRUE(kept && *kept);
  EXPECT_EQ((*kept)->steps.size(), 1);
}

TEST_F(DiagnoseTest, EndsIfTheInputsCannotBeSaved) {
  std::filesystem::create_directory(task_.inputs_file());
  const auto state = run();
  ASSERT_FALSE(state);
  EXPECT_NE(state.error().message().find("inputs.json"), std::string::npos) << state.error().message();
  EXPECT_TRUE(begun_.empty());
}

TEST_F(DiagnoseTest, AnExhaustedBudgetLeavesStepsUnanswered) {
  options_.budget_s = 5;
  State used;
  used.steps.push_back({.name = "inputs", .answer = {}, .cut_short = false});
  used.steps.back().answer.seconds = 6;
  const auto state = run(used);
  ASSERT_TRUE(state);
  EXPECT_TRUE(state->find("model")->cut_short);
  EXPECT_EQ(state->find("model")->answer.mark, report::Mark::unknown);
}

// More time than was used before: the steps that were cut short are asked again, and those that built on them.
TEST_F(DiagnoseTest, AResumedDiagnosisRepeatsWhatTheBudgetCutShort) {
  State cut;
  for (const StepRow& row : steps()) {
    cut.steps.push_back({.name = std::string(row.name), .answer = {}, .cut_short = row.name == "settings"});
    cut.steps.back().answer.seconds = 1;
    cut.steps.back().answer.question = row.question;
  }
  cut.facts.known.link = "a link";
  cut.facts_before_cut = Facts{};
  EXPECT_EQ(unfinished(cut), std::vector<std::string>{"Which setting matters?"});
  const auto read = parse_state(to_json(cut));
  ASSERT_TRUE(read) << read.error().message();

  options_.budget_s = 11;  // 10 s were used, 4 of them for the steps to repeat
  ASSERT_TRUE(run(*read));
  EXPECT_TRUE(begun_.empty());
  options_.budget_s = 100;
  const auto state = run(*read);
  ASSERT_TRUE(state);
  EXPECT_EQ(begun_, (std::vector<std::string>{"settings", "locate", "reduce", "known"}));
  EXPECT_EQ(state->facts.known.link, "");
  EXPECT_EQ(state->steps.size(), steps().size());
}

TEST_F(DiagnoseTest, ADifferenceWithoutANoiseFloorSaysSo) {
  const run::EngineSetup engine{.runner = "onnxrt", .engine = "ONNX Runtime", .spec = {}, .limits = {}};
  task_.sides = {{.setup = engine}, {.setup = engine}};
  State state;
  state.facts.failure = Failure::differs;
  state.facts.faulty_side = 0;
  state.facts.good_side = 1;
  EXPECT_EQ(to_text(task_, state).find("Not measured"), std::string::npos);
  state.facts.no_floor = "there is no Python. Install it";
  EXPECT_NE(to_text(task_, state)
                .find("\nNot measured: how much of the difference rounding explains, since there is no Python. "
                      "Install it"),
            std::string::npos);
}

TEST_F(DiagnoseTest, AModelThatFailsWithOpenSizesOfOneSaysSo) {
  const auto open = model::parse_text(R"(<ir_version: 8, opset_import: ["" : 17]>
      g (float[n] x) => (float[n] y) { y = Relu(x) })");
  ASSERT_TRUE(open);
  Case task{.model = *open};
  task.sides = {{.setup = {.runner = "onnxrt", .engine = "ONNX Runtime", .spec = {}, .limits = {}}}};
  const auto text_for = [&](tensor::Shape shape, const std::string& note = "") {
    const std::vector<float> values(static_cast<std::size_t>(shape[0]), 1.0F);
    tensor::NamedTensors inputs;
    inputs.set("x", tensor::Tensor::of(tensor::ElementType::float32, std::move(shape), values));
    task.inputs = {inputs};
    State state;
    state.facts.failure = Failure::refused;
    state.facts.phase = "run";
    state.facts.note = note;
    state.facts.faulty_side = 0;
    return to_text(task, state);
  };
  const std::string hint =
      "\nThe dynamic dimensions of 'x' were set to 1. The model may run with others: --input-shapes sets them";
  EXPECT_NE(text_for({1}).find(hint), std::string::npos) << text_for({1});
  const std::string note = "The engine runs the model with --input-shapes x:[8]";
  EXPECT_NE(text_for({1}, note).find("\n" + note), std::string::npos) << text_for({1}, note);
  EXPECT_EQ(text_for({1}, note).find(hint), std::string::npos) << text_for({1}, note);
  EXPECT_EQ(text_for({2}).find("dynamic dimensions"), std::string::npos);
  task.shaped_inputs = {"x"};  // the user has chosen 1
  EXPECT_EQ(text_for({1}).find("dynamic dimensions"), std::string::npos);
  task.shaped_inputs.clear();
  task.inputs_are_random = false;
  EXPECT_EQ(text_for({1}).find("dynamic dimensions"), std::string::npos);
}

TEST_F(DiagnoseTest, ResultsOfAModelBeforeQuantizationLeadToAnotherCommand) {
  const auto text_for = [](const std::string& nodes) {
    const auto model = model::parse_text(R"(<ir_version: 8, opset_import: ["" : 17]> g (float[2] x) => (float[2] y)
        <float scale = {0.5}> { )" + nodes +
                                         " }");
    Case task{.file = "m.onnx", .model = *model};
    task.sides = {{.setup = {.runner = "onnxrt", .engine = "ONNX Runtime", .spec = {}, .limits = {}}}};
    State state;
    state.facts.failure = Failure::differs;
    state.facts.faulty_side = 0;
    state.facts.good_side = kGolden;
    state.facts.good_is_sure = false;
    return to_text(task, state);
  };
  const std::string command = "`assay debug precision FLOAT_MODEL --quantized m.onnx`";
  EXPECT_NE(text_for("q = QuantizeLinear(x, scale)  y = DequantizeLinear(q, scale)").find(command), std::string::npos);
  EXPECT_EQ(text_for("y = Mul(x, scale)").find(command), std::string::npos);
}

TEST_F(DiagnoseTest, TheVerdictNamesTheLineOfTheProgram) {
  State state;
  state.facts.failure = Failure::overflows;
  state.facts.place.node = {.op_type = "Pow", .title = "Pow 'p'", .text = "Pow 'p' (node #2)", .source = "net.py:3"};
  EXPECT_NE(to_text(task_, state).find("\nFrom net.py:3"), std::string::npos);
  state.facts.minimal.lines = {"Pow 'p' (node #0), from net.py:3"};
  EXPECT_EQ(to_text(task_, state).find("\nFrom net.py:3"), std::string::npos);
}

TEST_F(DiagnoseTest, ADefectOfARefusedModelIsNamed) {
  task_.sides.push_back({.setup = {.runner = "a", .engine = "Engine", .spec = {}, .limits = {}}});
  State state;
  state.facts.failure = Failure::refused;
  state.facts.faulty_side = 0;
  state.facts.message = "no";
  state.facts.defect = "Unrecognized attribute: axis";
  state.facts.defect_node = "Relu 'r' (node #1)";
  const std::string line = "\nThe model is invalid at Relu 'r' (node #1): Unrecognized attribute: axis";
  EXPECT_EQ(to_text(task_, state).find(line), std::string::npos) << "the engine decides";
  state.facts.defect_is_official = true;
  EXPECT_NE(to_text(task_, state).find(line), std::string::npos);
}

TEST_F(DiagnoseTest, TheVerdictNamesTheNodeInsideABody) {
  task_.sides.push_back({.setup = {.runner = "a", .engine = "Engine", .spec = {}, .limits = {}}});
  State state;
  state.facts.failure = Failure::differs;
  state.facts.faulty_side = 0;
  state.facts.place.node = label("If", "branch", 2);
  state.facts.minimal.file = "m.onnx";
  state.facts.minimal.nodes = 1;
  state.facts.minimal.outer = {label("Softsign", "s", 0)};
  EXPECT_EQ(conclude(task_, state).sentence,
            "Engine computes Softsign 's' inside If 'branch' (node #2) wrong; the smallest failing model has 1 node: "
            "m.onnx.");
  state.facts.minimal.outer = {label("If", "branch", 0)};
  EXPECT_EQ(conclude(task_, state).sentence,
            "Engine computes If 'branch' (node #2) wrong; the smallest failing model has 1 node: m.onnx.");
  state.facts.minimal.nodes = 3;
  state.facts.minimal.outer = {label("Softsign", "s", 0)};
  EXPECT_EQ(conclude(task_, state).sentence,
            "Engine computes Softsign 's' inside If 'branch' (node #2) wrong; the smallest failing model has 3 nodes: "
            "m.onnx.");
  state.facts.minimal.nodes = 1;
  state.facts.place.node = label("Conv", "c", 2);
  state.facts.minimal.outer = {label("Softsign", "s", 0)};
  EXPECT_EQ(conclude(task_, state).sentence,
            "Engine computes Conv 'c' (node #2) wrong; the smallest failing model has 1 node: m.onnx.");
}

// The engine's message names no node, so the smallest model alone tells where the failure is.
TEST_F(DiagnoseTest, TheVerdictNamesTheOnlyNodeWithItsBodies) {
  task_.sides.push_back({.setup = {.runner = "a", .engine = "Engine", .spec = {}, .limits = {}}});
  State state;
  state.facts.failure = Failure::refused;
  state.facts.message = "out of range";
  state.facts.phase = "load";
  state.facts.faulty_side = 0;
  state.facts.minimal.file = "m.onnx";
  state.facts.minimal.nodes = 5;
  state.facts.minimal.outer = {label("Loop", "l", 0)};
  EXPECT_EQ(conclude(task_, state).sentence,
            "Engine doesn't run the model (out of range) because of Loop 'l'; the smallest failing model has 5 nodes: "
            "m.onnx.");
}

// The smallest model has a node only because a model needs one: the function alone makes the engine refuse it.
TEST_F(DiagnoseTest, TheVerdictNamesAFunctionThatNoNodeCalls) {
  task_.sides.push_back({.setup = {.runner = "a", .engine = "Engine", .spec = {}, .limits = {}}});
  State state;
  state.facts.failure = Failure::refused;
  state.facts.message = "no opset";
  state.facts.phase = "load";
  state.facts.faulty_side = 0;
  state.facts.minimal.file = "m.onnx";
  state.facts.minimal.nodes = 1;
  state.facts.minimal.outer = {label("Mul", "n", 0)};
  state.facts.minimal.uncalled_functions = {"f"};
  EXPECT_EQ(conclude(task_, state).sentence,
            "Engine doesn't run the model (no opset) because of the local function 'f', even if no node calls it; the "
            "smallest failing model has 1 node: m.onnx.");
  state.facts.minimal.uncalled_functions = {"f", "g"};
  EXPECT_NE(conclude(task_, state).sentence.find("the local functions 'f', 'g', even if no node calls them"),
            std::string::npos);
  state.facts.minimal.complete = false;  // nothing has tried to remove them
  EXPECT_EQ(conclude(task_, state).sentence.find("function"), std::string::npos);
}

TEST_F(DiagnoseTest, TheVerdictNamesAllNodesThatMayBeTheCause) {
  task_.sides.push_back({.setup = {.runner = "a", .engine = "Engine", .spec = {}, .limits = {}}});
  State state;
  state.facts.failure = Failure::differs;
  state.facts.faulty_side = 0;
  state.facts.place.node = label("ConcatFromSequence", "c", 2);
  state.facts.place.together = {"SplitToSequence 's' (node #1)"};
  EXPECT_EQ(conclude(task_, state).sentence,
            "Engine computes SplitToSequence 's' (node #1) and ConcatFromSequence 'c' (node #2), between which "
            "nothing can be compared, wrong.");
  State undecided = state;
  undecided.facts.good_side = kGolden;
  undecided.facts.good_is_sure = false;
  EXPECT_EQ(
      conclude(task_, undecided).sentence,
      "Engine and the saved results differ at SplitToSequence 's' (node #1) and ConcatFromSequence 'c' (node #2), "
      "between which nothing can be compared, and it is unknown which one is right, since no independent third "
      "opinion confirms the saved results.");
  const auto read = parse_state(to_json(state));
  ASSERT_TRUE(read) << read.error().message();
  EXPECT_EQ(read->facts.place.together, state.facts.place.together);
}

// A message mentions a node, or a difference shows at it; the minimal case is proven to fail.
TEST_F(DiagnoseTest, TheMinimalCaseOverridesANodeThatIsNotConfirmed) {
  task_.sides.push_back({.setup = {.runner = "a", .engine = "Engine", .spec = {}, .limits = {}}});
  State state;
  state.facts.failure = Failure::differs;
  state.facts.faulty_side = 0;
  state.facts.place.node = label("Conv", "c", 2);
  state.facts.place.confirmed = false;
  EXPECT_EQ(conclude(task_, state).sentence, "Engine computes Conv 'c' (node #2) wrong.");
  state.facts.minimal.file = "m.onnx";
  state.facts.minimal.nodes = 1;
  state.facts.minimal.outer = {label("Softsign", "s", 0)};
  EXPECT_EQ(conclude(task_, state).sentence,
            "Engine computes Softsign 's' wrong; the smallest failing model has 1 node: m.onnx.");
  state.facts.minimal.outer = {label("Conv", "c", 0)};
  EXPECT_EQ(conclude(task_, state).sentence,
            "Engine computes Conv 'c' (node #2) wrong; the smallest failing model has 1 node: m.onnx.");
  const auto read = parse_state(to_json(state));
  ASSERT_TRUE(read) << read.error().message();
  EXPECT_FALSE(read->facts.place.confirmed);
}

TEST_F(DiagnoseTest, AnEngineThatFailsOnlySometimesSaysSo) {
  task_.sides.push_back({.setup = {.runner = "a", .engine = "Engine", .spec = {}, .limits = {}}});
  Trial failed;
  failed.phase = "run";
  failed.failure = "out of luck";
  State state;
  note_refusal(task_, 0, failed, state.facts);
  EXPECT_FALSE(state.facts.is_intermittent);
  EXPECT_EQ(conclude(task_, state).sentence, "Engine doesn't run the model (out of luck).");
  state.facts = {};
  state.facts.versions["a"] = "";
  note_refusal(task_, 0, failed, state.facts);
  EXPECT_EQ(describe_refusal(task_, state.facts),
            "Engine fails in phase run: out of luck; it has run the model before, so it fails only sometimes");
  EXPECT_EQ(conclude(task_, state).sentence, "Engine doesn't always run the model (out of luck).");
  state.facts.hung_s = 5;
  EXPECT_EQ(conclude(task_, state).sentence, "Engine sometimes hangs: out of luck.");
}

TEST_F(DiagnoseTest, NanWithoutASecondOpinionIsNotBlamedOnTheModelAlone) {
  task_.sides.push_back({.setup = {.runner = "a", .engine = "Engine", .spec = {}, .limits = {}}});
  State state;
  state.facts.failure = Failure::not_finite;
  state.facts.faulty_side = 0;
  state.facts.place.node = label("Log", "l", 0);
  state.facts.place.tensor = "l";
  EXPECT_EQ(conclude(task_, state).sentence, "The model or its inputs lead to NaN, first at Log 'l' (node #0).");
  state.facts.good_is_sure = false;
  EXPECT_EQ(conclude(task_, state).sentence,
            "Engine, the model or its inputs lead to NaN, first at Log 'l' (node #0), and it is unknown which, since "
            "nothing else computes this output.");
}

TEST_F(DiagnoseTest, RandomNumbersOfTwoEnginesAreNoWrongOnes) {
  const run::EngineSetup engine{.runner = "a", .engine = "Engine", .spec = {}, .limits = {}};
  const run::EngineSetup other{.runner = "b", .engine = "Other", .spec = {}, .limits = {}};
  task_.sides = {{.setup = engine}, {.setup = other}};
  State state;
  state.facts.failure = Failure::differs;
  state.facts.faulty_side = 0;
  state.facts.good_side = 1;
  state.facts.place.node = label("RandomUniformLike", "r", 2);
  EXPECT_EQ(conclude(task_, state).sentence,
            "Engine and Other draw different random numbers at RandomUniformLike 'r' (node #2), as ONNX allows.");
}

TEST_F(DiagnoseTest, IfTheVersionsOfTheModelAreRefusedNoNodeIsToBlame) {
  task_.sides.push_back({.setup = {.runner = "a", .engine = "Engine", .spec = {}, .limits = {}}});
  State state;
  state.facts.failure = Failure::refused;
  state.facts.faulty_side = 0;
  state.facts.phase = "load";
  state.facts.refuses_all = true;
  state.facts.message = "Unsupported model IR version: 99";
  state.facts.minimal.file = "m.onnx";
  state.facts.minimal.nodes = 1;
  state.facts.minimal.outer = {label("Softsign", "s", 0)};
  EXPECT_EQ(
      conclude(task_, state).sentence,
      "Engine can't run even a model of one Identity node with the same IR version and operator sets (Unsupported "
      "model IR version: 99); the smallest failing model has 1 node: m.onnx.");
}

TEST_F(DiagnoseTest, AHangIsNamed) {
  task_.sides.push_back({.setup = {.runner = "a", .engine = "Engine", .spec = {}, .limits = {}}});
  State state;
  state.facts.failure = Failure::refused;
  state.facts.faulty_side = 0;
  state.facts.phase = "load";
  state.facts.hung_s = 5;
  state.facts.message = "it had not loaded the model after 5 s";
  state.steps.push_back({.name = "reduce", .answer = {}, .cut_short = true});
  const Conclusion conclusion = conclude(task_, state);
  EXPECT_EQ(conclusion.sentence,
            "Engine hangs: it had not loaded the model after 5 s; the budget ended before the cause was found.");
  EXPECT_EQ(conclusion.outcome, Conclusion::Outcome::undecided);
  state.facts.minimal.file = "m.onnx";
  state.facts.minimal.nodes = 1;
  state.facts.minimal.outer = {label("Softsign", "s", 0)};
  EXPECT_EQ(
      conclude(task_, state).sentence,
      "Engine hangs because of Softsign 's': it had not loaded the model after 5 s; the smallest failing model has "
      "1 node: m.onnx.");
  state.facts.refuses_all = true;
  EXPECT_EQ(conclude(task_, state).sentence,
            "Engine can't run even a model of one Identity node with the same IR version and operator sets (it had not "
            "loaded the model after 5 s); the smallest failing model has 1 node: m.onnx.");
}

TEST_F(DiagnoseTest, AFailureWithoutACauseIsUndecidedIfTheBudgetEnded) {
  State state;
  task_.sides.push_back({.setup = {.runner = "a", .engine = "Engine", .spec = {}, .limits = {}}});
  state.facts.failure = Failure::differs;
  state.facts.faulty_side = 0;
  state.steps.push_back({.name = "reduce", .answer = {}, .cut_short = true});
  EXPECT_EQ(conclude(task_, state).outcome, Conclusion::Outcome::undecided);
  state.facts.minimal.file = "m.onnx";
  state.facts.minimal.nodes = 3;
  state.facts.place.node = label("Conv", "c", 3);
  state.facts.setting.text = "X is disabled";
  const Conclusion conclusion = conclude(task_, state);
  EXPECT_EQ(conclusion.outcome, Conclusion::Outcome::cause);
  EXPECT_EQ(conclusion.sentence,
            "Engine computes Conv 'c' (node #3) wrong unless X is disabled; the smallest failing model has 3 nodes: "
            "m.onnx.");
  state.facts.setting.text.clear();
  state.facts.minimal.complete = false;
  EXPECT_EQ(conclude(task_, state).outcome, Conclusion::Outcome::undecided);
}

}  // namespace
}  // namespace assay::diagnose
