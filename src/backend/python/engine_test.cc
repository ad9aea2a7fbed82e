// Tests good and bad modules of users and the reference evaluator, with the Python that scripts/setup.sh installed.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <filesystem>

#include "backend/engine_test_support.h"
#include "base/files.h"
#include "base/temp_dir.h"
#include "model/load.h"
#include "tensor/convert.h"
#include "tests/support/fetched.h"
#include "tests/support/paths.h"
#include "worker/engine.h"
#include "worker/process.h"

namespace assay::backend {
namespace {

namespace fs = std::filesystem;
using tensor::ElementType;
using tensor::Tensor;
using test::floats;
using test::from_text;
using test::message;
using test::named;
using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;
using worker::Crashed;
using worker::Failed;
using worker::InferResult;
using worker::Outcome;
using worker::Phase;
using worker::Session;

constexpr auto kDouble = R"(<ir_version: 8, opset_import: ["" : 17]>
  g (float[N, 2] x) => (float[N, 2] y, float[N, 2] z) { y = Add(x, x) z = Neg(y) })";
constexpr std::string_view kLoad = "def load(path):\n    return 2\n";

class PythonTest : public testing::Test {
 protected:
  void SetUp() override {
    python_ = test::fetched_python();
    if (python_.empty()) GTEST_SKIP() << test::kNoPython;
  }

  std::string write(const std::string& name, std::string_view content) {
    EXPECT_TRUE(base::write_file(folder_.path() / name, content));
    return (folder_.path() / name).string();
  }
  [[nodiscard]] worker::EngineSpec spec(const std::string& module) const {
    return {.kind = "python", .library = python_, .options = {{"module", module}}};
  }
  Outcome<std::unique_ptr<Session>> load(const std::string& module, const worker::ModelSource& model) {
    return pool_.load(spec(module), model, {.time_s = 60, .memory_bytes = {}});
  }
  // Runs a module with load() and this infer() on [[1, 2]].
  Outcome<InferResult> run(std::string_view infer, const worker::Limits& limits = {.time_s = 60, .memory_bytes = {}}) {
    auto session =
        load(write("user.py", "import numpy as np\n" + std::string(kLoad) + std::string(infer)), from_text(kDouble));
    if (!session) return tl::make_unexpected(session.error());
    return (*session)->infer(named("x", floats({1, 2}, {1, 2})), {}, limits);
  }
  std::string error(std::string_view infer) {
    const auto result = run(infer);
    return result ? "no error" : message(result.error(), Phase::run);
  }
  std::string start_error(std::string_view module) {
    worker::Pool pool({test::workers_dir(), 4}, stop_);
    const auto session = pool.load(spec(write("user.py", module)), from_text(kDouble), {});
    return session ? "no error" : message(session.error(), Phase::start);
  }
  Outcome<InferResult> evaluate(const worker::ModelSource& model, const tensor::NamedTensors& feeds) {
    auto session = load("reference", model);
    if (!session) return tl::make_unexpected(session.error());
    return (*session)->infer(feeds, {}, {.time_s = 60, .memory_bytes = {}});
  }

  std::string python_;
  base::TempDir folder_ = base::TempDir::create().value();
  base::Stop stop_;
  worker::Pool pool_{{test::workers_dir(), 4}, stop_};
};

// The package has DequantizeLinear since operator set 19, but most quantized models are older.
TEST_F(PythonTest, EvaluatesQuantizedModelsOfOldOperatorSets) {
  for (const char* const module : {"reference", "reference_float64"}) {
    auto session =
        load(module, from_text(R"(<ir_version: 8, opset_import: ["" : 13]> g (float[2, 2] x) => (float[2, 2] y)
        <float[2] scale = {0.5, 2}, int8[2] zero = {1, 0}> {
          q = QuantizeLinear<axis = 0>(x, scale, zero)  y = DequantizeLinear<axis = 0>(q, scale, zero) })"));
    ASSERT_TRUE(session) << describe(session.error());
    const auto result = (*session)->infer(named("x", floats({2, 2}, {1.1F, -0.4F, 2.9F, -4})), {}, {});
    ASSERT_TRUE(result) << describe(result.error());
    EXPECT_THAT(tensor::to_doubles(*result->outputs.find("y")), ElementsAre(1, -0.5, 2, -4));
  }
}

TEST_F(PythonTest, RunsAModule) {
  const std::string module = write("user.py", R"(
import numpy as np
VERSION = "my engine 3"
def load(path):
    print("told to load", path)
    assert open(path, "rb").read()
    return {"factor": np.float32(2)}
def infer(model, feeds):
    y = feeds["x"] * model["factor"]
    return {"z": -y, "y": y, "more": 1}
)");
  auto session = load(module, from_text(kDouble));
  ASSERT_TRUE(session) << describe(session.error());
  EXPECT_THAT((*session)->info().engine_version, StartsWith("my engine 3 (Python 3."));
  ASSERT_EQ((*session)->info().inputs.size(), 1U);
  EXPECT_THAT((*session)->info().inputs[0].shape, ElementsAre(-1, 2));
  for (const std::int64_t rows : {1, 0, 3}) {
    const auto result = (*session)->infer(
        named("x", floats({rows, 2}, std::vector<float>(static_cast<std::size_t>(rows) * 2, 1.5F))), {"z", "y"}, {});
    ASSERT_TRUE(result) << describe(result.error());
    EXPECT_THAT(result->outputs.names(), ElementsAre("z", "y"));
    EXPECT_EQ(result->outputs.find("z")->shape(), (tensor::Shape{rows, 2}));
  }
}

TEST_F(PythonTest, KnowsSizesThatHaveADenotation) {
  auto model = model::parse_text(R"(<ir_version: 8, opset_import: ["" : 17]>
    g (float[3, N] x) => (float[3, N] y) { y = Neg(x) })")
                   .value();
  for (auto* value : {model.graph().mutable_input(0), model.graph().mutable_output(0)}) {
    auto& shape = *value->mutable_type()->mutable_tensor_type()->mutable_shape();
    for (auto& dim : *shape.mutable_dim()) dim.set_denotation("DATA_CHANNEL");
  }
  const std::string module = write("user.py", std::string(kLoad) + "def infer(m, f):\n    return [-f['x']]\n");
  auto session = load(module, worker::ModelBytes{tensor::Buffer::own(model.proto.SerializeAsString()), {}});
  ASSERT_TRUE(session) << describe(session.error());
  EXPECT_THAT((*session)->info().inputs.at(0).shape, ElementsAre(3, -1));
  EXPECT_THAT((*session)->info().outputs.at(0).shape, ElementsAre(3, -1));
}

TEST_F(PythonTest, PassesWantedOutputsAndTakesStridedArrays) {
  EXPECT_EQ(error("def infer(model, feeds):\n    x = feeds['x']\n    return [(x + x).tolist() and x + x, -x - x]\n"),
            "no error");
  const auto result =
      run("def infer(model, feeds, wanted):\n    assert wanted == ['y', 'z']\n    return (feeds['x'], feeds['x'][:, "
          "::-1])\n");
  ASSERT_TRUE(result) << describe(result.error());
  EXPECT_EQ(result->outputs.find("z")->load<float>(0), 2) << "an array with negative strides";
}

TEST_F(PythonTest, ReportsInvalidOutputs) {
  const auto gives = [this](const std::string& what) {
    return error("def infer(model, feeds):\n    x = feeds['x']\n    return " + what + "\n");
  };
  EXPECT_THAT(gives("{'y': x}"), HasSubstr("returned no 'z': it returned 'y'"));
  EXPECT_THAT(gives("{}"), HasSubstr("returned no 'y', 'z': it returned none"));
  EXPECT_THAT(gives("{'Y': x, 1: x}"), HasSubstr("it returned 'Y', '1'"));
  EXPECT_THAT(gives("[x]"), HasSubstr("returned a list of 1, but the model has 2 outputs: 'y', 'z'"));
  EXPECT_THAT(gives("x"), HasSubstr("returned an object of type ndarray: it must return a dictionary"));
  EXPECT_THAT(gives("None"), HasSubstr("type NoneType"));
  EXPECT_THAT(gives("[x.astype(np.float64), x]"),
              HasSubstr("the wrong type for the output 'y': expected float32, given float64"));
  EXPECT_THAT(gives("[x, x[0]]"), HasSubstr("the wrong shape for the output 'z': expected (?, 2), given (2,)"));
  EXPECT_THAT(gives("[x, None]"), HasSubstr("an object of type NoneType for the output 'z'"));
  EXPECT_THAT(gives("[x, [[1], [1, 2]]]"), AllOf(HasSubstr("to an array failed"), HasSubstr("ValueError")));
  EXPECT_THAT(gives("[x, np.array([object()])]"), HasSubstr("an array of Python objects"));
  EXPECT_THAT(gives("[x, np.array(['2026'], dtype='datetime64')]"), HasSubstr("a type that ONNX does not have"));
  EXPECT_THAT(gives("[x, np.array(['a'])]"), HasSubstr("expected float32, given string"));
}

TEST_F(PythonTest, ReportsExceptionsOfTheModuleAndTheirLine) {
  EXPECT_THAT(error("def infer(model, feeds):\n    raise ValueError('no such luck')\n"),
              AllOf(HasSubstr("infer() of user.py failed: ValueError: no such luck"), HasSubstr("user.py:5, in infer"),
                    Not(HasSubstr("worker.py"))));
  EXPECT_THAT(error("import sys\ndef infer(model, feeds):\n    sys.exit(3)\n"), HasSubstr("it called sys.exit(3)"));
  EXPECT_THAT(error("import sys\ndef infer(model, feeds):\n    sys.exit()\n"), HasSubstr("it called sys.exit()"));
  EXPECT_THAT(error("def infer(model, feeds):\n    raise KeyboardInterrupt\n"), HasSubstr("KeyboardInterrupt"));
  EXPECT_THAT(error("def infer(model, feeds):\n    return infer(model, feeds)\n"), HasSubstr("RecursionError"));
  EXPECT_THAT(error("def infer(model):\n    return {}\n"), HasSubstr("TypeError"));
  const auto session =
      load(write("other.py", "def load(path):\n    return open(path + '.missing')\ndef infer(m, f):\n    pass\n"),
           from_text(kDouble));
  ASSERT_FALSE(session);
  EXPECT_THAT(message(session.error(), Phase::load),
              AllOf(HasSubstr("load() of other.py failed"), HasSubstr("FileNotFoundError")));
}

TEST_F(PythonTest, SurvivesAnException) {
  auto session =
      load(write("user.py", std::string(kLoad) + "def infer(model, feeds):\n    x = feeds['x']\n"
                                                 "    if len(x) == 1: raise ValueError\n    return [x, x]\n"),
           from_text(kDouble));
  ASSERT_TRUE(session);
  EXPECT_FALSE((*session)->infer(named("x", floats({1, 2}, {1, 2})), {}, {}));
  EXPECT_TRUE((*session)->infer(named("x", floats({2, 2}, {1, 2, 3, 4})), {}, {}));
}

TEST_F(PythonTest, RejectsInvalidModules) {
  EXPECT_THAT(start_error("def load(path):\n    pass\n"), HasSubstr("has no function infer()"));
  EXPECT_THAT(start_error("load = 1\ndef infer(m, f):\n    pass\n"), HasSubstr("has no function load()"));
  EXPECT_THAT(start_error("def load(:\n"), HasSubstr("SyntaxError"));
  EXPECT_THAT(start_error("import no_such_package\n"),
              HasSubstr("ModuleNotFoundError: No module named 'no_such_package'"));
  EXPECT_THAT(start_error("import sys\nsys.exit('bye')\n"), HasSubstr("it called sys.exit('bye')"));
  EXPECT_THAT(message(load("/no/such/module.py", from_text(kDouble)).error(), Phase::start),
              HasSubstr("there is no module"));
}

TEST_F(PythonTest, TakesAModuleThatWasChanged) {
  const auto gives = [this](const std::string& value) {
    const auto result = run("def infer(model, feeds):\n    return [feeds['x'] * 0 + " + value + "] * 2\n");
    return result ? result->outputs.find("y")->load<float>(0) : -1;
  };
  EXPECT_EQ(gives("1"), 1);
  EXPECT_EQ(gives("2"), 2);
}

TEST_F(PythonTest, RejectsInvalidInterpreters) {
  worker::EngineSpec none = spec("reference");
  none.library = "/no/such/python3";
  EXPECT_THAT(message(pool_.load(none, from_text(kDouble), {}).error(), Phase::start),
              HasSubstr("cannot start the interpreter /no/such/python3: No such file"));
  none.options["speed"] = "11";
  EXPECT_THAT(message(pool_.load(none, from_text(kDouble), {}).error(), Phase::start), HasSubstr("no option 'speed'"));
}

TEST_F(PythonTest, ReportsMissingPackages) {
  // A script in place of the interpreter adds -I and -S, with which Python finds no packages.
  const std::string bare = write("python3", "#!/bin/sh\nexec " + python_ + " -S -I \"$@\"\n");
  fs::permissions(bare, fs::perms::owner_all);
  worker::EngineSpec without = spec("reference");
  without.library = bare;
  EXPECT_THAT(message(pool_.load(without, from_text(kDouble), {}).error(), Phase::start),
              AllOf(HasSubstr("has no NumPy"), HasSubstr("-m pip install numpy")));
}

TEST_F(PythonTest, IsSeenToLeave) {
  const auto left = run("import os\ndef infer(model, feeds):\n    print('last words')\n    os._exit(3)\n");
  ASSERT_FALSE(left);
  const auto* crashed = std::get_if<Crashed>(&left.error());
  ASSERT_NE(crashed, nullptr) << describe(left.error());
  EXPECT_EQ(crashed->exit_code, 3);
  EXPECT_THAT(crashed->last_output, HasSubstr("last words"));
}

TEST_F(PythonTest, IsSeenToCrash) {
  const auto result = run("import ctypes\ndef infer(model, feeds):\n    ctypes.string_at(0)\n");
  ASSERT_FALSE(result);
  const auto* crashed = std::get_if<Crashed>(&result.error());
  ASSERT_NE(crashed, nullptr) << describe(result.error());
  EXPECT_NE(crashed->signal, 0);
  EXPECT_THAT(crashed->last_output, HasSubstr("in infer")) << "Python's own traceback of a crash";
}

TEST_F(PythonTest, MayHangAndEatMemory) {
  const auto hung = run("def infer(model, feeds):\n    while True: pass\n", {.time_s = 0.5, .memory_bytes = {}});
  ASSERT_FALSE(hung);
  EXPECT_TRUE(std::holds_alternative<worker::TimedOut>(hung.error())) << describe(hung.error());
  const auto ate = run("def infer(model, feeds):\n    kept = []\n    while True: kept.append(np.ones(1000000))\n",
                       {.time_s = 60, .memory_bytes = 500U << 20});
  ASSERT_FALSE(ate);
  EXPECT_TRUE(std::holds_alternative<worker::OutOfMemory>(ate.error())) << describe(ate.error());
  EXPECT_TRUE(
      std::holds_alternative<worker::OutOfMemory>(run("def infer(model, feeds):\n    np.ones(1 << 48)\n").error()));
}

TEST_F(PythonTest, MayPrintAsMuchAsItLikes) {
  EXPECT_EQ(error("import os\ndef infer(model, feeds):\n    print('x' * 5000000)\n    os.write(2, b'y' * 5000000)\n"
                  "    return [feeds['x']] * 2\n"),
            "no error");
}

TEST_F(PythonTest, ChecksItsFeeds) {
  auto session =
      load(write("user.py", std::string(kLoad) + "def infer(m, f):\n    return [f['x']] * 2\n"), from_text(kDouble));
  ASSERT_TRUE(session);
  const auto fed = [&](const tensor::NamedTensors& feeds) {
    const auto result = (*session)->infer(feeds, {}, {});
    return result ? std::string() : message(result.error(), Phase::run);
  };
  EXPECT_THAT(fed({}), HasSubstr("the input 'x' is not fed: expected float32, shape=(?, 2)"));
  EXPECT_THAT(fed(named("y", floats({1}, {1}))), HasSubstr("no input 'y'"));
  EXPECT_THAT(fed(named("x", floats({2}, {1, 2}))), HasSubstr("wrong shape: expected (?, 2), given (2,)"));
  EXPECT_THAT(fed(named("x", Tensor::of<std::int32_t>(ElementType::int32, {1, 2}, {1, 2}))), HasSubstr("wrong type"));
}

// Assay never sends such feeds, so a script in the worker's place asks the worker's code.
TEST_F(PythonTest, RejectsContradictoryFeeds) {
  const std::string module =
      write("user.py", "def load(path):\n    return 2\ndef infer(m, f):\n    return [f['x'], f['s']]\n");
  const worker::ModelSource model = from_text(R"(<ir_version: 8, opset_import: ["" : 17]>
    g (float[N, 2] x, string[N] s) => (float[N, 2] y, string[N] t) { y = Identity(x) t = Identity(s) })");
  const std::string file = write("model.onnx", std::get<worker::ModelBytes>(model).bytes.view());
  const std::string script = write("script.py", R"(
import sys
sys.path.insert(0, sys.argv[1])
from assay_python import wire
from assay_python.worker import Server

server = Server(sys.argv[2], "")
server.answer(wire.content(2, wire.content(1, sys.argv[3])), b"")

def feed(name, number, shape, *rest):
    sizes = b"".join(map(wire.varint, shape))
    return wire.content(1, wire.content(1, name) + wire.number(2, number) + wire.content(3, sizes) + b"".join(rest))

def ask(offset=0, length=8, shape=(1, 2), strings=1):
    feeds = feed("x", 1, shape, wire.number(4, offset), wire.number(5, length))
    feeds += feed("s", 8, [1], wire.content(6, "a") * strings)
    (kind, reply), = wire.fields(server.answer(wire.content(3, feeds), memoryview(bytes(8)))[0])
    print(wire.Message(reply).text(3) if kind == 1 else "accepted")

ask(length=7)
ask(length=4)
ask(offset=4)
ask(offset=1 << 63)
ask(shape=(2, 2))
ask(shape=(-1, 2))
ask(strings=2)
ask()
)");
  const auto run = worker::run(
      {.argv = {python_, script, test::workers_dir(), module, file}, .environment = {}, .folder = {}}, {}, stop_);
  ASSERT_TRUE(run && *run) << "the script can't be run";
  EXPECT_EQ((*run)->output,
            "a tensor of type float32 and shape (1, 2) has 7 bytes\n"
            "a tensor of type float32 and shape (1, 2) has 4 bytes\n"
            "the feed 'x' refers to 8 bytes at offset 4, but only 8 were sent\n"
            "the feed 'x' refers to 8 bytes at offset 9223372036854775808, but only 8 were sent\n"
            "a tensor of type float32 and shape (2, 2) has 8 bytes\n"
            "a tensor of type float32 and shape (-1, 2) has 8 bytes\n"
            "a tensor of shape (1,) has 2 elements\n"
            "accepted\n");
}

TEST_F(PythonTest, RejectsInvalidModels) {
  const std::string module = write("user.py", std::string(kLoad) + "def infer(m, f):\n    return []\n");
  const auto no_model = load(module, worker::ModelBytes{tensor::Buffer::own(std::string("no model")), {}});
  EXPECT_THAT(message(no_model.error(), Phase::load), HasSubstr("not an ONNX model"));
  const auto odd = load(module, worker::ModelBytes{tensor::Buffer::own(std::string("\x38\x01", 2)), {}});
  EXPECT_THAT(message(odd.error(), Phase::load), HasSubstr("TypeError")) << "a graph that is a number";
  const auto no_file = load(module, worker::ModelFile{"/no/such/model.onnx"});
  EXPECT_THAT(message(no_file.error(), Phase::load), HasSubstr("/no/such/model.onnx"));
}

// A model in memory with weights in a folder, for a module that reads files.
class PythonScratch : public PythonTest {
 protected:
  worker::ModelSource with_weights() {
    const std::vector<float> weights = {1, 2};
    EXPECT_TRUE(base::write_file(folder_.path() / "weights" / "w.bin",
                                 std::string_view(reinterpret_cast<const char*>(weights.data()), 8)));
    auto model = model::parse_text(R"(<ir_version: 8, opset_import: ["" : 17]>
      g (float[2] x) => (float[2] y) <float[2] w = {0, 0}> { y = Add(x, w) })");
    auto& w = *model->proto.mutable_graph()->mutable_initializer(0);
    w.clear_float_data();
    w.clear_raw_data();
    w.set_data_location(onnx::TensorProto::EXTERNAL);
    for (const auto& [key, value] : {std::pair("location", "w.bin"), {"offset", "0"}, {"length", "8"}}) {
      auto& entry = *w.add_external_data();
      entry.set_key(key);
      entry.set_value(value);
    }
    return worker::ModelBytes{tensor::Buffer::own(model->proto.SerializeAsString()), folder_.path() / "weights"};
  }
  // This module records the path of its model.
  std::string module() {
    return write("user.py", "import onnx, onnx.reference\ndef load(path):\n    open('" +
                                (folder_.path() / "where").string() +
                                "', 'w').write(path)\n    return onnx.reference.ReferenceEvaluator(path)\n"
                                "def infer(model, feeds, wanted):\n    while feeds['x'][0] == 0: pass\n"
                                "    return model.run(wanted, feeds)\n");
  }
  // Returns true if the folder of the model is gone.
  [[nodiscard]] bool is_gone() const {
    return !fs::exists(fs::path(base::read_file(folder_.path() / "where").value()).parent_path());
  }
};

TEST_F(PythonTest, TakesAnEmptyFeedAfterAnother) {
  tensor::NamedTensors feeds = named("x", floats({3}, {1, 2, 3}));
  feeds.set("e", floats({0}, {}));
  const auto result = evaluate(from_text(R"(<ir_version: 8, opset_import: ["" : 17]>
      g (float[3] x, float[0] e) => (float[3] y) { y = Concat <axis = 0> (x, e) })"),
                               feeds);
  ASSERT_TRUE(result) << describe(result.error());
  EXPECT_EQ(result->outputs.find("y")->size(), 3U);
}

TEST_F(PythonScratch, HoldsTheModelAndItsWeights) {
  const worker::ModelSource model = with_weights();
  {
    worker::Pool pool({test::workers_dir(), 4}, stop_);
    for (int i = 0; i < 2; ++i) {
      auto session = pool.load(spec(module()), model, {});
      ASSERT_TRUE(session) << describe(session.error());
      const auto result = (*session)->infer(named("x", floats({2}, {10, 10})), {}, {});
      ASSERT_TRUE(result) << describe(result.error());
      EXPECT_EQ(result->outputs.find("y")->load<float>(1), 12);
    }
  }
  EXPECT_TRUE(is_gone());
}

TEST_F(PythonScratch, GoesWithAWorkerThatIsKilled) {
  auto session = load(module(), with_weights());
  ASSERT_TRUE(session) << describe(session.error());
  const auto hung = (*session)->infer(named("x", floats({2}, {0, 0})), {}, {.time_s = 0.2, .memory_bytes = {}});
  ASSERT_FALSE(hung);
  EXPECT_TRUE(is_gone());
}

// A worker may be killed as soon as it has answered.
TEST_F(PythonScratch, GoesHoweverSoonTheWorkerIsKilled) {
  for (int i = 0; i < 20; ++i) {
    worker::Pool pool({test::workers_dir(), 0}, stop_);
    EXPECT_TRUE(pool.load(spec(module()), with_weights(), {}));
    EXPECT_TRUE(is_gone());
  }
}

TEST_F(PythonScratch, MissesOnlyIfTheModelHasToBeWritten) {
  const std::string user_module = module();
  const worker::ModelSource model = with_weights();
  ::setenv("TMPDIR", "/no/such/folder", 1);
  const auto refused = load(user_module, model);
  const auto evaluated = evaluate(model, named("x", floats({2}, {10, 10})));
  ::unsetenv("TMPDIR");
  EXPECT_THAT(message(refused.error(), Phase::load), HasSubstr("set TMPDIR"));
  EXPECT_TRUE(evaluated);
}

// Processes of a module end with it, even those that have left its session.
TEST_F(PythonTest, EndsTheProcessesOfItsModule) {
  const std::string pid_file = (folder_.path() / "pid").string();
  const std::string module = write("user.py", R"(
import subprocess
def load(path):
    child = subprocess.Popen(["sleep", "1000"], start_new_session=True)
    open(")" + pid_file + R"(", "w").write(str(child.pid))
    return 2
def infer(model, feeds):
    return [feeds["x"]]
)");
  {
    worker::Pool pool({test::workers_dir(), 0}, stop_);
    EXPECT_TRUE(pool.load(spec(module), from_text(kDouble), {}));
  }
  EXPECT_FALSE(fs::exists("/proc/" + base::read_file(pid_file).value()));
}

TEST_F(PythonScratch, IsNotNeededByTheReferenceEvaluator) {
  const auto result = evaluate(with_weights(), named("x", floats({2}, {10, 10})));
  ASSERT_TRUE(result) << describe(result.error());
  EXPECT_EQ(result->outputs.find("y")->load<float>(0), 11);
}

TEST_F(PythonTest, EvaluatesEveryType) {
  for (const tensor::ElementTypeInfo& type : tensor::element_types()) {
    if (type.type == ElementType::undefined || type.type == ElementType::string) continue;
    if (type.type == ElementType::float6e2m3 || type.type == ElementType::float6e3m2) continue;  // not in onnx 1.23
    std::vector<std::byte> bytes(*tensor::byte_size(type.type, 5));
    for (std::size_t i = 0; i < bytes.size(); ++i) bytes[i] = static_cast<std::byte>(i * 5 + 1);
    if (type.kind == tensor::ElementKind::boolean) bytes.assign(5, std::byte{1});
    if (type.bits < 8) bytes.back() &= static_cast<std::byte>((1U << (5 * type.bits % 8)) - 1);
    const Tensor values = Tensor::make(type.type, {5}, tensor::Buffer::own(std::move(bytes))).value();
    onnx::ModelProto model = model::parse_text(R"(<ir_version: 13, opset_import: ["" : 25]>
      g (float[N] x) => (float[N] y) { y = Identity(x) })")
                                 ->proto;
    for (onnx::ValueInfoProto* port :
         {model.mutable_graph()->mutable_input(0), model.mutable_graph()->mutable_output(0)}) {
      port->mutable_type()->mutable_tensor_type()->set_elem_type(static_cast<int>(type.type));
    }
    const auto result =
        evaluate(worker::ModelBytes{tensor::Buffer::own(model.SerializeAsString()), {}}, named("x", values));
    ASSERT_TRUE(result) << type.name << ": " << describe(result.error());
    EXPECT_TRUE(tensor::identical(*result->outputs.find("y"), values)) << type.name;
  }
}

TEST_F(PythonTest, EvaluatesStrings) {
  const auto model = from_text(R"(<ir_version: 10, opset_import: ["" : 21]>
    g (string[N] x) => (string[N] y) { y = Identity(x) })");
  const Tensor words = Tensor::make_strings({3}, {"a", "", "\xc3\xa4 \xff"}).value();
  const auto result = evaluate(model, named("x", words));
  ASSERT_TRUE(result) << describe(result.error());
  EXPECT_TRUE(tensor::identical(*result->outputs.find("y"), words));
}

// The default domain of operators has two names.
TEST_F(PythonTest, TheReferenceEvaluatorTakesTheLongNameOfTheDefaultDomain) {
  const auto result = evaluate(from_text(R"(<ir_version: 8, opset_import: ["ai.onnx" : 17]>
    g (float[2] x) => (float[2] y) {
      a = Relu(x) s = ReduceSum <keepdims = 0> (x) c = Equal(s, s) y = If(c) <then_branch = t () => (b) { b = ai.onnx.Neg(a) },
                             else_branch = e () => (d) { d = Identity(a) }>
    })"),
                               named("x", floats({2}, {1, -2})));
  ASSERT_TRUE(result) << describe(result.error());
  EXPECT_EQ(result->outputs.find("y")->load<float>(0), -1);
}

// The evaluator itself takes both functions for one, and fails on their attributes.
TEST_F(PythonTest, EvaluatesFunctionsWithOverloadsAndAttributes) {
  const auto result = evaluate(from_text(R"(<ir_version: 10, opset_import: ["" : 18, "own" : 1]>
    g (float[2] x) => (float[2] y) { a = own.f (x) b = own.f <slope = 0.5> (a) y = own.f:negates (b) }
    <domain: "own", opset_import: ["" : 18]>
    f <slope: float = 0.25> (p) => (q) { q = LeakyRelu <alpha: float = @slope> (p) }
    <domain: "own", overload: "negates", opset_import: ["" : 18]> f (p) => (q) { q = Neg(p) })"),
                               named("x", floats({2}, {-8, 4})));
  ASSERT_TRUE(result) << describe(result.error());
  EXPECT_EQ(result->outputs.find("y")->load<float>(0), 1);
  EXPECT_EQ(result->outputs.find("y")->load<float>(1), -4);
}

TEST_F(PythonTest, ReportsMissingOperatorsOfTheEvaluator) {
  const auto result = evaluate(from_text(R"(<ir_version: 8, opset_import: ["" : 17, "my.domain" : 1]>
    g (float[2] x) => (float[2] y) { y = my.domain.Unheard(x) })"),
                               named("x", floats({2}, {1, 2})));
  ASSERT_FALSE(result);
  EXPECT_THAT(message(result.error(), Phase::load),
              AllOf(HasSubstr("failed on Unheard, which computes 'y': "), Not(HasSubstr(".py:"))));
}

// Its own messages don't name the node.
TEST_F(PythonTest, NamesTheNodeOnWhichTheEvaluatorFails) {
  const auto result = evaluate(from_text(R"(<ir_version: 8, opset_import: ["" : 17]>
    g (float[2] x, float[3] b) => (float[N] y) {
      s = ReduceSum <keepdims = 0> (x) c = Equal(s, s)
      y = If(c) <then_branch = t () => (float[N] u) { u = Add(x, b) }, else_branch = e () => (float[N] v) { v = Neg(x) }>
    })"),
                               [] {
                                 tensor::NamedTensors feeds = named("x", floats({2}, {1, 2}));
                                 feeds.set("b", floats({3}, {1, 2, 3}));
                                 return feeds;
                               }());
  ASSERT_FALSE(result);
  EXPECT_THAT(
      message(result.error(), Phase::run),
      AllOf(HasSubstr("the reference evaluator failed on Add, which computes 'u': "),
            HasSubstr("operands could not be broadcast together with shapes (2,) (3,)"), Not(HasSubstr(".py:"))));
}

}  // namespace
}  // namespace assay::backend
