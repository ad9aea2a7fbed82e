// Measures the comparison of two large float32 tensors in memory: assay_bench_compare [ELEMENTS] [RUNS]
//
// Prints a line "NAME SECONDS" for every run of: copying one tensor into new memory and into memory that was used
// before; comparing with the default `simple` and all of its log (tensors that agree, and tensors that don't); and
// measure(). The last line is the additional memory of comparing, in bytes. compare_tensors.py shows these next to
// Polygraphy's.
#include <fmt/format.h>
#include <sys/resource.h>

#include <chrono>
#include <cstdlib>
#include <cstring>
#include <random>
#include <thread>

#include "compare/compare_outputs.h"
#include "stats/measure.h"

namespace {

using assay::tensor::ElementType;
using assay::tensor::NamedTensors;
using assay::tensor::Tensor;

class CountingLog final : public assay::base::Log {
 public:
  [[nodiscard]] bool shows(assay::base::Level level) const override { return level >= assay::base::Level::info; }
  void write(assay::base::Level, std::string_view message) override { bytes_ += message.size(); }

 private:
  std::size_t bytes_ = 0;
};

template <class Work>
void measure_time(const char* name, const Work& work) {
  const auto start = std::chrono::steady_clock::now();
  work();
  fmt::print("{} {:.4f}\n", name, std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count());
}

// Fills `first` with normally distributed values and `second` with the same values with relative errors up to `error`.
// Uses threads, since this takes longest.
void fill(float* first, float* second, std::size_t size, float error) {
  constexpr std::size_t kPieces = 8;
  std::vector<std::jthread> threads;
  for (std::size_t piece = 0; piece < kPieces; ++piece) {
    threads.emplace_back([=] {
      std::minstd_rand random(static_cast<unsigned>(piece + 1));
      std::normal_distribution<float> normal;
      std::uniform_real_distribution<float> noise(-error, error);
      for (std::size_t i = size * piece / kPieces; i < size * (piece + 1) / kPieces; ++i) {
        first[i] = normal(random);
        second[i] = first[i] * (1 + noise(random));
      }
    });
  }
}

long peak_kilobytes() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return usage.ru_maxrss;
}

NamedTensors named(const float* values, std::size_t size) {
  const auto* bytes = reinterpret_cast<const std::byte*>(values);
  NamedTensors tensors;
  tensors.set("y", Tensor::make(ElementType::float32, {static_cast<std::int64_t>(size)},
                                assay::tensor::Buffer({bytes, size * sizeof(float)}, nullptr))
                       .value());
  return tensors;
}

}  // namespace

int main(int argc, char** argv) {
  const std::size_t size = argc > 1 ? std::strtoull(argv[1], nullptr, 0) : std::size_t{1} << 28;
  const int runs = argc > 2 ? std::atoi(argv[2]) : 3;
  auto* first = static_cast<float*>(std::malloc(size * sizeof(float)));
  auto* second = static_cast<float*>(std::malloc(size * sizeof(float)));
  if (first == nullptr || second == nullptr) return 1;
  CountingLog log;
  assay::compare::ComparePlan plan{.functions = assay::compare::find_compare_functions({"simple"}).value(),
                                   .options = {}};
  for (const auto& [name, error] : {std::pair{"agree", 5e-6F}, std::pair{"differ", 1e-3F}}) {
    fill(first, second, size, error);
    const NamedTensors one = named(first, size);
    const NamedTensors other = named(second, size);
    for (int run = 0; run < runs; ++run) {
      auto* copy = static_cast<char*>(std::malloc(size * sizeof(float)));
      if (copy == nullptr) return 1;
      measure_time("copy", [&] { std::memcpy(copy, first, size * sizeof(float)); });
      measure_time("copy_again", [&] { std::memcpy(copy, second, size * sizeof(float)); });
      if (copy[size / 2] == copy[size / 3] && copy[1] == copy[5])
        fmt::print("\n");  // keeps the compiler from removing the copies
      std::free(copy);
      measure_time(name, [&] { assay::compare::compare_outputs({"one", one}, {"other", other}, plan, log); });
      measure_time("measure", [&] { static_cast<void>(assay::stats::measure(*one.find("y"), *other.find("y"))); });
    }
  }
  // Three tensors were in memory at a time, but one of them never during a comparison.
  const long tensors = 3 * static_cast<long>(size * sizeof(float) / 1024);
  fmt::print("extra_bytes {}\n", std::max(0L, peak_kilobytes() - tensors) * 1024);
  return 0;
}
