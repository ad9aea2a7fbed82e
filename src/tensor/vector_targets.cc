// What Highway asks at run time: the kinds of vectors that the processor has. These are its functions, in place of its
// library, which measures the processor's clock whenever a program that is linked with it starts: a third of the time
// that `assay --help` takes. Kinds that are not named here (AVX3_DL, AVX10, ...) only have more operations than we use.
#include <hwy/targets.h>

#include <atomic>

namespace hwy {
namespace {

std::atomic<int64_t> for_test{0};

int64_t find_targets() {
  int64_t found = HWY_STATIC_TARGET;
#if HWY_ARCH_X86
  __builtin_cpu_init();
  if (__builtin_cpu_supports("ssse3")) found |= HWY_SSSE3;
  const bool sse4 = __builtin_cpu_supports("sse4.1") && __builtin_cpu_supports("sse4.2") &&
                    __builtin_cpu_supports("pclmul") && __builtin_cpu_supports("aes");
  if (sse4) found |= HWY_SSE4;
  const bool avx2 = sse4 && __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") &&
                    __builtin_cpu_supports("bmi") && __builtin_cpu_supports("bmi2") && __builtin_cpu_supports("f16c") &&
                    __builtin_cpu_supports("lzcnt");
  if (avx2) found |= HWY_AVX2;
  const bool avx3 = avx2 && __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512vl") &&
                    __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512bw") &&
                    __builtin_cpu_supports("avx512cd");
  if (avx3) found |= HWY_AVX3;
#endif
  return found;
}

}  // namespace

int64_t SupportedTargets() {
  static const int64_t found = find_targets();
  const int64_t instead = for_test;
  return instead != 0 ? instead : found;
}

void SetSupportedTargetsForTest(int64_t targets) {
  for_test = targets;
}

ChosenTarget& GetChosenTarget() {
  static ChosenTarget chosen;
  return chosen;
}

}  // namespace hwy
