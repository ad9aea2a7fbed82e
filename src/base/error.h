// Errors as values: failures caused by a user, a file or an engine.
//
// A function that can fail for such a reason returns Expected<T>, or Status if it has no result. Bugs in Assay itself
// are assertions, not Errors. Nothing below src/cli prints, exits or throws; code that calls a library that throws
// (onnx, nlohmann-json, std::filesystem) catches the exception and returns an Error.
#pragma once

#include <string>
#include <string_view>
#include <tl/expected.hpp>
#include <utility>

namespace assay::base {

// Decides the exit status and whether a caller may continue. Code looks at the kind; the texts are for people.
enum class ErrorKind {
  invalid_input,  // a file, an option or a value is malformed or contradictory
  not_found,      // a file, tensor, node, command or engine is missing
  io,             // the operating system refused: full disk, read-only folder, ...
  unsupported,    // valid, but this build, engine or version can't do it
  engine,         // an engine failed, crashed, hung or ran out of memory
  interrupted,    // the user stopped Assay (exit status 130)
};

struct Error {
  ErrorKind kind = ErrorKind::invalid_input;
  std::string what;   // what went wrong, one sentence without a full stop
  std::string where;  // file, node, tensor or option; may be empty
  std::string fix;    // what to do next, without a full stop; may be empty

  // Returns "WHAT (in WHERE). FIX" as one line of text.
  [[nodiscard]] std::string message() const;

  // Returns the error with an outer place put before its own: "OUTER: WHERE".
  [[nodiscard]] Error within(std::string_view outer) &&;
};

template <class T>
using Expected = tl::expected<T, Error>;
using Status = Expected<void>;

// For example: return fail(ErrorKind::io, "cannot write", path, "Free some space");
inline tl::unexpected<Error> fail(ErrorKind kind, std::string what, std::string where = {}, std::string fix = {}) {
  return tl::unexpected<Error>(Error{kind, std::move(what), std::move(where), std::move(fix)});
}

inline tl::unexpected<Error> fail(Error error) {
  return tl::unexpected<Error>(std::move(error));
}

// Describes a failed system call, with the text of errno: "cannot open: No such file or directory".
// ENOENT and ENOTDIR become ErrorKind::not_found, all others ErrorKind::io.
Error system_error(std::string_view action, std::string where, int error_number);

}  // namespace assay::base

#define ASSAY_CONCAT_INNER(a, b) a##b
#define ASSAY_CONCAT(a, b) ASSAY_CONCAT_INNER(a, b)

// ASSAY_TRY(status_expression): returns from the enclosing function if the expression is an error.
#define ASSAY_TRY(expression)                                        \
  do {                                                               \
    if (auto assay_status = (expression); !assay_status) {           \
      return ::tl::make_unexpected(std::move(assay_status).error()); \
    }                                                                \
  } while (false)

// ASSAY_ASSIGN(auto value, expected_expression): assigns the value, or returns the error from the enclosing function.
#define ASSAY_ASSIGN(declaration, expression) \
  ASSAY_ASSIGN_IMPL(ASSAY_CONCAT(assay_expected_, __LINE__), declaration, expression)
#define ASSAY_ASSIGN_IMPL(temporary, declaration, expression)                 \
  auto temporary = (expression);                                              \
  if (!temporary) return ::tl::make_unexpected(std::move(temporary).error()); \
  declaration = std::move(*temporary)
