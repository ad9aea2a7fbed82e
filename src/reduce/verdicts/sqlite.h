// A thin wrapper for the few functions of SQLite that the journal needs. Errors are values.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <string_view>

#include "base/error.h"

struct sqlite3;
struct sqlite3_stmt;

namespace assay::reduce::sqlite {

// A result code of SQLite (sqlite3.h) and its message.
struct Failure {
  int code = 0;
  std::string text;
  // Whether the content of the file is invalid: truncated, overwritten or not a database.
  [[nodiscard]] bool damaged() const;
  // Whether another process is using the file.
  [[nodiscard]] bool busy() const;
  // Returns the error "ACTION: another process is using it (in PATH). Wait until ..." and the like. Its kind is io.
  [[nodiscard]] base::Error error(std::string_view action, const std::filesystem::path& path) const;
};

template <class T>
using Result = tl::expected<T, Failure>;

// A prepared statement. Bound values are copied; columns are read from the current row.
class Statement {
 public:
  Statement() = default;
  explicit Statement(sqlite3_stmt* statement) : statement_(statement) {}

  // Parameters count from 1.
  void bind(int parameter, std::string_view bytes);  // as a BLOB
  void bind(int parameter, std::int64_t value);
  void bind(int parameter, double value);
  // Moves to the next row, or returns false after the last one.
  Result<bool> step();
  // Clears the bindings, so that the statement can run again.
  void reset();

  // Columns count from 0.
  [[nodiscard]] std::string bytes(int column) const;
  [[nodiscard]] std::int64_t integer(int column) const;
  [[nodiscard]] double real(int column) const;

 private:
  struct Finalize {
    void operator()(sqlite3_stmt* statement) const;
  };
  std::unique_ptr<sqlite3_stmt, Finalize> statement_;
};

class Database {
 public:
  // Opens the file, or creates it, without reading it yet. The first statement that reads it locks out all other
  // processes until it is closed.
  static Result<Database> open(const std::filesystem::path& path);

  Result<Statement> prepare(std::string_view sql);
  // Runs one or more statements and ignores their rows.
  Result<void> execute(const std::string& sql);
  // Return the first column of the first row, or 0 or an empty string if there are no rows.
  Result<std::int64_t> integer(std::string_view sql);
  Result<std::string> text(std::string_view sql);

  [[nodiscard]] bool read_only() const;
  // Sets whether closing leaves the files as they are, with the write-ahead log not merged into the database.
  void keep_log(bool keep = true);

 private:
  struct Close {
    void operator()(sqlite3* database) const;
  };
  explicit Database(sqlite3* database) : database_(database) {}
  std::unique_ptr<sqlite3, Close> database_;
};

}  // namespace assay::reduce::sqlite
