// Features of the processor, for tests of engines that compute in bfloat16 only if it has instructions for that.
#pragma once

namespace assay::test {

inline constexpr const char* kNoBfloat16 =
    "the processor has no instructions for bfloat16, and OpenVINO doesn't use it";

inline bool has_bfloat16() {
#if defined(__x86_64__)
  return __builtin_cpu_supports("avx512bf16") != 0;
#else
  return false;
#endif
}

}  // namespace assay::test
