#include "report/program_text.h"

#include <fmt/format.h>

#include <cctype>
#include <cmath>
#include <cstdint>

namespace assay::report {
namespace {

// Formats each item with `format` and joins the results with ", ".
template <class Items, class Format>
std::string list(const Items& items, const Format& format) {
  std::string text;
  for (const auto& item : items) text += (text.empty() ? "" : ", ") + format(item);
  return text;
}

// Uses octal escapes in both languages, because C++ takes all hexadecimal digits after "\x".
std::string octal(unsigned char c) {
  return fmt::format("\\{:03o}", c);
}

bool is_plain(unsigned char c) {
  return c >= 0x20 && c < 0x7f && c != '"' && c != '\\' && c != '?';  // "??" begins a trigraph
}

std::string cpp_number(double number) {
  if (std::isfinite(number)) return fmt::format("{}", number);
  return number > 0 ? "HUGE_VAL" : "-HUGE_VAL";
}

struct PythonValue {
  std::string operator()(bool value) const { return value ? "True" : "False"; }
  std::string operator()(int value) const { return std::to_string(value); }
  std::string operator()(const std::string& value) const { return python_string(value); }
  std::string operator()(const std::vector<std::string>& values) const { return "[" + list(values, *this) + "]"; }
  std::string operator()(const std::map<std::string, std::string>& table) const {
    const auto entry = [](const auto& row) { return python_string(row.first) + ": " + python_string(row.second); };
    return "{" + list(table, entry) + "}";
  }
  std::string operator()(const std::map<std::string, double>& table) const {
    const auto entry = [](const auto& row) { return python_string(row.first) + ": " + python_number(row.second); };
    return "{" + list(table, entry) + "}";
  }
};

struct CppType {
  std::string operator()(bool) const { return "bool"; }
  std::string operator()(int) const { return "int"; }
  std::string operator()(const std::string&) const { return "std::string"; }
  std::string operator()(const std::vector<std::string>&) const { return "std::vector<std::string>"; }
  std::string operator()(const std::map<std::string, std::string>&) const {
    return "std::map<std::string, std::string>";
  }
  std::string operator()(const std::map<std::string, double>&) const { return "std::map<std::string, double>"; }
};

struct CppValue {
  std::string operator()(bool value) const { return value ? "true" : "false"; }
  std::string operator()(int value) const { return std::to_string(value); }
  std::string operator()(const std::string& value) const { return cpp_string(value); }
  std::string operator()(const std::vector<std::string>& values) const { return "{" + list(values, *this) + "}"; }
  std::string operator()(const std::map<std::string, std::string>& table) const {
    const auto entry = [](const auto& row) {
      return fmt::format("{{{}, {}}}", cpp_string(row.first), cpp_string(row.second));
    };
    return "{" + list(table, entry) + "}";
  }
  std::string operator()(const std::map<std::string, double>& table) const {
    const auto entry = [](const auto& row) {
      return fmt::format("{{{}, {}}}", cpp_string(row.first), cpp_number(row.second));
    };
    return "{" + list(table, entry) + "}";
  }
};

// Returns kIntraOpThreads for INTRA_OP_THREADS.
std::string cpp_name(const std::string& name) {
  std::string text = "k";
  bool starts = true;
  for (const char c : name) {
    if (c != '_') text += starts ? c : static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    starts = c == '_';
  }
  return text;
}

}  // namespace

std::string python_number(double number) {
  return std::isfinite(number) ? fmt::format("{}", number) : fmt::format("float(\"{}\")", number);
}

std::string cpp_string(std::string_view text) {
  std::string quoted = "\"";
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    quoted += is_plain(byte) ? std::string(1, c) : octal(byte);
  }
  return quoted + "\"";
}

std::string mark(std::string_view comment, std::string_view name) {
  return fmt::format("{}@{}@\n", comment, name);
}

void replace_mark(std::string& text, const std::string& what, std::string_view with) {
  const std::size_t found = text.find(what);
  if (found != std::string::npos) text.replace(found, what.size(), with);
}

TemplatePart split_part(std::string_view part, const std::string& at) {
  const std::size_t found = part.find(at);
  return {part.substr(0, found), part.substr(found + at.size())};
}

std::string list_numbers(const std::vector<std::int64_t>& numbers) {
  return list(numbers, [](std::int64_t number) { return std::to_string(number); });
}

std::string python_constants(const std::vector<Constant>& constants) {
  std::string text;
  for (const Constant& constant : constants) {
    text += fmt::format("{} = {}{}{}\n", constant.name, std::visit(PythonValue(), constant.value),
                        constant.comment.empty() ? "" : "  # ", constant.comment);
  }
  return text;
}

std::string cpp_constants(const std::vector<Constant>& constants) {
  std::string text;
  for (const Constant& constant : constants) {
    text +=
        fmt::format("static const {} {} = {};{}{}\n", std::visit(CppType(), constant.value), cpp_name(constant.name),
                    std::visit(CppValue(), constant.value), constant.comment.empty() ? "" : "  // ", constant.comment);
  }
  return text;
}

}  // namespace assay::report
