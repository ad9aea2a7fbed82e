// The texts are those of dash, bash, glibc's loader and Python 3.11.
#include "reduce/judge/unable_check.h"

#include <gmock/gmock.h>

namespace assay::reduce {
namespace {

std::string why(int code, const std::string& output) {
  const auto unable = why_unable(code, output);
  return unable ? unable->why : "";
}

TEST(UnableCheck, MissesAProgram) {
  EXPECT_EQ(why(127, "loading\nsh: 1: my_engine: not found\n"), "exit status 127: sh: 1: my_engine: not found");
  EXPECT_EQ(why(126, "./check.sh: line 2: ./engine: Permission denied\n"),
            "exit status 126: ./check.sh: line 2: ./engine: Permission denied");
  EXPECT_EQ(why(127, ""), "exit status 127");
  EXPECT_THAT(why_unable(127, "")->fix, testing::HasSubstr("--fail-code 127"));
  EXPECT_EQ(why(1, "sh: 1: my_engine: not found\n"), "") << "the script went on";
}

TEST(UnableCheck, MissesAPythonModule) {
  EXPECT_EQ(why(1,
                "Traceback (most recent call last):\n  File \"/a/check.py\", line 1, in <module>\n    import tvm\n"
                "ModuleNotFoundError: No module named 'tvm'\n"),
            "ModuleNotFoundError: No module named 'tvm'");
  EXPECT_EQ(why(1,
                "Traceback (most recent call last):\n  File \"/a/check.py\", line 1, in <module>\n    import b\n"
                "  File \"<frozen importlib._bootstrap>\", line 1176, in _find_and_load\n"
                "  File \"/a/b.py\", line 1, in <module>\n    from c import d\n"
                "ImportError: cannot import name 'd' from 'c' (/a/c.py)\n"),
            "ImportError: cannot import name 'd' from 'c' (/a/c.py)");
}

TEST(UnableCheck, MissesTheModuleThatPythonRuns) {
  EXPECT_EQ(why(1, "/usr/bin/python3: No module named my_check\n"), "/usr/bin/python3: No module named my_check");
  EXPECT_EQ(why(1,
                "python: No module named polygraphy.__main__; 'polygraphy' is a package and cannot be directly "
                "executed\n"),
            "python: No module named polygraphy.__main__; 'polygraphy' is a package and cannot be directly executed");
  EXPECT_EQ(why(1, "my_engine: No module named conv in the model\n"), "");
}

// The import of a plug-in may depend on the model.
TEST(UnableCheck, AnImportInAFunctionIsAFailure) {
  EXPECT_EQ(why(1,
                "Traceback (most recent call last):\n  File \"/a/check.py\", line 9, in <module>\n    main()\n"
                "  File \"/a/check.py\", line 5, in main\n    import plugin\n"
                "ModuleNotFoundError: No module named 'plugin'\n"),
            "");
  EXPECT_EQ(why(1,
                "Traceback (most recent call last):\n  File \"/a/check.py\", line 9, in <module>\n    run()\n"
                "RuntimeError: no kernel\n"),
            "");
}

TEST(UnableCheck, MissesItsScriptOrCannotReadIt) {
  EXPECT_EQ(why(2, "python3: can't open file '/a/chek.py': [Errno 2] No such file or directory\n"),
            "python3: can't open file '/a/chek.py': [Errno 2] No such file or directory");
  EXPECT_EQ(why(2, "sh: 0: cannot open chek.sh: No such file\n"), "sh: 0: cannot open chek.sh: No such file");
  EXPECT_EQ(why(2, "usage: check.py [-h] model\n"), "");
  EXPECT_EQ(why(1, "  File \"/a/check.py\", line 2\n    if x\n        ^\nSyntaxError: expected ':'\n"),
            "SyntaxError: expected ':'");
}

// The texts are those of Polygraphy 0.53, GNU grep, argparse, click and Assay.
TEST(UnableCheck, RefusesItsOptions) {
  EXPECT_EQ(why(1, "[W] 'colored' module is not installed\n[E] Unrecognized Options: ['--nope']\n"),
            "[E] Unrecognized Options: ['--nope']");
  EXPECT_EQ(why(2,
                "grep: unrecognized option '--nope'\nUsage: grep [OPTION]... PATTERNS [FILE]...\n"
                "Try 'grep --help' for more information.\n"),
            "grep: unrecognized option '--nope'");
  EXPECT_EQ(why(2,
                "usage: polygraphy run [-h] [-v]\n                      [model_file]\n"
                "polygraphy run: error: argument --iterations/--iters: expected one argument\n"),
            "polygraphy run: error: argument --iterations/--iters: expected one argument");
  EXPECT_EQ(
      why(2, "Usage: check.py [OPTIONS] MODEL\nTry 'check.py --help' for help.\n\nError: No such option: --nope\n"),
      "Error: No such option: --nope");
  EXPECT_EQ(why(2, "assay run: there is no option --nope\nRun `assay run --help` for the options.\n"),
            "assay run: there is no option --nope");
  EXPECT_EQ(why(2, "assay: there is no tool 'rum'. Did you mean run? `assay --help` lists the tools\n"),
            "assay: there is no tool 'rum'. Did you mean run? `assay --help` lists the tools");
  EXPECT_EQ(why(2,
                "[I] RUNNING | Command: assay run m.onnx\n[E] no such file (in --load-inputs)\n"
                "[E] FAILED | Runtime: 0.001s | Command: assay run m.onnx\n"),
            "[E] no such file (in --load-inputs)");
  EXPECT_EQ(why(1, "[E] outputs differ\n[E] FAILED | Runtime: 0.001s | Command: assay run m.onnx\n"), "");
  EXPECT_EQ(why(1, "usage: check.py [-h] model\ncheck.py: error: it differs\n"), "") << "not the status of usage";
}

TEST(UnableCheck, AnyOtherFailureIsNoSign) {
  EXPECT_EQ(why(1, ""), "");
  EXPECT_EQ(why(1, "outputs differ\n"), "");
  EXPECT_EQ(why(139, "Segmentation fault\n"), "");
}

}  // namespace
}  // namespace assay::reduce
