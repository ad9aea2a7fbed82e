#include "tests/engines/node_record.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

#include "base/files.h"
#include "base/strings.h"

namespace assay::test {
namespace {

constexpr std::string_view kBegin = "<!-- written by assay_node_tests: begin -->\n";
constexpr std::string_view kEnd = "<!-- end -->\n";
constexpr std::string_view kTests = "| test |";

struct Parts {
  std::string before;  // up to and including kBegin
  std::string table;
  std::string after;  // from kEnd on
};

base::Expected<Parts> read_parts(const std::filesystem::path& page) {
  ASSAY_ASSIGN(const std::string text, base::read_file(page));
  const std::size_t begin = text.find(kBegin);
  const std::size_t end = text.find(kEnd);
  if (begin == std::string::npos || end == std::string::npos || end < begin) {
    return base::fail(base::ErrorKind::invalid_input, "no lines that mark the table", page.string());
  }
  const std::size_t table = begin + kBegin.size();
  return Parts{text.substr(0, table), text.substr(table, end - table), text.substr(end)};
}

// "| a | b |" -> {"a", "b"}
std::vector<std::string> cells(const std::string& line) {
  std::vector<std::string> found;
  for (const std::string& cell : base::split(line, '|')) found.emplace_back(base::trim(cell));
  if (found.size() < 2) return {};
  return {found.begin() + 1, found.end() - 1};
}

// Returns 0 for the words of a header.
std::size_t number_in(const std::string& cell) {
  std::size_t number = 0;
  std::from_chars(cell.data(), cell.data() + cell.size(), number);
  return number;
}

std::string row(const std::string& first, const std::vector<std::string>& others) {
  return fmt::format("| {} | {} |\n", first, base::join(others, " | "));
}

std::string summary(const NodeRecord& record) {
  std::map<std::string, std::vector<std::size_t>> counts;
  for (const auto& [name, results] : record.results) {
    for (std::size_t i = 0; i < results.size(); ++i) {
      auto& of_result = counts[results[i]];
      of_result.resize(record.engines.size());
      ++of_result[i];
    }
  }
  std::string text = row("result", record.engines) + row("---", std::vector<std::string>(record.engines.size(), "---"));
  for (const auto& [result, numbers] : counts) {
    std::vector<std::string> words;
    for (const std::size_t number : numbers) words.push_back(std::to_string(number));
    text += row(result, words);
  }
  return text;
}

}  // namespace

base::Expected<NodeRecord> read_record(const std::filesystem::path& page) {
  ASSAY_ASSIGN(const Parts parts, read_parts(page));
  NodeRecord record;
  bool in_tests = false;
  for (const std::string& line : base::split(parts.table, '\n')) {
    const std::vector<std::string> words = cells(line);
    if (line.starts_with(kTests)) {
      in_tests = true;
      record.engines = {words.begin() + 1, words.end()};
    } else if (in_tests && words.size() == record.engines.size() + 1 && words[0] != "---") {
      record.results[words[0]] = {words.begin() + 1, words.end()};
    } else if (!in_tests && words.size() > 1) {
      record.tests += number_in(words[1]);
    }
  }
  return record;
}

base::Status write_record(const std::filesystem::path& page, const NodeRecord& record) {
  ASSAY_ASSIGN(const Parts parts, read_parts(page));
  std::string table = "\n" + summary(record) + "\n";
  table += row("test", record.engines) + row("---", std::vector<std::string>(record.engines.size(), "---"));
  for (const auto& [name, results] : record.results) {
    if (std::ranges::any_of(results, [](const std::string& result) { return result != "ok"; })) {
      table += row(name, results);
    }
  }
  return base::write_file(page, parts.before + table + "\n" + parts.after);
}

}  // namespace assay::test
