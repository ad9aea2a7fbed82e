// Runs the programs of the folder, in Python and built with a compiler, with each engine that is available.
#include "report/programs.h"

#include <gmock/gmock.h>

#include <cstdlib>
#include <limits>
#include <ostream>

#include "report/program_engines.h"
#include "report/repro_test_support.h"

namespace assay::report {
namespace {

namespace fs = std::filesystem;
using tensor::ElementType;
using tensor::Tensor;
using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;

constexpr auto kNumbers = R"(<ir_version: 8, opset_import: ["" : 17]>
  g (float[2] x, bool b) => (float[2] y, bool c) { y = Add(x, x) c = Not(b) })";
constexpr auto kStrings = R"(<ir_version: 8, opset_import: ["" : 17]>
  g (string[2] s) => (string[2] t) { t = Identity(s) })";
// A model for which ONNX Runtime has no kernel.
constexpr auto kMaxOfInt16 = R"(<ir_version: 8, opset_import: ["" : 17]>
  g (int16[2] x) => (int16[2] y) { y = Max(x, x) })";
// A model that OpenVINO does not support.
constexpr auto kDet = R"(<ir_version: 8, opset_import: ["" : 17]> g (float[2, 2] x) => (float y) { y = Det(x) })";

struct Program {
  const char* name;
  const char* engine;
  const char* needed;  // variable with the interpreter, or the library to link with
  bool python;
  fs::path (*headers)(const fs::path& library) = nullptr;
  const char* header = "";
  std::vector<std::string> (*link)(const fs::path& library, const fs::path& folder) = nullptr;
};

void PrintTo(const Program& program, std::ostream* stream) {
  *stream << program.name;
}

fs::path onnxruntime_headers(const fs::path&) {
  return ASSAY_ONNXRUNTIME_INCLUDE_DIR;
}
// A release contains the library under the name that programs load; the one here has its full version in its name.
std::vector<std::string> link_onnxruntime(const fs::path& library, const fs::path& folder) {
  fs::create_directory(folder / "lib");
  fs::create_symlink(library, folder / "lib/libonnxruntime.so");
  fs::create_symlink(library, folder / "lib/libonnxruntime.so.1");
  return {"-Llib", "-lonnxruntime", "-Wl,-rpath,$ORIGIN/lib"};
}
fs::path openvino_headers(const fs::path& library) {
  return library.parent_path().parent_path() / "include";
}
// libopenvino.so.N is next to libopenvino_c.so.N.
std::vector<std::string> link_openvino(const fs::path& library, const fs::path&) {
  const std::string folder = library.parent_path().string();
  return {"-L" + folder, "-l:libopenvino.so" + library.extension().string(), "-Wl,-rpath," + folder};
}

const Program kOnnxRuntimePrograms[] = {
    {"OnnxRuntimePython", "onnxruntime", "ASSAY_TEST_PYTHON", true},
    {"OnnxRuntimeCpp", "onnxruntime", "ASSAY_FETCHED_ONNXRUNTIME_LIB", false, onnxruntime_headers,
     "onnxruntime_cxx_api.h", link_onnxruntime},
};
const Program kOpenVinoPrograms[] = {
    {"OpenVinoPython", "openvino", "ASSAY_CASES_PYTHON", true},
    {"OpenVinoCpp", "openvino", "ASSAY_FETCHED_OPENVINO_LIB", false, openvino_headers, "openvino/openvino.hpp",
     link_openvino},
};

class Programs : public Repro, public testing::WithParamInterface<Program> {
 protected:
  void SetUp() override {
    const Program& program = GetParam();
    const char* needed = std::getenv(program.needed);
    if (needed == nullptr || *needed == '\0') {
      GTEST_SKIP() << (program.python ? "no Python with " : "no library of ") << program.engine << " ("
                   << program.needed << ")";
    }
    needed_ = needed;
    if (!program.python && !fs::exists(program.headers(needed_) / program.header)) {
      GTEST_SKIP() << "no C++ headers of " << program.engine;
    }
    input_.engine.kind = program.engine;
    use(kNumbers, "x", floats({1, 2}));
    input_.inputs.set("b", Tensor::of<std::uint8_t>(ElementType::boolean, {}, {1}));
  }
  // Writes the folder and runs the program in it.
  std::pair<int, std::string> show() {
    const base::Status status = write();
    EXPECT_TRUE(status) << status.error().message();
    if (!GetParam().python) build();
    return show_again();
  }
  std::pair<int, std::string> show_again() {
    return GetParam().python ? run({needed_, "reproduce.py"}) : run({"./reproduce"});
  }
  void build() {
    const Program& program = GetParam();
    std::vector<std::string> words = {"g++",          "-std=c++17", "-Wall",    "-isystem", program.headers(needed_),
                                      "reproduce.cc", "-o",         "reproduce"};
    for (std::string& word : program.link(needed_, at(""))) words.push_back(std::move(word));
    const auto [code, text] = run(words);
    EXPECT_EQ(code, 0) << text;
    EXPECT_EQ(text, "");
  }
  std::string needed_;
};
class OnnxRuntimePrograms : public Programs {
 protected:
  // The bytes are those of the type.
  void expect_bytes(const std::string& name, ElementType type, std::int64_t size, std::string bytes) {
    input_.expected.set(name, Tensor::make(type, {size}, tensor::Buffer::own(std::move(bytes))).value());
  }
};
class OpenVinoPrograms : public Programs {};

TEST_P(Programs, RunTheModelAndFindNothingWrong) {
  input_.expected.set("y", floats({2, 4}));
  input_.expected.set("c", Tensor::of<std::uint8_t>(ElementType::boolean, {}, {0}));
  const auto [code, output] = show();
  EXPECT_EQ(code, 0) << output;
  EXPECT_THAT(output, AllOf(HasSubstr("'y': as expected"), HasSubstr("'c': as expected")));
}

TEST_P(Programs, ShowOutputsThatDiffer) {
  input_.expected.set("y", floats({2, 5}));
  const auto [code, output] = show();
  EXPECT_EQ(code, 1) << output;
  EXPECT_THAT(output, AllOf(HasSubstr("'y': 1 of 2 elements differ"), HasSubstr("FAILED")));
}

TEST_P(Programs, TakeTheTolerancesOfTheCheck) {
  input_.expected.set("y", floats({2, 5}));
  input_.absolute["y"] = 1;
  const auto [code, output] = show();
  EXPECT_EQ(code, 0) << output;
}

TEST_P(Programs, TakeInfiniteTolerances) {
  input_.expected.set("y", floats({2, 5}));
  input_.absolute["y"] = std::numeric_limits<double>::infinity();
  const auto [code, output] = show();
  EXPECT_EQ(code, 0) << output;
}

// Converted to double, the first two would be equal.
TEST_P(OnnxRuntimePrograms, CompareIntegersExactly) {
  use(R"(<ir_version: 8, opset_import: ["" : 17]> g (int64[3] x) => (int64[3] y) { y = Identity(x) })", "x",
      Tensor::of<std::int64_t>(ElementType::int64, {3}, {9007199254740993, -9223372036854775807, 0}));
  input_.expected.set("y",
                      Tensor::of<std::int64_t>(ElementType::int64, {3}, {9007199254740992, 9223372036854775807, 0}));
  input_.absolute[""] = 0.5;
  input_.relative[""] = 0;
  const auto [code, output] = show();
  EXPECT_EQ(code, 1) << output;
  EXPECT_THAT(output, AllOf(HasSubstr("2 of 3 elements differ"),
                            HasSubstr("-9223372036854775807, expected 9223372036854775807")));
}

TEST_P(Programs, DivideByTheRoundingUnitWhereZeroIsExpected) {
  use(R"(<ir_version: 8, opset_import: ["" : 17]> g (float[2] x) => (float[2] y) { y = Identity(x) })", "x",
      floats({1e-30F, 1}));
  input_.expected.set("y", floats({0, 1}));
  input_.absolute[""] = 0;
  const auto [code, output] = show();
  EXPECT_EQ(code, 0) << output;
}

TEST_P(Programs, SayIfAFileIsMissing) {
  ASSERT_EQ(show().first, 0);
  for (const char* file : {"data/input_0.bin", "model.onnx"}) {
    fs::remove(at(file));
    const auto [code, output] = show_again();
    EXPECT_EQ(code, 2) << output;
    EXPECT_THAT(output, AllOf(HasSubstr("CANNOT TEST"), HasSubstr(file)));
  }
}

TEST_P(Programs, SayIfTheEngineIsMissing) {
  if (!GetParam().python) GTEST_SKIP() << "it isn't linked without the engine";
  ASSERT_EQ(show().first, 0);
  // Python looks for modules next to the program first.
  ASSERT_TRUE(base::write_file(at(std::string(GetParam().engine) + ".py"), "raise ImportError('no such engine')\n"));
  const auto [code, output] = show_again();
  EXPECT_EQ(code, 2) << output;
  EXPECT_THAT(output, HasSubstr("CANNOT TEST: no such engine"));
}

TEST_P(Programs, ShowWhatIsNoNumber) {
  use(R"(<ir_version: 8, opset_import: ["" : 17]> g (float[2] x) => (float[2] y) { y = Log(x) })", "x",
      floats({-1, 1}));
  input_.validate = true;
  const auto [code, output] = show();
  EXPECT_EQ(code, 1) << output;
  EXPECT_THAT(output, HasSubstr("FAILED"));
}

constexpr float kInfinity = std::numeric_limits<float>::infinity();
constexpr float kNaN = std::numeric_limits<float>::quiet_NaN();
constexpr auto kLog = R"(<ir_version: 8, opset_import: ["" : 17]> g (float[3] x) => (float[3] y) { y = Log(x) })";

TEST_P(Programs, TakeInfinitiesAndNaNForDifferences) {
  use(kLog, "x", floats({0, -1, 1}));
  input_.expected.set("y", floats({-kInfinity, kNaN, 0}));
  const auto [code, output] = show();
  EXPECT_EQ(code, 1) << output;
  EXPECT_THAT(output, HasSubstr("'y': 2 of 3 elements differ"));
}

TEST_P(Programs, TreatInfinitiesAndNaNAsEqualIfTheCheckDoes) {
  use(kLog, "x", floats({0, -1, 1}));
  input_.expected.set("y", floats({-kInfinity, kNaN, 0}));
  input_.equal = stats::EqualSpecials::both();
  const auto [code, output] = show();
  EXPECT_EQ(code, 0) << output;
}

TEST_P(Programs, ReadTypesOfHalfTheSize) {
  use(R"(<ir_version: 8, opset_import: ["" : 17]> g (float16[3] x) => (float16[3] y) { y = Identity(x) })", "x",
      Tensor::of<std::uint16_t>(ElementType::float16, {3}, {0x3c00, 0x0001, 0xfbff}));
  input_.expected.set("y", Tensor::of<std::uint16_t>(ElementType::float16, {3}, {0x3c00, 0x0001, 0x7bff}));
  const auto [code, output] = show();
  EXPECT_EQ(code, 1) << output;
  EXPECT_THAT(output, AllOf(HasSubstr("1 of 3 elements differ"), HasSubstr("-65504"), HasSubstr("expected 65504")));
}

TEST_P(Programs, CompareBfloat16ByItsNumbers) {
  use(R"(<ir_version: 8, opset_import: ["" : 17]> g (bfloat16[2] x) => (bfloat16[2] y) { y = Identity(x) })", "x",
      Tensor::of<std::uint16_t>(ElementType::bfloat16, {2}, {0x3f80, 0xc020}));
  input_.expected.set("y", Tensor::of<std::uint16_t>(ElementType::bfloat16, {2}, {0x3f80, 0x4020}));
  const auto [code, output] = show();
  EXPECT_EQ(code, 1) << output;
  EXPECT_THAT(output, AllOf(HasSubstr("1 of 2 elements differ"), HasSubstr("-2.5"), HasSubstr("expected 2.5")));
}

TEST_P(Programs, CompareFloat8ByItsNumbers) {
  use(R"(<ir_version: 9, opset_import: ["" : 19]> g (float[2] x) => (float8e4m3fn[2] y, float8e5m2[2] z)
    { y = Cast<to = 17>(x) z = Cast<to = 19>(x) })",
      "x", floats({1.5, -2}));
  input_.expected.set("y", Tensor::of<std::uint8_t>(ElementType::float8e4m3fn, {2}, {0x3c, 0x40}));
  input_.expected.set("z", Tensor::of<std::uint8_t>(ElementType::float8e5m2, {2}, {0x3e, 0xc0}));
  const auto [code, output] = show();
  EXPECT_EQ(code, 1) << output;
  EXPECT_THAT(output, AllOf(HasSubstr("'y': 1 of 2 elements differ"), HasSubstr("-2"), HasSubstr("expected 2"),
                            HasSubstr("'z': as expected")));
}

TEST_P(Programs, TakeAScalarAndATensorOfNoElements) {
  use(R"(<ir_version: 8, opset_import: ["" : 17]> g (float[N] x, float s) => (float[N] y, float t) { y = Add(x, s) t = Neg(s) })",
      "x", Tensor::of<float>(ElementType::float32, {0}, {}));
  input_.inputs.set("s", Tensor::of<float>(ElementType::float32, {}, {2}));
  input_.expected.set("y", Tensor::of<float>(ElementType::float32, {0}, {}));
  input_.expected.set("t", Tensor::of<float>(ElementType::float32, {}, {-2}));
  const auto [code, output] = show();
  EXPECT_EQ(code, 0) << output;
  EXPECT_THAT(output, AllOf(HasSubstr("'y': as expected"), HasSubstr("'t': as expected")));
}

// OpenVINO crashes on these, and so do its programs.
TEST_P(OnnxRuntimePrograms, TakeStrings) {
  use(kStrings, "s", Tensor::make_strings({2}, {"one \"two\"", "gr\xc3\xbc\xc3\x9f"}).value());
  input_.expected.set("t", *input_.inputs.find("s"));
  const auto [code, output] = show();
  EXPECT_EQ(code, 0) << output;
  EXPECT_THAT(output, HasSubstr("'t': as expected"));
}

TEST_P(OnnxRuntimePrograms, TakeStringsWithZeros) {
  use(kStrings, "s", Tensor::make_strings({2}, {std::string("a\0b", 3), ""}).value());
  input_.expected.set("t", *input_.inputs.find("s"));
  const auto [code, output] = show();
  EXPECT_EQ(code, 0) << output;
}

// Python's strings have no bytes, so the engine's package refuses them.
TEST_P(OnnxRuntimePrograms, SayIfAStringIsNotUtf8) {
  use(kStrings, "s", Tensor::make_strings({2}, {"a\xff", ""}).value());
  input_.expected.set("t", *input_.inputs.find("s"));
  const auto [code, output] = show();
  EXPECT_EQ(code, GetParam().python ? 2 : 0) << output;
  EXPECT_THAT(output, HasSubstr(GetParam().python ? "CANNOT TEST: data/input_0.bin: 'utf-8' codec" : "as expected"));
}

TEST_P(OnnxRuntimePrograms, TakeStringsNextToTypesThatNumPyLacks) {
  use(R"(<ir_version: 8, opset_import: ["" : 17]> g (string[2] s, bfloat16[2] x) => (string[2] t, float[2] y)
    { t = Identity(s) y = Cast<to = 1>(x) })",
      "s", Tensor::make_strings({2}, {"a", "b"}).value());
  input_.inputs.set("x", Tensor::of<std::uint16_t>(ElementType::bfloat16, {2}, {0x3f80, 0xc020}));
  input_.expected.set("t", *input_.inputs.find("s"));
  input_.expected.set("y", floats({1, -2.5}));
  const auto [code, output] = show();
  EXPECT_EQ(code, 0) << output;
  EXPECT_THAT(output, AllOf(HasSubstr("'t': as expected"), HasSubstr("'y': as expected")));
}

// In Python, the engine's package can't feed strings and return such a type in one run.
TEST_P(OnnxRuntimePrograms, SayIfStringsCannotBeFed) {
  use(R"(<ir_version: 8, opset_import: ["" : 17]> g (string[1] s, float[1] x) => (string[1] t, bfloat16[1] y)
    { t = Identity(s) y = Cast<to = 16>(x) })",
      "s", Tensor::make_strings({1}, {"a"}).value());
  input_.inputs.set("x", floats({1}));
  input_.expected.set("t", *input_.inputs.find("s"));
  const auto [code, output] = show();
  EXPECT_EQ(code, GetParam().python ? 2 : 0) << output;
  EXPECT_THAT(output, HasSubstr(GetParam().python ? "use reproduce.cc" : "'t': as expected"));
}

TEST_P(OnnxRuntimePrograms, ShowAnErrorOfTheEngine) {
  use(kMaxOfInt16, "x", Tensor::of<std::int16_t>(ElementType::int16, {2}, {1, 2}));
  const auto [code, output] = show();
  EXPECT_EQ(code, 1) << output;
  EXPECT_THAT(output, AllOf(HasSubstr("FAILED"), HasSubstr("Could not find an implementation for Max(13)")));
}

TEST_P(OnnxRuntimePrograms, SayThatAProviderIsNotThere) {
  input_.engine.options = {{"providers", "no-such-provider"}};
  const auto [code, output] = show();
  EXPECT_EQ(code, 2) << output;
  EXPECT_THAT(output, AllOf(HasSubstr("CANNOT TEST"), HasSubstr("CPUExecutionProvider")));
}

TEST_P(OnnxRuntimePrograms, TakeTheOptionsOfTheCheck) {
  input_.engine.options = {{"providers", "cpu"},
                           {"graph_optimization_level", "ORT_DISABLE_ALL"},
                           {"intra_op_threads", "1"},
                           {"config.session.intra_op.allow_spinning", "0"}};
  const auto [code, output] = show();
  EXPECT_EQ(code, 0) << output;
}

// ONNX Runtime's C API refuses empty values. Its Python package doesn't check them for this provider.
TEST_P(OnnxRuntimePrograms, GiveProvidersTheirOptions) {
  input_.engine.options = {{"providers", "azure"}, {"provider_options.azure.key", ""}};
  const auto [code, output] = show();
  if (GetParam().name == std::string("OnnxRuntimeCpp")) {
    EXPECT_THAT(output, HasSubstr("Provider options key/value cannot be empty"));
  } else {
    EXPECT_EQ(code, 0) << output;
  }
}

TEST_P(OnnxRuntimePrograms, CompareFloat8WithoutNegativeZero) {
  use(R"(<ir_version: 9, opset_import: ["" : 19]> g (float[3] x) => (float8e4m3fnuz[3] y, float8e5m2fnuz[3] z)
    { y = Cast<to = 18>(x) z = Cast<to = 20>(x) })",
      "x", floats({1.5, -2, kNaN}));
  input_.expected.set("y", Tensor::of<std::uint8_t>(ElementType::float8e4m3fnuz, {3}, {0x44, 0x48, 0x80}));
  input_.expected.set("z", Tensor::of<std::uint8_t>(ElementType::float8e5m2fnuz, {3}, {0x42, 0xc4, 0x80}));
  input_.equal = stats::EqualSpecials::both();
  const auto [code, output] = show();
  EXPECT_EQ(code, 1) << output;
  EXPECT_THAT(output, AllOf(HasSubstr("'y': 1 of 3 elements differ"), HasSubstr("-2"), HasSubstr("expected 2"),
                            HasSubstr("'z': as expected")));
}

// NumPy can't hold integers of 4 bits.
TEST_P(OnnxRuntimePrograms, DontPassIfAnOutputCannotBeCompared) {
  use(R"(<ir_version: 10, opset_import: ["" : 21]> g (float[3] x) => (int4[3] y) { y = Cast<to = 22>(x) })", "x",
      floats({1, 2, 3}));
  expect_bytes("y", ElementType::int4, 3, std::string(2, '\0'));
  const auto [code, output] = show();
  EXPECT_EQ(code, GetParam().python ? 2 : 1) << output;
  EXPECT_THAT(output, GetParam().python ? HasSubstr("CANNOT TEST: the model ran, but these outputs can't be compared")
                                        : HasSubstr("3 of 3 elements differ"));
}

// ONNX Runtime doesn't clear the bits after the last element.
TEST_P(OnnxRuntimePrograms, ComparePackedIntegersByElement) {
  if (GetParam().python) GTEST_SKIP() << "NumPy can't hold them";
  use(R"(<ir_version: 10, opset_import: ["" : 21]> g (float[3] x) => (int4[3] y) { y = Cast<to = 22>(x) })", "x",
      floats({-8, 2, 7}));
  expect_bytes("y", ElementType::int4, 3, "\x28\xf7");
  const auto [code, output] = show();
  EXPECT_EQ(code, 0) << output;
  ASSERT_TRUE(base::write_file(at("data/expected_0.bin"), "\x18\x07"));
  const auto [wrong_code, wrong] = show_again();
  EXPECT_EQ(wrong_code, 1) << wrong;
  EXPECT_THAT(wrong, HasSubstr("1 of 3 elements differ, most at 1: 2, expected 1"));
}

// ONNX Runtime gives them other numbers than ONNX does. NumPy can't hold integers of 2 bits.
TEST_P(OnnxRuntimePrograms, KnowTheNewestTypes) {
  use(R"(<ir_version: 13, opset_import: ["" : 25]>
    g (float[5] x, float8e8m0[3] e) => (uint2[5] a, int2[5] b, float[3] c, float8e8m0[3] d)
    { a = Cast<to = 25>(x) b = Cast<to = 26>(x) c = Cast<to = 1>(e) d = Cast<to = 24>(c) })",
      "x", floats({1, 0, 1, 1, 1}));
  input_.inputs.set("e", Tensor::of<std::uint8_t>(ElementType::float8e8m0, {3}, {127, 128, 130}));
  expect_bytes("a", ElementType::uint2, 5, "\x51\x01");
  expect_bytes("b", ElementType::int2, 5, "\x51\x01");
  input_.expected.set("c", floats({1, 2, 8}));
  input_.expected.set("d", *input_.inputs.find("e"));
  const auto [code, output] = show();
  if (output.find("FAILED: ") != std::string::npos) GTEST_SKIP() << "this ONNX Runtime lacks the types: " << output;
  EXPECT_EQ(code, GetParam().python ? 2 : 0) << output;
  EXPECT_THAT(output,
              AllOf(HasSubstr("'c': as expected"), HasSubstr("'d': as expected"),
                    HasSubstr(GetParam().python ? "can't be compared in Python: ['a', 'b']" : "'a': as expected")));
}

TEST_P(OpenVinoPrograms, ShowAnErrorOfTheEngine) {
  use(kDet, "x", Tensor::of<float>(ElementType::float32, {2, 2}, {1, 2, 3, 4}));
  const auto [code, output] = show();
  EXPECT_EQ(code, 1) << output;
  EXPECT_THAT(output, AllOf(HasSubstr("FAILED"), HasSubstr("No conversion rule found for operations: Det")));
}

TEST_P(OpenVinoPrograms, SayThatADeviceIsNotThere) {
  input_.engine.options = {{"device", "TPU"}};
  const auto [code, output] = show();
  EXPECT_EQ(code, 2) << output;
  EXPECT_THAT(output, AllOf(HasSubstr("CANNOT TEST"), HasSubstr("TPU"), HasSubstr("CPU")));
}

TEST_P(OpenVinoPrograms, SayThatAPropertyIsNotThere) {
  input_.engine.options = {{"config.SPEED", "11"}};
  const auto [code, output] = show();
  EXPECT_EQ(code, 2) << output;
  EXPECT_THAT(output, AllOf(HasSubstr("CANNOT TEST"), HasSubstr("SPEED")));
}

TEST_P(OpenVinoPrograms, TakeTheOptionsOfTheCheck) {
  use(R"(<ir_version: 8, opset_import: ["" : 17]> g (float[2] x) => (float[2] y) { y = Mul(x, x) })", "x",
      floats({1, 2}));
  input_.engine.options = {{"device", "CPU"}, {"config.INFERENCE_NUM_THREADS", "1"}};
  input_.expected.set("y", floats({1, 4}));
  const auto [code, output] = show();
  EXPECT_EQ(code, 0) << output;
}

// The fetched library, with which the program in C++ is linked, lacks this device.
TEST_P(OpenVinoPrograms, TakeACombinationOfDevices) {
  use(R"(<ir_version: 8, opset_import: ["" : 17]> g (float[2] x) => (float[2] y) { y = Mul(x, x) })", "x",
      floats({1, 2}));
  input_.engine.options = {{"device", "HETERO:CPU"}, {"config.INFERENCE_NUM_THREADS", "1"}};
  input_.expected.set("y", floats({1, 4}));
  const auto [code, output] = show();
  if (GetParam().python) {
    EXPECT_EQ(code, 0) << output;
  }
  EXPECT_THAT(output, AllOf(Not(HasSubstr("get_property")), Not(HasSubstr("set_property"))));
}

TEST_P(OpenVinoPrograms, SayThatATypeIsNotThere) {
  input_.inputs.set("x", Tensor::of<std::uint8_t>(ElementType::float8e5m2fnuz, {2}, {1, 2}));
  const auto [code, output] = show();
  EXPECT_EQ(code, 2) << output;
  EXPECT_THAT(output, AllOf(HasSubstr("CANNOT TEST"), HasSubstr("'x' has a type"), HasSubstr("number 20")));
}

TEST_P(OpenVinoPrograms, FindTheInputsThatAreLeft) {
  use(R"(<ir_version: 8, opset_import: ["" : 17]> g (float[2] a, float[2] x) => (float[2] y) { y = Neg(x) })", "a",
      floats({5, 6}));
  input_.inputs.set("x", floats({1, 2}));
  input_.expected.set("y", floats({-1, -2}));
  const auto [code, output] = show();
  EXPECT_EQ(code, 0) << output;
}

std::string name_of(const testing::TestParamInfo<Program>& program) {
  return program.param.name;
}
INSTANTIATE_TEST_SUITE_P(OfOnnxRuntime, Programs, testing::ValuesIn(kOnnxRuntimePrograms), name_of);
INSTANTIATE_TEST_SUITE_P(OfOpenVino, Programs, testing::ValuesIn(kOpenVinoPrograms), name_of);
INSTANTIATE_TEST_SUITE_P(Each, OnnxRuntimePrograms, testing::ValuesIn(kOnnxRuntimePrograms), name_of);
INSTANTIATE_TEST_SUITE_P(Each, OpenVinoPrograms, testing::ValuesIn(kOpenVinoPrograms), name_of);

TEST(ProgramEngines, TellHowToRunThemWithTheSameOptions) {
  EXPECT_THAT(command_words(*backend::find_engine_row("openvino"),
                            {{"device", "CPU"}, {"config.A", "1"}, {"config.B", "x y"}, {"other", "y"}}),
              ElementsAre("--openvino-device", "CPU", "--openvino-config", "A=1", "B=x y"));
  EXPECT_THAT(command_words(*backend::find_engine_row("onnxruntime"), {{"providers", "cuda, cpu"},
                                                                       {"provider_options.cuda.device_id", "1"},
                                                                       {"intra_op_threads", "1"},
                                                                       {"config.a", "b"}}),
              ElementsAre("--providers", "cuda", "cpu", "--provider-options", "cuda.device_id=1", "--threads", "1",
                          "--session-config", "a=b"));
  EXPECT_EQ(find_engine_parts("python"), nullptr);
}

}  // namespace
}  // namespace assay::report
