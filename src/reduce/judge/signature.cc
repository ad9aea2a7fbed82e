// A signature is built from the lines that report errors. Its classes are words that engines use for kinds of errors
// and that don't depend on the model: capitals with underscores, names of exceptions, conditions of assertions,
// positions in source files, and phrases from a table. The tables were made from texts of ONNX Runtime 1.31, OpenVINO
// 2026.4, OpenCV 5.0, tract 0.23, onnx.checker 1.23, Python's tracebacks, glibc's and the shell's names of signals, and
// our own `assay run`. The tests contain such texts.
#include "reduce/judge/signature.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <iterator>
#include <set>
#include <utility>

#include "base/shorten_middle.h"
#include "base/strings.h"
#include "base/without_escapes.h"
#include "reduce/judge/error_lines.h"
#include "reduce/judge/memory_faults.h"
#include "reduce/judge/polygraphy_output.h"
#include "reduce/judge/words_of_line.h"
#include "worker/telling_line.h"

namespace assay::reduce {
namespace {

constexpr std::size_t kMaxText = std::size_t{8} << 10;
constexpr std::size_t kMaxClasses = 32;
constexpr std::size_t kMaxHeadline = 200;
constexpr std::size_t kMaxCondition = 200;

// Words that say that there is an error but not which.
constexpr std::array<std::string_view, 13> kGeneric = {
    "Error", "Exception",  "RuntimeError",       "AssertionError", "ONNXRuntimeError", "GeneralFailure", "FAIL",
    "Fail",  "SystemExit", "CalledProcessError", "Failure",        "RuntimeException", "TractError"};

// Words that stand for many failures: Python's own exceptions, and the one of ONNX's checker.
constexpr std::array<std::string_view, 7> kVague = {
    "ValueError", "TypeError", "KeyError", "IndexError", "AttributeError", "NotImplementedError", "ValidationError"};

constexpr std::string_view kMismatch = "MISMATCH";
constexpr std::string_view kNotFinite = "NOT_FINITE";

// `polygraphy run` has no data for an input.
constexpr std::string_view kUnfitInput = "cannot reuse input data";

struct Phrase {
  std::string_view text;  // lower case, whole words
  std::string_view name;
};
constexpr std::array<Phrase, 34> kPhrases = {{
    {"signal 11", "SIGSEGV"},
    {"segmentation fault", "SIGSEGV"},
    {"sigsegv", "SIGSEGV"},
    {"signal 6", "SIGABRT"},
    {"sigabrt", "SIGABRT"},
    {"aborted", "SIGABRT"},
    {"signal 8", "SIGFPE"},
    {"floating point exception", "SIGFPE"},
    {"sigfpe", "SIGFPE"},
    {"signal 4", "SIGILL"},
    {"illegal instruction", "SIGILL"},
    {"sigill", "SIGILL"},
    {"signal 7", "SIGBUS"},
    {"bus error", "SIGBUS"},
    {"sigbus", "SIGBUS"},
    {"not implemented", "NOT_IMPLEMENTED"},
    {"out of memory", "OUT_OF_MEMORY"},
    {"bad_alloc", "OUT_OF_MEMORY"},
    {"timed out", "TIMEOUT"},
    {"did not end within", "TIMEOUT"},  // `assay run --engine-timeout`
    {"type error", "TypeError"},
    {"internal error", "InternalError"},
    {"differ", kMismatch},
    {"differs", kMismatch},
    {"mismatch", kMismatch},
    {"max diff", kMismatch},
    {"not equal to tolerance", kMismatch},
    {"difference exceeds tolerance", kMismatch},  // `polygraphy run`
    {kUnfitInput, "UNFIT_INPUT"},                 // "... due to mismatch in shape or data type"
    {"on both sides", kNotFinite},
    {"nan among", "NaN"},  // `assay run --validate`
    {"infinite among", "infinity"},
    {"nan detected", "NaN"},  // `polygraphy run --validate`
    {"inf detected", "infinity"},
}};

// ONNX reports what is wrong in a body as an error of the node that holds the body, with these words before it. They
// are missing once the body's nodes are nodes of the graph.
constexpr std::string_view kInBody = "[TypeInferenceError] Graph attribute inferencing failed: ";

// The texts before and after an assertion's condition.
struct Frame {
  std::string_view before;
  std::string_view after;
};
constexpr std::array<Frame, 6> kAssertions = {{
    {"Condition failed: `", "`"},            // Rust's anyhow, in tract
    {"Assertion failed) ", " in function"},  // OpenCV
    {"Assertion `", "' failed"},             // glibc
    {"Check '", "' failed"},                 // OpenVINO
    {"instance of '", "'"},                  // libstdc++: terminate called after throwing an instance of
    {") ", " was false."},                   // ONNX Runtime, after the function's parameters
}};

bool all(std::string_view text, int (*test)(int)) {
  return std::ranges::all_of(text, [test](char c) { return test(static_cast<unsigned char>(c)) != 0; });
}

// Accepts NOT_IMPLEMENTED. Words with digits are names of tensors; no engine has digits in its status names.
bool is_status_word(std::string_view word) {
  const auto capital = [](char c) { return std::isupper(static_cast<unsigned char>(c)) != 0; };
  return word.size() >= 5 && word.find('_') != std::string_view::npos && capital(word.front()) &&
         capital(word.back()) && std::ranges::all_of(word, [&](char c) { return capital(c) || c == '_'; });
}

// Accepts ShapeInferenceError.
bool names_error(std::string_view word) {
  constexpr std::array<std::string_view, 4> kEndings = {"Error", "Exception", "Fault", "Failure"};
  return std::isupper(static_cast<unsigned char>(word.front())) != 0 && all(word, std::isalpha) &&
         std::ranges::any_of(kEndings, [&](std::string_view ending) { return word.ends_with(ending); });
}

bool is_generic(std::string_view word) {
  return std::ranges::find(kGeneric, word) != kGeneric.end();
}

bool is_vague(std::string_view word) {
  return is_generic(word) || std::ranges::find(kVague, word) != kVague.end();
}

// Accepts "> -1" and "== b", what follows a call at the beginning of a condition, but not "*p" or "-x".
bool begins_with_operator(std::string_view text) {
  const std::string_view word = text.substr(0, text.find(' '));
  return word.size() < text.size() && !word.empty() &&
         word.find_first_not_of("<>=!&|+-*/%?:") == std::string_view::npos;
}

void add_assertions(const std::string& line, std::set<std::string>& places) {
  for (const Frame& frame : kAssertions) {
    const std::size_t first = line.find(frame.before);
    if (first == std::string::npos) continue;
    const std::size_t end = line.find(frame.after, first + frame.before.size());
    if (end == std::string::npos) continue;
    // Takes the last occurrence before the end, since a list of parameters contains brackets, too. Brackets before an
    // operator are a call in the condition.
    std::size_t at = line.rfind(frame.before, end - frame.before.size());
    const auto text_from = [&](std::size_t begin) {
      return std::string_view{line}.substr(begin + frame.before.size(), end - begin - frame.before.size());
    };
    while (at > first && begins_with_operator(text_from(at))) at = line.rfind(frame.before, at - 1);
    std::string condition(text_from(at));
    // In a template, GCC adds the types to the function's name: "Div<T>::Div(const Info&) [with T = long int] b != 0".
    if (const std::size_t types = condition.find("] "); condition.starts_with("[with ") && types != std::string::npos) {
      condition.erase(0, types + 2);
    }
    if (!condition.empty() && condition.size() <= kMaxCondition && condition != "false") places.insert(condition);
  }
}

void add_words(const std::string& line, std::set<std::string>& places, std::set<std::string>& classes) {
  for (const std::string& token : words_without_quotes(line)) {
    if (std::string place = place_in_source(token); !place.empty()) {
      places.insert(std::move(place));
      continue;
    }
    if (token.find('/') != std::string::npos) continue;
    for (const std::string& part : base::split(token, '.')) {
      for (const std::string& word : base::split(part, ':')) {
        if (!word.empty() && (is_status_word(word) || names_error(word) || is_generic(word))) classes.insert(word);
      }
    }
  }
}

std::string as_in_graph(std::string line) {
  for (std::size_t at = line.find(kInBody); at != std::string::npos; at = line.find(kInBody, at)) {
    line.erase(at, kInBody.size());
  }
  return line;
}

void set_classes(const std::vector<std::string>& lines, Signature& signature) {
  std::set<std::string> classes;
  for (const std::string& line : lines) {
    std::set<std::string> places;
    add_assertions(line, places);
    add_words(line, places, classes);
    if (!places.empty()) signature.places.emplace(places.begin(), places.end());
    classes.merge(places);
    const bool is_unfit_input = has_word(line, kUnfitInput);
    for (const Phrase& phrase : kPhrases) {
      if (is_unfit_input && phrase.name == kMismatch) continue;
      if (has_word(line, phrase.text)) classes.emplace(phrase.name);
    }
    if (classes.size() >= kMaxClasses) break;
  }
  if (classes.contains(std::string(kMismatch))) classes.erase(std::string(kNotFinite));
  const bool specific = !std::ranges::all_of(classes, is_generic);
  std::vector<std::string>& sorted = signature.classes;
  for (const std::string& word : classes) {
    if (!(specific && is_generic(word)) && sorted.size() < kMaxClasses) sorted.push_back(word);
  }
}

std::string text_of(const std::vector<std::string>& lines) {
  std::string text;
  std::set<std::string> seen;
  for (const std::string& line : lines) {
    std::string normal = without_what_varies(line);
    if (text.size() + normal.size() > kMaxText) break;
    if (seen.insert(normal).second) text += (text.empty() ? "" : "\n") + normal;
  }
  return text;
}

// Returns the different words of the text, sorted, without placeholders.
std::vector<std::string> words_in(const std::string& text) {
  std::set<std::string> words;
  for (const std::string& line : base::split(text, '\n')) {
    for (std::string& word : base::split(line, ' ')) words.insert(std::move(word));
  }
  words.erase("");
  words.erase("~");
  return {words.begin(), words.end()};
}

std::size_t in_both(const std::vector<std::string>& a, const std::vector<std::string>& b) {
  std::vector<std::string> both;
  std::ranges::set_intersection(a, b, std::back_inserter(both));
  return both.size();
}

bool share_half(const std::vector<std::string>& a, const std::vector<std::string>& b) {
  return 2 * in_both(a, b) >= std::max(a.size(), b.size());
}

// An engine that reports several errors (OpenVINO's importer) may report one more for a candidate that was cut badly.
bool reports_another_error(const Signature& reference, const Signature& seen) {
  return !reference.places.empty() && std::ranges::any_of(seen.places, [&](const std::vector<std::string>& line) {
    return in_both(line, reference.classes) == 0;
  });
}

bool differ_in_words(const Signature& reference, const Signature& seen) {
  if (!std::ranges::all_of(reference.classes, is_vague)) return false;
  const bool elsewhere =
      !reference.raised_at.empty() && !seen.raised_at.empty() && reference.raised_at != seen.raised_at;
  return elsewhere || !share_half(words_in(reference.text), words_in(seen.text));
}

// Makes all memory faults equal.
Signature comparable(Signature signature) {
  if (!signature.memory_fault) return signature;
  signature.ending = without_memory_signal(signature.ending);
  signature.classes = without_memory_signals(std::move(signature.classes));
  return signature;
}

bool is_same_class(const Signature& reference, const Signature& seen) {
  if (reference.ending != seen.ending) return false;
  if (reference.classes.empty()) return !seen.names_error;
  return share_half(reference.classes, seen.classes) && !reports_another_error(reference, seen) &&
         !differ_in_words(reference, seen);
}

// SIGABRT is excepted: assertions and uncaught exceptions end a program with it, after a message that says what
// happened.
bool ended_without_words(const Signature& signature) {
  return signature.ending.starts_with("did not end within") ||
         (signature.ending.starts_with("crashed with signal") &&
          (signature.memory_fault || !signature.ending.starts_with("crashed with signal 6 ")));
}

// Output is often indented or in columns.
std::string with_single_spaces(std::string text) {
  const auto end = std::ranges::unique(text, [](char a, char b) { return a == ' ' && b == ' '; });
  text.erase(end.begin(), end.end());
  return text;
}

// Engines may name the place in their source first, at length or, as OpenVINO, in lines of their own: then the reason
// alone is shown. After NumPy's "AssertionError: ", the reason is in the next line. `telling`: the lines that name an
// error, at least one.
std::string headline_of(std::string_view output, const std::vector<std::string>& telling) {
  const std::string& line = telling.front();
  if (line.find("Exception from ") != std::string::npos) {
    const std::string plain = base::without_escapes(output);
    const std::size_t at = plain.find(line);
    if (at != std::string::npos) return worker::telling_line(std::string_view{plain}.substr(at));
  }
  if (line.ends_with("Error:") && telling.size() > 1) return line + ' ' + telling[1];
  return line.size() > kMaxHeadline ? worker::without_origin(line) : line;
}

bool has_class(const Signature& signature, std::string_view name) {
  return std::ranges::find(signature.classes, name) != signature.classes.end();
}

std::string ending_text(const Signature& signature) {
  return signature.ending.empty() ? "a failure" : signature.ending;
}

}  // namespace

bool reports_difference(const Signature& signature) {
  return has_class(signature, kMismatch) || has_class(signature, kNotFinite);
}

bool reports_only_specials(const Signature& reference, const Signature& seen) {
  return has_class(reference, kMismatch) && has_class(seen, kNotFinite);
}

std::string ending_of(const Verdict& verdict) {
  return verdict.text.substr(0, verdict.text.find(": "));
}

Signature signature_of(const Verdict& verdict) {
  LinesOfOutput lines = sort_lines(verdict.output);
  std::vector<std::string>& telling = lines.errors.empty() ? lines.others : lines.errors;
  Signature signature;
  signature.ending = ending_of(verdict);
  if (!telling.empty()) {
    const std::string headline = headline_of(verdict.output, telling);
    signature.headline = base::shorten_middle(with_single_spaces(headline), kMaxHeadline);
  }
  std::ranges::transform(telling, telling.begin(), as_in_graph);
  signature.text = text_of(telling);
  signature.raised_at = std::move(lines.raised_at);
  signature.memory_fault = ended_by_memory_fault(signature.ending, verdict.output);
  if (!ended_without_words(signature)) set_classes(telling, signature);
  if (reports_memory_fault(signature.classes, verdict.output)) signature.memory_fault = true;
  if (has_class(signature, kMismatch) && fails_only_by_specials_in_polygraphy(verdict.output)) {
    std::ranges::replace(signature.classes, kMismatch, kNotFinite);
    std::ranges::sort(signature.classes);
  }
  signature.names_error = !lines.errors.empty() && !signature.classes.empty();
  return signature;
}

bool same_failure(const Signature& reference, const Signature& seen, SameFailure mode) {
  if (mode == SameFailure::any || reference.ending.empty() || seen.ending.empty()) return true;
  if (mode == SameFailure::strict) return reference.ending == seen.ending && reference.text == seen.text;
  return is_same_class(comparable(reference), comparable(seen));
}

std::string describe(const Signature& signature) {
  const std::string ending = ending_text(signature);
  if (!signature.classes.empty()) return ending + " with " + base::join(signature.classes, ", ");
  return signature.headline.empty() ? ending : ending + ": " + signature.headline;
}

std::string describe_with_headline(const Signature& signature) {
  if (signature.classes.empty() || signature.headline.empty()) return describe(signature);
  const bool names_classes = signature.headline.starts_with(base::join(signature.classes, ", "));
  return (names_classes ? ending_text(signature) : describe(signature)) + ": " + signature.headline;
}

}  // namespace assay::reduce
