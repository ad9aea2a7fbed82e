// Helpers that the tests of the journal share.
#pragma once

#include <gtest/gtest.h>
#include <sqlite3.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <filesystem>
#include <functional>
#include <string>

#include "reduce/verdicts/verdict.h"

namespace assay::reduce::test {

// Returns a verdict that differs between candidates; some are long.
inline Verdict verdict_of(const std::string& candidate) {
  const std::size_t sum = std::hash<std::string>()(candidate);
  return {.kind = sum % 2 == 0 ? Verdict::Kind::passes : Verdict::Kind::fails,
          .text = "of " + candidate,
          .output = std::string(sum % 7 == 0 ? 9000 : sum % 300, 'o') + candidate,
          .seconds = static_cast<double>(sum % 1000) / 8};
}

inline bool equal(const Verdict& a, const Verdict& b) {
  return a.kind == b.kind && a.text == b.text && a.output == b.output && a.seconds == b.seconds;
}

inline std::size_t entries(const std::filesystem::path& folder) {
  return static_cast<std::size_t>(
      std::distance(std::filesystem::directory_iterator(folder), std::filesystem::directory_iterator()));
}

// Creates a database as any other program would.
inline void make_database(const std::filesystem::path& path, const std::string& sql) {
  sqlite3* database = nullptr;
  ASSERT_EQ(sqlite3_open(path.c_str(), &database), SQLITE_OK);
  EXPECT_EQ(sqlite3_exec(database, sql.c_str(), nullptr, nullptr, nullptr), SQLITE_OK) << sqlite3_errmsg(database);
  sqlite3_close(database);
}

// Runs `work` in another process and returns what it wrote.
inline std::string in_child(const std::function<void(int out)>& work) {
  std::array<int, 2> pipe = {};
  EXPECT_EQ(::pipe(pipe.data()), 0);
  const pid_t child = ::fork();
  if (child == 0) {
    ::close(pipe[0]);
    work(pipe[1]);
    ::_exit(0);
  }
  ::close(pipe[1]);
  std::string said;
  std::array<char, 4096> buffer = {};
  for (ssize_t count = 0; (count = ::read(pipe[0], buffer.data(), buffer.size())) > 0;) {
    said.append(buffer.data(), static_cast<std::size_t>(count));
  }
  ::close(pipe[0]);
  int status = 0;
  ::waitpid(child, &status, 0);
  EXPECT_TRUE(WIFEXITED(status)) << "status " << status;
  return said;
}

}  // namespace assay::reduce::test
