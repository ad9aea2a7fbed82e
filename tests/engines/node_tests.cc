// Runs every engine that the set-up installs on every node test of ONNX, in warm workers, one thread for each engine:
//   assay_node_tests --workers FOLDER --check PAGE    exits with status 1 if a result or the number of tests differs
//                                                   from the table in PAGE
//   assay_node_tests --workers FOLDER --write PAGE    writes a new table
//   assay_node_tests --workers FOLDER --tensorrt      runs TensorRT alone, and prints each result; exits with status 1
//                                                     if a test ended its worker
//     --only PART    runs the tests whose names contain PART
//     --seconds N    starts no test after N seconds
//     --jobs N       runs N tests at a time
//     --known FILE   doesn't run tests again for which FILE, what earlier runs with the same version have printed, has
//     a
//                    result: prints it again
//   assay_node_tests --write PAGE --results FILE      writes a column for TensorRT into the table, from what --tensorrt
//                                                     has printed on a machine with a GPU. Runs no engine
// With --check PAGE --tensorrt or --write PAGE --tensorrt, TensorRT (ASSAY_TENSORRT_LIB) has a column, too. A column of
// the page whose engine doesn't run isn't checked. Environment variables, which ctest sets, say where engines and tests
// are. Exits with status 77 if something is missing.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <map>
#include <string>
#include <string_view>
#include <thread>
#include <utility>
#include <vector>

#include "base/stop.h"
#include "tests/engines/compare_records.h"
#include "tests/engines/node_case.h"
#include "tests/engines/node_record.h"
#include "tests/engines/node_results.h"
#include "worker/engine.h"
#include "worker/outcome.h"

namespace {

namespace fs = std::filesystem;
using namespace assay;

constexpr int kSkipped = 77;
constexpr std::array<std::string_view, 5> kOptions = {"--only", "--seconds", "--jobs", "--results", "--known"};

std::string variable(const char* name) {
  const char* value = std::getenv(name);
  return value == nullptr ? std::string() : value;
}

struct Engine {
  std::string name;
  const char* place;  // variable with the path of its library or interpreter
  worker::EngineSpec spec;
  const char* other_place = "";  // variable if that one isn't set
};

// Computes in float32 by default: Assay doesn't let it use TF32.
Engine tensorrt() {
  worker::EngineSpec spec{.kind = "tensorrt", .library = {}, .options = {}, .opens_by_name = true};
  return {"TensorRT", "ASSAY_TENSORRT_LIB", std::move(spec), "ASSAY_FETCHED_TENSORRT_LIB"};
}

struct Mode {
  std::string name;  // "check" or "write"; empty: only counts the results
  fs::path page;     // empty: none
  fs::path results;  // printed on another machine; empty: none
  bool has_tensorrt = false;
  std::string only;      // part of the names of the tests to run
  double seconds = 0;    // 0: as many as it takes
  std::size_t jobs = 1;  // how many tests run at a time in each engine
  fs::path known;        // printed by earlier runs; empty: none
};

// Returns the libnvinfer.so of a folder; its name ends with a version.
fs::path library_in(const fs::path& folder) {
  std::error_code code;
  for (const fs::directory_entry& entry : fs::directory_iterator(folder, code)) {
    if (entry.path().filename().string().starts_with("libnvinfer.so")) return entry.path();
  }
  return folder;
}

std::vector<Engine> engines(const Mode& mode) {
  // One thread, and float32 even if the processor supports less, for the same numbers on other machines.
  const std::map<std::string, std::string> onnxruntime = {{"intra_op_threads", "1"}};
  const std::map<std::string, std::string> openvino = {{"config.INFERENCE_PRECISION_HINT", "f32"},
                                                       {"config.INFERENCE_NUM_THREADS", "1"}};
  std::vector<Engine> all = {
      {"ONNX Runtime", "ASSAY_FETCHED_ONNXRUNTIME_LIB", {"onnxruntime", {}, onnxruntime}},
      {"OpenVINO", "ASSAY_FETCHED_OPENVINO_LIB", {"openvino", {}, openvino}},
      {"reference evaluator", "ASSAY_TEST_PYTHON", {"python", {}, {{"module", "reference"}}}},
  };
  if (mode.page.empty()) all.clear();
  if (mode.has_tensorrt) all.push_back(tensorrt());
  for (Engine& engine : all) {
    engine.spec.library = variable(engine.place);
    if (engine.spec.library.empty()) engine.spec.library = variable(engine.other_place);
    std::error_code code;  // the variable may name the folder
    if (fs::is_directory(engine.spec.library, code)) engine.spec.library = library_in(engine.spec.library);
  }
  return all;
}

// "OpenVINO 2026.4.1": the first word of the version, without a build.
std::string full_name(const Engine& engine, const std::string& version) {
  return fmt::format("{} {}", engine.name, version.substr(0, version.find_first_of(" -")));
}

// Errors: those of read_node_case().
base::Expected<std::vector<test::NodeCase>> read_cases(const fs::path& folder) {
  std::vector<test::NodeCase> cases;
  for (const fs::directory_entry& entry : fs::directory_iterator(folder / "node")) {
    auto node_case = test::read_node_case(entry.path());
    if (!node_case) return base::fail(std::move(node_case).error().within(entry.path().filename().string()));
    cases.push_back(*std::move(node_case));
  }
  std::ranges::sort(cases, {}, &test::NodeCase::name);
  return cases;
}

int compare(const test::NodeRecord& record, const test::NodeRecord& now) {
  const std::vector<std::string> found = test::differences(record, now);
  for (const std::string& line : found) fmt::print("{}\n", line);
  fmt::print("{} tests, {} differences from the table\n", now.tests, found.size());
  return found.empty() ? 0 : 1;
}

// Counts the results of one engine. A test that its worker doesn't survive is a failure: crashed, hung or disconnected.
int count(const test::NodeRecord& now) {
  std::map<std::string, int> counts;
  int failures = 0;
  for (const auto& [name, results] : now.results) {
    const std::string& result = results.at(0);
    ++counts[result];
    if (result != "crash" && result != "hang" && result != "protocol") continue;
    fmt::print("{}: {}\n", name, result);
    ++failures;
  }
  fmt::print("{}:", now.engines.at(0));
  for (const auto& [result, number] : counts) fmt::print(" {} {}", number, result);
  fmt::print("\n");
  return failures == 0 ? 0 : 1;
}

// Returns the results of earlier runs with this version, or none. Errors: io.
base::Expected<test::NodeRecord> known_results(const fs::path& file, const std::string& engine) {
  if (file.empty()) return test::NodeRecord();
  ASSAY_ASSIGN(test::NodeRecord known, test::read_printed(file));
  const bool is_other = !known.engines.empty() && known.engines.front() != engine;
  if (is_other)
    fmt::print("note: {} has results of {}, and this is {}\n", file.string(), known.engines.front(), engine);
  return is_other ? test::NodeRecord() : std::move(known);
}

// Runs tests in one engine, but those that have a result. `next` is the first test that no thread of this engine has
// begun. Without a page, prints each result. Tests that aren't run have none.
void run_engine(std::size_t column, const worker::EngineSpec& spec, const std::vector<test::NodeCase>& cases,
                const Mode& mode, std::atomic<std::size_t>& next, worker::Pool& pool, test::NodeRecord& now) {
  const auto start = std::chrono::steady_clock::now();
  for (std::size_t number = next++; number < cases.size(); number = next++) {
    const test::NodeCase& node_case = cases[number];
    const std::chrono::duration<double> passed = std::chrono::steady_clock::now() - start;
    std::string& result = now.results.at(node_case.name)[column];
    if (result.empty() && mode.seconds > 0 && passed.count() > mode.seconds) return;
    if (result.empty()) result = test::judge(pool, spec, node_case);
    if (!mode.page.empty()) continue;
    fmt::print("{} {}\n", node_case.name, result);
    std::fflush(stdout);
  }
}

// Returns the folder of the tests, or an empty path, and says so, if it isn't there.
fs::path folder_of_tests() {
  fs::path tests = variable("ASSAY_ONNX_BACKEND_TESTS");
  if (fs::is_regular_file(tests / "node" / "test_add" / "tolerance.txt")) return tests;
  fmt::print("skipped: no node tests of the onnx package (ASSAY_ONNX_BACKEND_TESTS)\n");
  return {};
}

// Errors: those of read_results(), read_record(), add_column() and write_record().
base::Status write_column(const fs::path& tests, const fs::path& results, const fs::path& page) {
  std::vector<std::string> names;
  for (const fs::directory_entry& entry : fs::directory_iterator(tests / "node")) {
    names.push_back(entry.path().filename().string());
  }
  ASSAY_ASSIGN(const test::NodeRecord column, test::read_results(results));
  ASSAY_ASSIGN(test::NodeRecord record, test::read_record(page));
  ASSAY_TRY(test::add_column(names, column, record));
  return test::write_record(page, record);
}

int run_column(const fs::path& results, const fs::path& page) {
  const fs::path tests = folder_of_tests();
  if (tests.empty()) return kSkipped;
  const base::Status written = write_column(tests, results, page);
  if (!written) fmt::print("{}\n", written.error().message());
  return written ? 0 : 1;
}

int run(const fs::path& workers, const Mode& mode) {
  const fs::path tests = folder_of_tests();
  if (tests.empty()) return kSkipped;
  const std::vector<Engine> all = engines(mode);
  const base::Stop stop;
  worker::Pool pool({.worker_dir = workers, .max_idle = all.size() * mode.jobs}, stop);
  test::NodeRecord now;
  for (const Engine& engine : all) {
    const auto version = engine.spec.library.empty()
                             ? worker::Outcome<std::string>()
                             : pool.engine_version(engine.spec, {.time_s = 60, .memory_bytes = {}});
    if (engine.spec.library.empty() || !version) {
      fmt::print("skipped: no {} ({}){}\n", engine.name, engine.place,
                 version ? "" : ": " + worker::describe(version.error()));
      return kSkipped;
    }
    now.engines.push_back(full_name(engine, *version));
  }
  auto cases = read_cases(tests);
  if (!cases) {
    fmt::print("{}\n", cases.error().message());
    return 1;
  }
  std::erase_if(*cases, [&](const auto& node_case) { return node_case.name.find(mode.only) == std::string::npos; });
  now.tests = cases->size();
  for (const test::NodeCase& node_case : *cases) now.results[node_case.name].resize(all.size());
  const auto known = known_results(mode.known, now.engines.back());
  if (!known) {
    fmt::print("{}\n", known.error().message());
    return 1;
  }
  for (const auto& [name, results] : known->results) {
    if (const auto row = now.results.find(name); row != now.results.end()) row->second = results;
  }
  std::vector<std::atomic<std::size_t>> next(all.size());
  std::vector<std::thread> threads;
  for (std::size_t i = 0; i < all.size() * mode.jobs; ++i) {
    const std::size_t column = i % all.size();
    threads.emplace_back([&, column] { run_engine(column, all[column].spec, *cases, mode, next[column], pool, now); });
  }
  for (std::thread& thread : threads) thread.join();
  if (mode.page.empty()) {
    const auto left_out = std::erase_if(now.results, [](const auto& row) { return row.second.at(0).empty(); });
    if (left_out > 0) fmt::print("{} tests are left out\n", left_out);
    return count(now);
  }
  if (mode.name == "write") {
    const base::Status written = test::write_record(mode.page, now);
    if (!written) fmt::print("{}\n", written.error().message());
    return written ? 0 : 1;
  }
  const auto record = test::read_record(mode.page);
  if (!record) {
    fmt::print("{}\n", record.error().message());
    return 1;
  }
  return compare(*record, now);
}

}  // namespace

int main(int argc, char** argv) {
  std::vector<std::string> words(argv + 1, argv + argc);
  Mode mode;
  const auto ends_with_option = [&words] {
    return words.size() > 3 && std::ranges::find(kOptions, words.end()[-2]) != kOptions.end();
  };
  for (; ends_with_option(); words.resize(words.size() - 2)) {
    const std::string& option = words.end()[-2];
    if (option == "--only") mode.only = words.back();
    if (option == "--seconds") mode.seconds = std::atof(words.back().c_str());
    if (option == "--jobs") mode.jobs = static_cast<std::size_t>(std::max(std::atoi(words.back().c_str()), 1));
    if (option == "--results") mode.results = words.back();
    if (option == "--known") mode.known = words.back();
  }
  if (words.size() == 2 && words[0] == "--write" && !mode.results.empty()) return run_column(mode.results, words[1]);
  if (!words.empty() && words.back() == "--tensorrt") {
    mode.has_tensorrt = true;
    words.pop_back();
  }
  if (words.size() == 4 && (words[2] == "--check" || words[2] == "--write")) {
    mode.name = words[2].substr(2);
    mode.page = words[3];
  }
  const bool is_part = !mode.only.empty() || mode.seconds > 0 || !mode.known.empty();
  const bool is_complete = (!mode.page.empty() && !is_part) || (words.size() == 2 && mode.has_tensorrt);
  if (!is_complete || words[0] != "--workers" || !mode.results.empty()) {
    fmt::print(
        "usage: assay_node_tests --workers FOLDER [--check|--write PAGE] [--tensorrt] [--only PART] [--seconds N] "
        "[--jobs N] [--known FILE]\n       assay_node_tests --write PAGE --results FILE\n");
    return 2;
  }
  return run(words[1], mode);
}
