// What the fake TensorRT does wrong on demand. The environment variable ASSAY_FAKE_TENSORRT holds one word:
//
//   null_builder   createInferBuilder logs an error about CUDA and returns null
//   invalid_runtime  createInferRuntime logs the same error and returns a pointer that isn't valid
//   crash_builder  createInferBuilder ends the process with SIGSEGV
//   null_profile   createOptimizationProfile logs an error and returns null
//   hang_build     buildSerializedNetwork never returns
//   fail_build     buildSerializedNetwork logs an error and returns null
//   no_memory      buildSerializedNetwork logs an error about memory and returns null
//   fail_plan      deserializeCudaEngine logs an error and returns null
//   fail_refit     refitCudaEngine logs an error and returns false
//   unnamed_weights  getMissingWeights tells no names
//   no_context_if_stripped  createExecutionContext logs an error and returns null if the engine lacks its weights
//   fail_run       enqueueV3 logs an error and returns false
//   fault_run      enqueueV3 ends with an illegal access to memory, after which no call of the driver works any more
//   in_loop        results of Identity are treated as if they were inside a loop: they can't be outputs
//   loop           the layers of Dropout are the borders of a loop, in turn a recurrence and an output. If a tensor
//                  inside is marked as an output, the build fails
//   conditional    the same with an input and an output of a conditional. The network has the input after the layers
//                  between them
//   attention      the same with an input and an output of an attention
//   refuse_settings  functions that set something and return whether they did log an error and return false
//   lenient_cache  for bytes that aren't a timing cache, createTimingCache logs an error and begins an empty one
//   late_cache     buildSerializedNetwork writes the file ASSAY_FAKE_CACHE, which isn't a timing cache of this GPU
//   other_gpu      setTimingCache says that the cache belongs to another GPU
//   dla            the machine has a DLA of two cores, which can run all layers but activations, in float16
//   show_config    the parser logs a warning if it gets a builder configuration
//   show_markers   enqueueV3 logs a warning if it writes NVTX markers of layers
//   hide_runtime   engines that are read look as if no library had made them, and have what TensorRT 10.0 has
//   raw_metadata   the inspector doesn't escape the control characters between the parts of metadata
//   pad_rows       rows of tensors in vectors of channels are padded to a multiple of 128 bytes, as for a DLA
//   skip_tactics   buildSerializedNetwork logs many tactics that it skips as errors, as TensorRT 10 does, and goes on
//   no_tactics     it also finds no other tactic, and returns null
//   little_memory  the same, because the GPU has too little memory for any tactic, which it logs as warnings
//   warn           buildSerializedNetwork and enqueueV3 log a warning, twice, and succeed
//   wrong_fusion   layers that are fused with others compute numbers that are too large by 1
//   bad_tactic     the builder chooses tactics at random, and one of those of Relu computes numbers that are too large
//                  by 1. The choices depend on the size of the file ASSAY_FAKE_BUILDS, to which each build adds a byte
//   no_selector    the builder calls no algorithm selector
//   disobey_selector  the builder chooses other tactics than the algorithm selector does
//   no_debug       markDebug returns false, and logs nothing
//   no_sizes       updateDeviceMemorySizeForShapes logs an error and returns 0
//   hide_sizes     dynamic sizes of outputs but the first are -1 for the caller, also when they are known
//   crash_run      enqueueV3 ends the process with SIGSEGV
//
// The variable is read at each call, so that a test can change it.
#pragma once

#include <NvInferRuntime.h>

#include <string>
#include <string_view>

namespace fake_tensorrt {

[[nodiscard]] bool misbehaves(std::string_view word);
// Returns true after logging an error of this function if the word is "refuse_settings".
[[nodiscard]] bool refuses(const std::string& function, nvinfer1::ILogger& logger);
[[noreturn]] void crash();
[[noreturn]] void hang();
// Ends the process: the caller did what TensorRT's headers forbid, and what the real library needn't notice.
[[noreturn]] void break_rule(const std::string& rule);

// Returns whether this is a copy of the library whose name, or that of its folder, contains "lean". It stands in for a
// lean runtime, or for the whole library, of the oldest version, TensorRT 10.0 or 11.0.
[[nodiscard]] bool is_lean();
// Makes is_of_this_library() and its like fail for this object, whose only virtual function must be its destructor.
void hide_library_of(void* object);
// Returns whether the class of this object, which must have virtual functions, is in this copy of the library.
[[nodiscard]] bool is_of_this_library(const void* object);
// Called by functions that came after TensorRT 10.0. A lean runtime of 10.0 doesn't have them, so the call crashes.
void crash_if_too_old(const char* function);
// Called with each enumerator that a caller sets. A library of TensorRT 10.0 has only the first `count` of the
// enumeration, and what it does with others isn't defined. TensorRT 11 has added none since 11.0.
void crash_if_unknown(const char* enumeration, int enumerator, int count);
// The same for a mask of enumerators.
void crash_if_unknown_mask(const char* enumeration, unsigned mask, int count);

// Logs a warning twice if the word is "warn".
void warn_if_asked(nvinfer1::ILogger& logger, const std::string& message);
void log_info(nvinfer1::ILogger& logger, const std::string& message);
void log_warning(nvinfer1::ILogger& logger, const std::string& message);
void log_error(nvinfer1::ILogger& logger, const std::string& message);

}  // namespace fake_tensorrt
