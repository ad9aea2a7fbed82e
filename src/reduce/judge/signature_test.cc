// The outputs are those of real checks on whole models and on parts of them: ONNX Runtime 1.31.1, OpenVINO 2026.4.1,
// OpenCV 5.0.0, onnx 1.23.2, and `assay run`.
#include "reduce/judge/signature.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace assay::reduce {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

Signature seen(std::string output, std::string ending = "exit status 1") {
  return signature_of({.kind = Verdict::Kind::fails, .text = std::move(ending), .output = std::move(output)});
}
bool strict(const std::string& a, const std::string& b) {
  return same_failure(seen(a), seen(b), SameFailure::strict);
}
bool same_class(const std::string& a, const std::string& b) {
  return same_failure(seen(a), seen(b), SameFailure::same_class);
}

constexpr const char* kNotImplemented =
    "[ONNXRuntimeError] : 9 : NOT_IMPLEMENTED : Could not find an implementation for Max(13) node with name 'max_1'";
constexpr const char* kInvalidGraph =
    "[ONNXRuntimeError] : 10 : INVALID_GRAPH : This is an invalid model. In Node, (\"\", Foo, \"\", -1) : (\"x\": "
    "tensor(float),) -> (\"y\": tensor(float),) , Error No Op registered for Foo with domain_version of 17";
constexpr const char* kShapes =
    "[ONNXRuntimeError] : 1 : FAIL : Node () Op (MatMul) [ShapeInferenceError] Incompatible dimensions for matrix "
    "multiplication";
constexpr const char* kTypes =
    "[ONNXRuntimeError] : 1 : FAIL : Type Error: Type parameter (T) of Optype (Add) bound to different types "
    "(tensor(float) and tensor(int64) in node ().";
constexpr const char* kReshape =
    "\x1b[1;31m2026-11-21 06:59:33.664898352 [E:onnxruntime:, sequential_executor.cc:677 ExecuteKernel] Non-zero "
    "status "
    "code returned while running Reshape node. Name:'' Status Message: "
    "/onnxruntime_src/onnxruntime/core/providers/cpu/tensor/reshape_helper.h:91 "
    "onnxruntime::ReshapeHelper::ReshapeHelper(const onnxruntime::TensorShape&, onnxruntime::TensorShapeVector&, bool) "
    "input_shape_size == requested_shape_size was false. The input tensor cannot be reshaped to the requested shape. "
    "Input shape:{2}, requested shape:{3}\n\x1b[m";
constexpr const char* kEmptyGraph =
    "[E] the engine failed while building: [ONNXRuntimeError] : 1 : FAIL : Exception during initialization: "
    "/onnxruntime_src/onnxruntime/core/framework/session_state_utils.cc:266 onnxruntime::common::Status "
    "onnxruntime::session_state_utils::SaveInitializedTensors(const onnxruntime::Env&, const "
    "std::__cxx11::basic_string<char>&, const SaveTensorFunction&, const onnxruntime::SessionOptions&, const "
    "MemoryProfileFunction&, onnxruntime::PrepackedWeightsForGraph&) ort_value_name_idx_map.MaxIdx() > -1 was false. "
    "OrtValue indexes should have been populated.\n";
constexpr const char* kMismatch =
    "[I] Inputs: x [float32, shape=(1, 32, 56, 56)]\n"
    "[I]         Tolerances: absolute 1e-09, relative 1e-05 | Judged by: elemwise\n"
    "[E]         94535 of 100352 elements differ (94.2%), most at (0, 28, 20, 26): 10.729 and 4.1434, absolute 6.586\n"
    "[E]         FAILED | simple | Output: 'MobilenetEdgeTPU/expanded_conv_4/add'\n"
    "[E]     FAILED | simple | Outputs that differ: [\"MobilenetEdgeTPU/expanded_conv_4/add\", \"b\"]\n"
    "[E] FAILED | onnxrt-runner-N0-11/21/26-06:59:32 and onnxrt-runner-N0-11/21/26-06:59:32 | 0 of 1 iterations agree\n"
    "[E] FAILED | Runtime: 0.098s | Command: assay run model.onnx --onnxrt --load-outputs o.json\n";
constexpr const char* kMismatchOfAnother =
    "[W] Input 'w': unknown dimensions become 1, giving [2]; set them with --input-shapes\n"
    "[I] Inputs: w [float32, shape=(2,)]\n"
    "[E]         1 of 2 elements differ (50%), most at (0): -1e-09 and nan, absolute nan\n"
    "[E]         FAILED | simple | Output: 'y'\n"
    "[E]     FAILED | simple | Outputs that differ: [\"y\"]\n"
    "[E] FAILED | onnxrt-runner-N0-11/22/26-16:59:32 and onnxrt-runner-N0-11/21/26-06:59:32 | 0 of 1 iterations agree\n"
    "[E] FAILED | Runtime: 12.7s | Command: assay run slot_2/model.onnx --onnxrt --load-outputs o.json\n";

TEST(Signature, NamesTheErrorsOfOnnxRuntime) {
  EXPECT_THAT(seen(kNotImplemented).classes, ElementsAre("NOT_IMPLEMENTED"));
  EXPECT_THAT(seen(kInvalidGraph).classes, ElementsAre("INVALID_GRAPH"));
  EXPECT_THAT(seen(kShapes).classes, ElementsAre("ShapeInferenceError"));
  EXPECT_THAT(seen(kTypes).classes, ElementsAre("TypeError"));
  EXPECT_THAT(seen(kReshape).classes, ElementsAre("input_shape_size == requested_shape_size", "reshape_helper.h:91",
                                                  "sequential_executor.cc:677"));
  EXPECT_THAT(seen("[ONNXRuntimeError] : 1 : FAIL : something").classes, ElementsAre("FAIL", "ONNXRuntimeError"));
}

// The node in the body of an If is a node of the graph after the If has been replaced by its branch.
TEST(Signature, AnErrorInABodyIsTheSameInTheGraph) {
  const std::string in_body =
      "[ONNXRuntimeError] : 1 : FAIL : Load model from m.onnx failed:Node (if_1) Op (If) [TypeInferenceError] Graph "
      "attribute inferencing failed: Fatal error: my.domain:Foo(-1) is not a registered function/op";
  const std::string in_graph =
      "[ONNXRuntimeError] : 1 : FAIL : Load model from m.onnx failed:Fatal error: my.domain:Foo(-1) is not a "
      "registered function/op";
  EXPECT_TRUE(same_class(in_body, in_graph));
  EXPECT_TRUE(same_class(in_graph, in_body));
  EXPECT_FALSE(same_class(in_body, kTypes));
  EXPECT_FALSE(same_class(in_body, kShapes));
}

// The condition begins with a call, whose bracket isn't the end of the function's parameters.
TEST(Signature, NamesAConditionThatCallsAFunction) {
  const Signature empty = seen(kEmptyGraph);
  EXPECT_THAT(empty.classes, ElementsAre("ort_value_name_idx_map.MaxIdx() > -1", "session_state_utils.cc:266"));
  EXPECT_THAT(empty.headline, HasSubstr("failed while building"));
  EXPECT_THAT(empty.headline, HasSubstr("OrtValue indexes should have been populated."));
  EXPECT_THAT(seen("error: /a/b.cc:1 void f(int) *p != nullptr was false.").classes,
              ElementsAre("*p != nullptr", "b.cc:1"));
}

TEST(Signature, NamesAConditionInATemplate) {
  EXPECT_THAT(
      seen("[E] Exception during initialization: /onnxruntime_src/core/element_wise_ops.h:256 "
           "onnxruntime::Div<T>::Div(const onnxruntime::OpKernelInfo&) [with T = long int] b_data[i] != T{0} was "
           "false. Integer division by zero\n")
          .classes,
      ElementsAre("b_data[i] != T{0}", "element_wise_ops.h:256"));
}

TEST(Signature, NamesTheErrorsOfOtherEngines) {
  EXPECT_THAT(
      seen("FAILURE OpenCV(5.0.0) /io/opencv/modules/dnn/src/net_impl2.cpp:1319: error: (-215:Assertion failed) "
           "buf.shape() == m.shape() in function 'forwardGraph'\n")
          .classes,
      ElementsAre("buf.shape() == m.shape()", "net_impl2.cpp:1319"));
  const Signature openvino = seen(
      "FAILURE Exception from src/inference/src/cpp/core.cpp:105:\nCheck 'false' failed at "
      "src/frontends/common_translators/src/unconverted_ops_report.cpp:151:\nFrontEnd API failed with "
      "OpConversionFailure:\nModel wasn't fully converted. Failed operations detailed log:\n-- Conv-15 with a "
      "message:\nFrontEnd API failed with GeneralFailure:\nWhile validating ONNX node '<Node(Conv): "
      "/model/decoder/decoder/2/Conv>': Check 'data.get_partial_shape().rank().is_static()' failed at "
      "src/frontends/onnx/frontend/src/op/conv.cpp:38:\nThe input data tensor's rank has to be known (static)\n");
  EXPECT_THAT(openvino.classes,
              ElementsAre("OpConversionFailure", "conv.cpp:38", "core.cpp:105",
                          "data.get_partial_shape().rank().is_static()", "unconverted_ops_report.cpp:151"));
  EXPECT_THAT(seen("onnx.onnx_cpp2py_export.checker.ValidationError: Unrecognized attribute: alpfa").classes,
              ElementsAre("ValidationError"));
  EXPECT_THAT(seen("FAILURE Nodes in a graph must be topologically sorted, however input 'q' of node").classes,
              IsEmpty());
}

// Every failure of tract has the same exception, so the condition must distinguish them.
TEST(Signature, NamesTheConditionsOfTract) {
  const std::string nested =
      "[E] the engine failed while running: infer() of eng_tract.py failed: tract.bindings.TractError: Translating "
      "node "
      "#82 \"/decoder/If\" If ToTypedTranslator\n\nCaused by:\n    0: in output_facts invocation for If: IfThenElse\n"
      "    1: Condition failed: `self.then_body.output_fact(i)?.without_value() == "
      "self.else_body.output_fact(i)?.without_value()` (1,128,F32 vs 1,128,1,F32)\n";
  EXPECT_THAT(seen(nested).classes, ElementsAre("self.then_body.output_fact(i)?.without_value() == "
                                                "self.else_body.output_fact(i)?.without_value()"));
  EXPECT_FALSE(same_class(nested,
                          "[E] the engine failed while running: infer() of eng_tract.py failed: "
                          "tract.bindings.TractError: Can't access TDim as a slice of bytes\n"));
}

TEST(Signature, NamesCrashesThatACheckTellsOf) {
  for (const char* output :
       {"FAILURE OpenCV crashed with signal 11", "check.sh: line 3:  71 Segmentation fault   ./run",
        "[E] the engine crashed with signal 11 (Segmentation fault) (in ONNX Runtime)",
        "Fatal Python error: Segmentation fault\n"}) {
    EXPECT_THAT(seen(output).classes, ElementsAre("SIGSEGV")) << output;
  }
  EXPECT_THAT(seen("terminate called after throwing an instance of 'std::logic_error'\n  what():  bad",
                   "crashed with signal 6 (Aborted): what():  bad")
                  .classes,
              ElementsAre("std::logic_error"));
  EXPECT_THAT(seen("a.out: x.c:3: main: Assertion `n > 0' failed.").classes, Contains("n > 0"));
}

TEST(Signature, OfACrashIsTheSignalAlone) {
  const Signature crash =
      seen("error: SomeError in a plugin", "crashed with signal 11 (Segmentation fault): SomeError");
  EXPECT_EQ(crash.ending, "crashed with signal 11 (Segmentation fault)");
  EXPECT_THAT(crash.classes, IsEmpty());
}

TEST(Signature, OfATimeoutIsTheLimitAlone) {
  EXPECT_THAT(seen("error: SomeError in a plugin", "did not end within 5 s").classes, IsEmpty());
}

TEST(Signature, TakesOutNumbersAddressesTimesPathsAndNames) {
  const std::string first =
      "Error 0x7ffd12ab34: node 'conv_1' (Conv_12) at 2026-11-21 06:59:33.664 in /tmp/a8f/m.onnx, run "
      "3f2504e0-4f89-11d3-9a0c-0305e82c3301: 12.5e-3 of [1, 3, 224]\n";
  const std::string second =
      "Error 0x5566: node 'a b' (/layer/Conv) at 2027-01-02 00:00:00.1 in ./polygraphy_debug.onnx, run "
      "00000000-4f89-11d3-9a0c-0305e82c3302: nan of [7]\n";
  EXPECT_TRUE(strict(first, second)) << seen(first).text << "\n" << seen(second).text;
  EXPECT_FALSE(strict("tensor(float16) is not supported", "tensor(int64) is not supported"));
  EXPECT_FALSE(strict(kNotImplemented, kInvalidGraph));
}

TEST(SameFailure, KnowsAMismatchInOtherOutputsAndNumbers) {
  EXPECT_THAT(seen(kMismatch).classes, ElementsAre("MISMATCH"));
  EXPECT_TRUE(same_class(kMismatch, kMismatchOfAnother));
  EXPECT_TRUE(strict(kMismatch, kMismatchOfAnother)) << seen(kMismatch).text << "\n---\n"
                                                     << seen(kMismatchOfAnother).text;
  EXPECT_TRUE(same_class("FAILURE 246: max diff 0.05, scale 1.2", "FAILURE CONV_OUT: max diff 2, scale 37"));
}

TEST(SameFailure, TellsAFailingEngineFromAMismatch) {
  const std::string failed = std::string("[E] the engine failed while building: ") + kNotImplemented +
                             " (in ONNX Runtime)\n[E] FAILED | Runtime: 0.2s | Command: assay run m.onnx --onnxrt\n";
  EXPECT_FALSE(same_class(kMismatch, failed));
  EXPECT_FALSE(same_class(failed, kMismatch));
  EXPECT_FALSE(same_class(kMismatch, "[E] the model cannot be read (in m.onnx)"));
}

// The words of the command line are names of files, and so on, whatever happens.
TEST(SameFailure, IsNotBlindedByTheCommandLine) {
  const std::string last = "[E] FAILED | Runtime: 0.2s | Command: assay run m.onnx --load-outputs mismatch/o.json\n";
  const std::string refused = std::string("[E] the engine failed while building: ") + kNotImplemented + "\n";
  EXPECT_THAT(seen(refused + last).classes, ElementsAre("NOT_IMPLEMENTED"));
  EXPECT_FALSE(same_class("[E]     FAILED | simple | Outputs that differ: [\"y\"]\n" + last, refused + last));
}

TEST(SameFailure, LooksAtErrorsWithoutAWordThatSaysSo) {
  const std::string last = "[E] FAILED | Runtime: 0.2s | Command: assay run m.onnx\n";
  const std::string fed = "[E] input 's' is a sequence(tensor(float32)); only tensors can be fed\n" + last;
  const std::string empty = "[E] the model has no outputs that could be compared\n" + last;
  EXPECT_EQ(seen("[E]     3 of 4  elements differ").headline, "[E] 3 of 4 elements differ");
  EXPECT_EQ(seen(fed).headline, "[E] input 's' is a sequence(tensor(float32)); only tensors can be fed");
  EXPECT_FALSE(strict(fed, empty));
  EXPECT_TRUE(strict(fed, fed));
}

TEST(SameFailure, ShowsTheReasonRatherThanThePlaceInTheEngine) {
  const std::string error =
      "Exception from src/inference/src/cpp/core.cpp:84:\n"
      "Check 'false' failed at src/frontends/common_translators/src/unconverted_ops_report.cpp:151:\n"
      "FrontEnd API failed with OpConversionFailure:\nModel wasn't fully converted.\nSummary:\n"
      "-- No conversion rule found for operations: own.f\n";
  EXPECT_EQ(seen("[I] x\n[E] the engine failed while loading the model: " + error).headline,
            "[E] the engine failed while loading the model: No conversion rule found for operations: own.f");
  EXPECT_EQ(seen("Traceback (most recent call last):\n  File \"a.py\", line 3, in f\nRuntimeError: " + error).headline,
            "RuntimeError: No conversion rule found for operations: own.f");
  EXPECT_EQ(
      seen("state.Fail: [ONNXRuntimeError] : 1 : FAIL : /onnxruntime_src/onnxruntime/core/graph/graph.cc:1453 "
           "onnxruntime::Graph::Graph(const onnxruntime::Model&, onnx::GraphProto*, const std::unordered_map<std::"
           "__cxx11::basic_string<char>, int>&, onnxruntime::Version, onnxruntime::IOnnxRuntimeOpSchemaCollectionPtr, "
           "bool) [ONNXRuntimeError] : 1 : FAIL : Tensor element type mismatch. 10 != 1\n")
          .headline,
      "state.Fail: [ONNXRuntimeError] : 1 : FAIL : Tensor element type mismatch. 10 != 1");
  EXPECT_EQ(
      seen("AssertionError: \nNot equal to tolerance rtol=0.001, atol=0.001\n\nMismatched elements: 1 / 3\n").headline,
      "AssertionError: Not equal to tolerance rtol=0.001, atol=0.001");
}

TEST(SameFailure, TellsErrorsOfOneEngineApart) {
  const std::vector<std::string> outputs = {
      kNotImplemented, kInvalidGraph, kShapes, kTypes, kReshape, kMismatch, "FAILURE OpenCV crashed with signal 11"};
  for (const std::string& a : outputs) {
    for (const std::string& b : outputs) EXPECT_EQ(same_class(a, b), a == b) << a << "\n" << b;
  }
}

// The same defect can end a program in each way of a group.
TEST(SameFailure, TakesTheEndsOfProgramsWithDamagedMemoryForOne) {
  const auto crashed = [](const std::string& how, const std::string& output = "") {
    return seen(output, "crashed with signal " + how);
  };
  const std::string worker = "[E] the engine crashed with signal ";
  const std::vector<std::vector<Signature>> alike = {
      {crashed("11 (Segmentation fault)", "[ERROR:0@1.1] global net_impl.cpp:12 forward"), crashed("7 (Bus error)"),
       crashed("6 (Aborted): free(): invalid pointer",
               "[ERROR:0@1] global net.cpp:3 forward\nfree(): invalid pointer\n"),
       crashed("6 (Aborted)", "double free or corruption (!prev)\n"),
       crashed("6 (Aborted)", "malloc(): unaligned tcache chunk detected\n")},
      {seen(worker + "11 (Segmentation fault)"), seen(worker + "7 (Bus error)"),
       seen(worker + "6 (Aborted): corrupted size vs. prev_size; File \"e.py\", line 7 in infer")},
      {seen("check.sh: line 3: 71 Segmentation fault (core dumped) ./run", "exit status 139"),
       seen("check.sh: line 3: 71 Bus error (core dumped) ./run", "exit status 135"),
       seen("free(): double free detected in tcache 2\ncheck.sh: line 3: 71 Aborted ./run", "exit status 134")}};
  for (const std::vector<Signature>& group : alike) {
    for (const Signature& a : group) {
      EXPECT_TRUE(a.memory_fault) << describe(a);
      for (const std::vector<Signature>& other : alike) {
        for (const Signature& b : other) {
          EXPECT_EQ(same_failure(a, b, SameFailure::same_class), &group == &other) << describe(a) << "\n"
                                                                                   << describe(b);
        }
      }
    }
  }
  EXPECT_FALSE(same_failure(alike[0][0], alike[0][1], SameFailure::strict));
}

TEST(SameFailure, DistinguishesOtherCrashesFromDamagedMemory) {
  const Signature segfault = seen("", "crashed with signal 11 (Segmentation fault)");
  const std::vector<Signature> others = {
      seen("", "crashed with signal 8 (Floating point exception)"),
      seen("x.cc:3: main: Assertion `n > 0' failed.", "crashed with signal 6 (Aborted)"),
      seen("terminate called after throwing an instance of 'std::logic_error'", "crashed with signal 6 (Aborted)"),
      seen("", "exit status 139"), seen("", "exit status 1")};
  for (const Signature& other : others) {
    EXPECT_FALSE(same_failure(segfault, other, SameFailure::same_class)) << describe(other);
    EXPECT_FALSE(same_failure(other, segfault, SameFailure::same_class)) << describe(other);
  }
  EXPECT_FALSE(same_class("[E] the engine crashed with signal 11 (Segmentation fault)",
                          "[E] the engine crashed with signal 6 (Aborted): x.cc:3: main: Assertion `n > 0' failed."));
}

TEST(SameFailure, IsNotBlindedByWarnings) {
  const std::string with_warnings =
      "2026-11-21 06:59:33 [W:onnxruntime:, graph.cc:12 CleanUnused] Removing INVALID_THING 'x'. It is not used\n"
      "[W] SomeError is likely\nx.py:3: DeprecationWarning: raises an OldError\n" +
      std::string(kTypes);
  EXPECT_TRUE(same_class(with_warnings, kTypes));
  EXPECT_TRUE(strict(with_warnings, kTypes));
}

TEST(SameFailure, LooksAtTheErrorOfATracebackAndNotAtItsFrames) {
  const std::string trace =
      "Traceback (most recent call last):\n  File \"/tmp/a/check.py\", line 7, in <module>\n    except SomeError:\n"
      "onnxruntime.capi.onnxruntime_pybind11_state.Fail: " +
      std::string(kTypes);
  EXPECT_THAT(seen(trace).classes, ElementsAre("TypeError"));
  EXPECT_TRUE(same_class(trace, kTypes));
}

TEST(SameFailure, AsksForTheSameEndingUnlessAllIsTheSame) {
  const Signature one = seen("no words", "exit status 1");
  const Signature two = seen("no words", "exit status 2");
  EXPECT_FALSE(same_failure(one, two, SameFailure::strict));
  EXPECT_FALSE(same_failure(one, two, SameFailure::same_class));
  EXPECT_TRUE(same_failure(one, two, SameFailure::any));
}

TEST(SameFailure, TellsAnErrorFromAFailureWithoutOne) {
  const std::string traceback =
      "Traceback (most recent call last):\n  File \"c.py\", line 3, in run\nValueError: no input\n";
  for (const char* reference : {"it broke", "", "error: the results are wrong"}) {
    EXPECT_FALSE(same_class(reference, kNotImplemented)) << reference;
    EXPECT_FALSE(same_class(reference, traceback)) << reference;
    EXPECT_TRUE(same_class(reference, "it broke again")) << reference;
    EXPECT_TRUE(same_class(reference, "the variable CUDA_DEVICE is unset")) << reference << ": not an error";
  }
  EXPECT_FALSE(same_class(kNotImplemented, "it broke"));
}

// OpenVINO's importer goes on after an error. The second model is a cut in which an input has no elements.
TEST(SameFailure, TellsAnErrorWithAnotherBehindItFromTheErrorAlone) {
  const std::string begin =
      "[E] the engine failed while loading the model: Exception from src/inference/src/cpp/core.cpp:84:\nCheck 'false' "
      "failed at src/frontends/common_translators/src/unconverted_ops_report.cpp:151:\nFrontEnd API failed with "
      "OpConversionFailure:\n-- Conv-15 with a message:\nWhile validating ONNX node '<Node(Conv): c>': Check "
      "'data.get_partial_shape().rank().is_static()' failed at src/frontends/onnx/frontend/src/op/conv.cpp:38:\n";
  const std::string reduce_mean =
      "While validating ONNX node '<Node(ReduceMean): r>': Check '(supported_types.find(ov_input.get_element_type()) "
      "!= "
      "supported_types.end())' failed at src/frontends/onnx/frontend/src/op/reduce.cpp:134:\n";
  const std::string lstm =
      "While validating ONNX node '<Node(LSTM): l>': Exception from "
      "src/frontends/onnx/frontend/src/utils/recurrent.cpp:"
      "79:\nLSTM input 'initial_h' has rank 0 but expected 3.\n";
  EXPECT_TRUE(same_class(begin + reduce_mean, begin));
  EXPECT_FALSE(same_class(begin + reduce_mean, begin + lstm));
  EXPECT_FALSE(same_class(begin, begin + reduce_mean));
}

// ONNX Runtime reports an error of a constant part while it loads the model, and the same error while it runs.
TEST(SameFailure, MayNameFurtherPlacesNextToOneThatIsKnown) {
  const std::string reshape = "reshape_helper.h:91 f(bool) a == b was false.";
  EXPECT_TRUE(
      same_class("Exception during initialization: " + reshape, "sequential_executor.cc:677 error: " + reshape));
}

std::string traceback(const std::string& place, const std::string& error) {
  return "Traceback (most recent call last):\n  File \"/tmp/check.py\", line 3, in <module>\n    run()\n  File " +
         place + ", in run\n    raise\n" + error + "\n";
}

TEST(SameFailure, ComparesTheWordsIfTheErrorsNameSaysLittle) {
  const std::string here = "\"/a/quantizer.py\", line 7";
  const std::string scale = "ValueError: Unable to get valid quantization scale for input 'gelu1' when quantizing bias";
  EXPECT_TRUE(same_class(traceback(here, scale + " 'b1'"), traceback(here, scale + " 'layer/b2' to int32.")));
  EXPECT_FALSE(same_class(traceback(here, scale), traceback(here, "ValueError: No data is collected.")));
  EXPECT_FALSE(same_class(traceback(here, "RuntimeError: Field 'shape' of 'type' is required but missing."),
                          traceback(here, "RuntimeError: No Op registered for Fake_1 with domain_version of 11")));
  EXPECT_TRUE(same_class("AssertionError", "AssertionError"));
  EXPECT_FALSE(same_class("AssertionError", "AssertionError: the outputs have different shapes"));
}

TEST(SameFailure, ComparesThePlaceOfATracebackIfTheErrorsNameSaysLittle) {
  const std::string here = "\"/a/fuse.py\", line 7";
  const std::string there = "\"/a/fuse.py\", line 9";
  EXPECT_TRUE(same_class(traceback(here, "KeyError: 'x'"), traceback("\"/b/fuse.py\", line 7", "KeyError: 'y'")));
  EXPECT_FALSE(same_class(traceback(here, "KeyError: 'x'"), traceback(there, "KeyError: 'x'")));
  EXPECT_TRUE(same_class(traceback(here, kNotImplemented), traceback(there, kNotImplemented)));
}

// tract, with RUST_BACKTRACE=1.
TEST(SameFailure, LooksAtTheCausesOfAnErrorInRust) {
  const auto error = [](const std::string& node, const std::string& cause) {
    return "tract.bindings.TractError: Translating node #12 \"a/b\" " + node +
           " ToTypedTranslator\n\nCaused by:\n    " + cause + "\n\nStack backtrace:\n   0: <anyhow::Error>::msg::<" +
           node + ">\n   1: <tract_core::TractError as core::Fail>::" + node + "\n             at ./error.c:3\n";
  };
  const std::string variable = "shape input is variable, of variable length (output can not have variable rank)";
  EXPECT_TRUE(same_class(error("MultiBroadcastTo", variable), error("Reshape", variable)));
  EXPECT_FALSE(same_class(error("MultiBroadcastTo", variable),
                          error("Source",
                                "Source node without a determined fact. Help: provide explicit input facts to "
                                "your model.")));
  EXPECT_THAT(seen(error("Reshape", variable)).text, Not(HasSubstr("anyhow")));
}

TEST(SameFailure, TellsAnEngineThatHangsFromOthers) {
  const std::string hangs = "[E] the engine did not end within 3 s (in hang N0)\n";
  EXPECT_TRUE(same_class(hangs, "[E] the engine did not end within 10 s (in hang N0)\n"));
  EXPECT_FALSE(same_class(hangs, "[E] the engine exited with status 0 (in hang N0)\n"));
  EXPECT_FALSE(same_class(hangs, "[E] the engine failed while running: no kernel (in hang N0)\n"));
}

TEST(SameFailure, TellsNanFromInfinity) {
  const std::string nan = "[E] FAILED | onnxrt-runner-N0 | Output 'o' holds 8 NaN among 8 values, the first at (0,)\n";
  const std::string infinite =
      "[E] FAILED | onnxrt-runner-N0 | Output 'e' holds 8 infinite among 8 values, the first at (0,)\n";
  EXPECT_THAT(seen(nan).classes, ElementsAre("NaN"));
  EXPECT_THAT(seen(infinite).classes, ElementsAre("infinity"));
  EXPECT_FALSE(same_class(nan, infinite));
  EXPECT_TRUE(same_class(nan, nan + infinite));
  // Polygraphy's words.
  EXPECT_TRUE(same_class(nan, "[E] NaN Detected | One or more NaNs were encountered in this output\n"));
  EXPECT_TRUE(
      same_class(infinite, "[E] Inf Detected | One or more non-finite values were encountered in this output\n"));
}

TEST(SameFailure, ToleratesThatOneOfSeveralErrorsIsGone) {
  EXPECT_TRUE(same_class("AlphaError: x\nBetaError: y", "AlphaError: z"));
  EXPECT_FALSE(same_class("AlphaError\nBetaError\nGammaError", "AlphaError"));
}

TEST(Signature, IsBoundedWhateverACheckWrites) {
  std::string output;
  for (std::size_t i = 0; i < 2000; ++i) {
    const char letter = static_cast<char>('a' + i % 26);
    const std::string tail(1 + i / 26, 'q');
    output += "error " + std::string(1 + i % 26, letter) + tail + " Err" + letter + tail + "Error\n";
  }
  const Signature signature = seen(output);
  EXPECT_LE(signature.text.size(), std::size_t{8} << 10);
  EXPECT_EQ(signature.classes.size(), 32U);
  EXPECT_EQ(seen(std::string(100'000, '\'')).headline.size(), 200U);
}

TEST(Signature, TellsWhetherNumbersDiffer) {
  const auto reports = [](const std::string& output) {
    return reports_difference(signature_of({.kind = Verdict::Kind::fails, .text = "exit status 1", .output = output}));
  };
  EXPECT_TRUE(reports("[E]     FAILED | Output: 'y' | Difference exceeds tolerance: outputs differ\n"));
  EXPECT_TRUE(reports("[E]         FAILED | Output: 'y' | Difference exceeds tolerance (rel=1e-05, abs=1e-05)\n"));
  EXPECT_FALSE(reports("[E] the engine crashed with signal 11 (Segmentation fault)\n"));
  EXPECT_FALSE(reports("[!] Input tensor: x | Cannot reuse input data due to mismatch in shape or data type.\n"));
}

// As in `polygraphy run`.
TEST(Signature, TellsAMaskFromNumbersThatDiffer) {
  const auto compared = [](const std::string& error, const std::string& mean) {
    return seen("[I]             Minimum Required Tolerance: elemwise error | [abs=" + error + "] OR [rel=" + error +
                "]\n[E]         FAILED | Output: 'y' | Difference exceeds tolerance (rel=1e-05, abs=1e-05)\n"
                "[I]     one: y | Stats: mean=" +
                mean +
                ", std-dev=nan\n"
                "[I]     two: y | Stats: mean=" +
                mean + ", std-dev=nan\n");
  };
  const Signature numbers = compared("1.4", "0.5");
  const Signature mask = compared("nan", "-inf");
  EXPECT_EQ(numbers.classes, std::vector<std::string>{"MISMATCH"});
  EXPECT_EQ(mask.classes, std::vector<std::string>{"NOT_FINITE"});
  EXPECT_TRUE(reports_only_specials(numbers, mask));
  EXPECT_FALSE(same_failure(numbers, mask, SameFailure::same_class));
}

TEST(Signature, IsDescribedForPeople) {
  EXPECT_EQ(describe(seen(kNotImplemented)), "exit status 1 with NOT_IMPLEMENTED");
  EXPECT_EQ(describe(seen("it broke")), "exit status 1: it broke");
  EXPECT_EQ(describe_with_headline(seen("it broke")), "exit status 1: it broke");
  EXPECT_EQ(describe_with_headline(seen("[E] NOT_IMPLEMENTED here")),
            "exit status 1 with NOT_IMPLEMENTED: [E] NOT_IMPLEMENTED here");
  EXPECT_EQ(describe_with_headline(seen("NOT_IMPLEMENTED here")), "exit status 1: NOT_IMPLEMENTED here");
  EXPECT_EQ(describe_with_headline(seen("RuntimeError")), "exit status 1: RuntimeError");
  EXPECT_EQ(describe(seen("", "exit status 3")), "exit status 3");
}

}  // namespace
}  // namespace assay::reduce
