#include "backend/find_engines.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <string>

#include "backend/find_python_packages.h"
#include "backend/search_environment.h"
#include "base/files.h"
#include "base/temp_dir.h"
#include "tests/support/paths.h"

namespace assay::backend {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;

// Builds trees of empty files in a temporary folder.
class FindEngines : public testing::Test {
 protected:
  fs::path file(const fs::path& path, std::string_view content = "") {
    EXPECT_TRUE(base::write_file(root_ / path, content));
    return root_ / path;
  }
  // Creates a Python installation: bin/python3 -> python3.11, with ONNX Runtime's package if a version is given.
  void python(const fs::path& prefix, const std::string& onnxruntime, const std::string& packages = "site-packages") {
    file(prefix / "bin/python3.11");
    fs::create_symlink("python3.11", root_ / prefix / "bin/python3");
    fs::create_directories(root_ / prefix / "lib/python3.11" / packages);
    if (!onnxruntime.empty()) library(prefix / "lib/python3.11" / packages / "onnxruntime/capi", onnxruntime);
  }
  fs::path library(const fs::path& folder, const std::string& version) {
    return file(folder / ("libonnxruntime.so." + version));
  }
  // Creates a virtual environment of the Python in `base`.
  void environment(const fs::path& prefix, const fs::path& base, const std::string& onnxruntime) {
    file(prefix / "pyvenv.cfg");
    fs::create_directories(root_ / prefix / "bin");
    fs::create_symlink(root_ / base / "bin/python3", root_ / prefix / "bin/python3");
    fs::create_directories(root_ / prefix / "lib/python3.11/site-packages");
    if (!onnxruntime.empty()) library(prefix / "lib/python3.11/site-packages/onnxruntime/capi", onnxruntime);
  }
  std::string version(const EngineSearch& search) {
    const auto found = find_onnxruntime(search);
    return found ? found->version : found.error().message();
  }

  base::TempDir folder_ = base::TempDir::create().value();
  fs::path root_ = folder_.path();
};

TEST_F(FindEngines, PrefersTheUsersChoice) {
  python("usr", "1.30.0");
  EngineSearch search;
  search.path = {root_ / "usr/bin"};
  search.libraries["onnxruntime"].fetched = library("fetched", "1.29.0");
  EXPECT_EQ(version(search), "1.30.0");
  search.libraries["onnxruntime"].variable = library("variable", "1.28.0");
  EXPECT_EQ(version(search), "1.28.0");
  search.libraries["onnxruntime"].option = library("option", "1.27.0");
  EXPECT_EQ(version(search), "1.27.0");

  const auto all = find_engines(search);
  ASSERT_EQ(all.size(), 4U);
  EXPECT_EQ(all[0].how, "--onnxrt-lib");
  EXPECT_EQ(all[1].how, "ASSAY_ONNXRUNTIME_LIB");
  EXPECT_EQ(all[2].how, "the Python package of " + (root_ / "usr/bin/python3").string());
  EXPECT_EQ(all[3].library, search.libraries["onnxruntime"].fetched);
}

TEST_F(FindEngines, TakesAFolderForALibrary) {
  library("lib", "1.9.1");
  library("lib", "1.20.1");
  EngineSearch search;
  search.libraries["onnxruntime"].option = root_ / "lib";
  EXPECT_EQ(version(search), "1.20.1");
}

TEST_F(FindEngines, TakesTheMajorVersionOfTheWorker) {
  const EngineRow& row = *find_engine_row("tensorrt");
  ASSERT_GT(row.library.major, 0);
  for (const int major : {row.library.major - 1, row.library.major, row.library.major + 1}) {
    for (const char* minor : {"2", "10"}) file(fmt::format("trt/libnvinfer.so.{}.{}.1", major, minor));
  }
  EngineSearch search;
  search.libraries["tensorrt"].option = root_ / "trt";
  EXPECT_EQ(find_library(row, search).value().version, fmt::format("{}.10.1", row.library.major));
}

TEST_F(FindEngines, ReadsTheVersionThroughALink) {
  const fs::path real = library("lib", "1.21.0");
  fs::create_symlink(real, root_ / "libonnxruntime.so");
  EngineSearch search;
  search.libraries["onnxruntime"].option = root_ / "libonnxruntime.so";
  EXPECT_EQ(version(search), "1.21.0");
}

TEST_F(FindEngines, DoesNotFallBackIfTheUsersChoiceIsMissing) {
  EngineSearch search;
  search.libraries["onnxruntime"].fetched = library("fetched", "1.29.0");
  search.libraries["onnxruntime"].option = "/no/such/library.so";
  EXPECT_THAT(version(search), HasSubstr("/no/such/library.so (in --onnxrt-lib)"));
}

TEST_F(FindEngines, PrefersTheVirtualEnvironment) {
  python("usr", "1.30.0");
  environment("venv", "usr", "1.25.0");
  EngineSearch search;
  search.path = {root_ / "usr/bin"};
  search.virtual_env = root_ / "venv";
  EXPECT_EQ(version(search), "1.25.0");
}

// Assay's own package may be in an environment that isn't active; the extras install engines there.
TEST_F(FindEngines, NamesTheExtraIfItIsAPackage) {
  unsetenv("VIRTUAL_ENV");
  EXPECT_EQ(package_folder("/usr/libexec/assay"), "");
  EXPECT_EQ(prefix_of(package_folder("/usr/local/lib/python3.11/dist-packages/assay/libexec/assay")), "/usr/local");
  python("usr", "");
  environment("venv", "usr", "");
  const EngineSearch search = search_environment(root_ / "venv/lib/python3.11/site-packages/assay/libexec/assay");
  EXPECT_EQ(search.virtual_env, root_ / "venv");
  EXPECT_EQ(find_python("", search).value(), root_ / "venv/bin/python3");
  EngineSearch nothing_else;
  nothing_else.libraries = search.libraries;
  EXPECT_THAT(version(nothing_else), HasSubstr("pip install 'assay-onnx[onnxruntime]', or pip install onnxruntime"));
  library("venv/lib/python3.11/site-packages/onnxruntime/capi", "1.25.0");
  EXPECT_EQ(version(nothing_else), "1.25.0");
}

TEST(EngineTable, EachPackageIsAnExtraOfAssays) {
  const std::string project = base::read_file(test::source_dir() / "pyproject.toml").value();
  for (const EngineRow& row : engine_rows()) {
    if (row.library.pip.empty()) continue;
    EXPECT_THAT(project, HasSubstr(fmt::format("\n{} = [\"{}>=", row.kind, row.library.pip)));
  }
}

TEST_F(FindEngines, KnowsAVirtualEnvironmentThatIsNotActive) {
  python("usr", "1.30.0");
  environment("venv", "usr", "1.25.0");
  EngineSearch search;
  search.path = {root_ / "empty", root_ / "venv/bin", root_ / "usr/bin"};
  EXPECT_EQ(version(search), "1.25.0");
}

// Packages that Python wouldn't import are ignored.
TEST_F(FindEngines, DoesNotLookOutsideOfAVirtualEnvironment) {
  python("usr", "1.30.0");
  environment("venv", "usr", "");
  EngineSearch search;
  search.path = {root_ / "venv/bin"};
  EXPECT_THAT(version(search), HasSubstr((root_ / "venv").string()));
}

TEST_F(FindEngines, FollowsLinksToThePython) {
  python("opt/python", "1.26.0");
  fs::create_directories(root_ / "usr/local/bin");
  fs::create_symlink(root_ / "opt/python/bin/python3", root_ / "usr/local/bin/python3");
  EngineSearch search;
  search.path = {root_ / "usr/local/bin"};
  EXPECT_EQ(version(search), "1.26.0");
}

TEST_F(FindEngines, KnowsDebiansFolders) {
  python("usr", "");
  library("usr/local/lib/python3.11/dist-packages/onnxruntime/capi", "1.24.0");
  EngineSearch search;
  search.path = {root_ / "usr/bin"};
  EXPECT_EQ(version(search), "1.24.0");
  library("usr/lib/python3/dist-packages/onnxruntime/capi", "1.23.0");
  EXPECT_EQ(find_engines(search).size(), 2U);
}

TEST_F(FindEngines, FindsUserInstallations) {
  python("usr", "");
  library("home/.local/lib/python3.11/site-packages/onnxruntime/capi", "1.22.0");
  EngineSearch search;
  search.path = {root_ / "usr/bin"};
  search.home = root_ / "home";
  EXPECT_EQ(version(search), "1.22.0");
}

TEST_F(FindEngines, LeavesOtherVersionsOfPythonAlone) {
  python("usr", "");
  library("usr/lib/python3.9/site-packages/onnxruntime/capi", "1.22.0");
  EngineSearch search;
  search.path = {root_ / "usr/bin"};
  EXPECT_FALSE(find_onnxruntime(search));
}

TEST_F(FindEngines, ResolvesTheShimsOfPyenv) {
  python("pyenv/versions/3.11.7", "1.28.0");
  file("pyenv/version", "3.11.7\n");
  file("pyenv/shims/python3");
  EngineSearch search;
  search.path = {root_ / "pyenv/shims"};
  EXPECT_EQ(version(search), "1.28.0");
}

TEST_F(FindEngines, ErrorsListAPlaceOnce) {
  python("usr", "");
  environment("venv", "usr", "");
  fs::create_directory_symlink("lib", root_ / "venv/lib64");
  EngineSearch search;
  search.virtual_env = root_ / "venv";
  search.path = {root_ / "venv/bin"};
  search.libraries["onnxruntime"].fetched = root_ / "venv/lib/python3.11/site-packages/onnxruntime/capi";
  const std::string place = fmt::format("searched {} (the Python package of {}). Install",
                                        search.libraries["onnxruntime"].fetched.string(), (root_ / "venv").string());
  EXPECT_THAT(version(search), HasSubstr(place));
}

TEST_F(FindEngines, ErrorsListSearchedPlacesAndHowToInstall) {
  python("usr", "");
  EngineSearch search;
  search.path = {root_ / "usr/bin"};
  search.libraries["onnxruntime"].fetched = root_ / "gone/libonnxruntime.so";
  const auto found = find_onnxruntime(search);
  ASSERT_FALSE(found);
  EXPECT_EQ(found.error().kind, base::ErrorKind::not_found);
  EXPECT_THAT(found.error().message(), HasSubstr((root_ / "usr/lib/python3.11/site-packages").string()));
  EXPECT_THAT(found.error().message(), HasSubstr((root_ / "gone/libonnxruntime.so").string()));
  EXPECT_THAT(found.error().message(), HasSubstr("pip install onnxruntime"));

  EXPECT_THAT(found.error().message(), testing::Not(HasSubstr("assay-onnx")));
  EXPECT_THAT(version({}), HasSubstr("no python3 in PATH"));
  EXPECT_TRUE(find_engines({}).empty());
}

}  // namespace
}  // namespace assay::backend
