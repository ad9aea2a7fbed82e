#include "report/machine.h"

#include <sys/utsname.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <thread>

#include "base/files.h"
#include "base/strings.h"

namespace assay::report {
namespace {

// Instruction sets by which engines choose their kernels, as /proc/cpuinfo names them on x86 and Arm.
constexpr std::array<std::string_view, 16> kInstructionSets = {
    "sse4_2",      "avx",         "f16c",     "fma",      "avx2",    "avx_vnni", "avx512f", "avx512bw",
    "avx512_vnni", "avx512_bf16", "amx_int8", "amx_bf16", "asimddp", "i8mm",     "bf16",    "sve"};

// Returns the value of the first line "KEY<separator>VALUE".
std::string value_of(const std::string& text, std::string_view key, char separator) {
  for (const std::string& line : base::split(text, '\n')) {
    const std::size_t at = line.find(separator);
    if (at != std::string::npos && base::trim(line.substr(0, at)) == key) {
      const std::string rest = line.substr(at + 1);
      const std::string value(base::trim(rest));
      return value.size() > 1 && value.front() == '"' ? value.substr(1, value.size() - 2) : value;
    }
  }
  return {};
}

std::string describe_cpu(const std::string& cpuinfo) {
  std::string model = value_of(cpuinfo, "model name", ':');
  if (model.empty()) model = "unknown model";
  std::string flags = value_of(cpuinfo, "flags", ':');
  if (flags.empty()) flags = value_of(cpuinfo, "Features", ':');
  const std::vector<std::string> words = base::split(flags, ' ');
  std::string sets;
  for (const std::string_view set : kInstructionSets) {
    if (std::ranges::find(words, set) != words.end()) sets += (sets.empty() ? "" : " ") + std::string(set);
  }
  return model + "; " + std::to_string(std::thread::hardware_concurrency()) + " threads" +
         (sets.empty() ? "" : "; " + sets);
}

}  // namespace

std::vector<std::pair<std::string, std::string>> describe_machine() {
  std::vector<std::pair<std::string, std::string>> facts;
  const auto release = base::read_file("/etc/os-release");
  const std::string name = release ? value_of(*release, "PRETTY_NAME", '=') : std::string();
  if (!name.empty()) facts.emplace_back("Operating system", name);
  utsname kernel = {};
  if (::uname(&kernel) == 0) {
    facts.emplace_back("Kernel", std::string(kernel.sysname) + " " + kernel.release + " " + kernel.machine);
  }
  if (const auto cpuinfo = base::read_file("/proc/cpuinfo")) facts.emplace_back("CPU", describe_cpu(*cpuinfo));
  const long pages = ::sysconf(_SC_PHYS_PAGES);
  const long page = ::sysconf(_SC_PAGESIZE);
  if (pages > 0 && page > 0) {
    facts.emplace_back("Memory",
                       base::format_bytes(static_cast<std::uint64_t>(pages) * static_cast<std::uint64_t>(page)));
  }
  return facts;
}

}  // namespace assay::report
