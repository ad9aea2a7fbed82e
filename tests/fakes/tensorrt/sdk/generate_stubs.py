#!/usr/bin/env python3
"""Writes a C++ header with stubs for the interfaces of TensorRT's headers, so that a fake overrides only what it uses.

For each class named with --class, the output has a class of the same name, in the namespace `stubs` inside the class's own
one, that overrides every pure virtual function, also inherited ones. Its bodies report the missing function and abort. For
each of these functions, the output defines a macro such as FAKE_HAS_VBuilder_reset, since functions differ between versions
of TensorRT. For each class named with --blank, the output has such a class in the namespace `blank`, whose functions return
zeros, and a macro such as FAKE_HAS_VAttention; those named with --late-blank may be missing in the headers. For each
enumeration named with --enum, it defines a function name_of() that returns an enumerator's name.

The script doesn't parse C++. It relies on the style of these headers: public bases only, one declaration per statement, and
no preprocessor conditions inside the classes.
"""

import argparse
import re
import sys

CLASS = re.compile(r"\bclass\s+(?:TRT_DEPRECATED\s+)?(\w+)\s*(?:final\s*)?(?::\s*public\s+([\w:]+)\s*)?\{")
ENUM = re.compile(r"\benum\s+class\s+(\w+)\s*:\s*\w+\s*\{([^}]*)\}")
ENUMERATOR = re.compile(r"^(k\w+)(?:\s+TRT_\w+(?:\([^)]*\))?)?(?:\s*=\s*(.+))?$", re.DOTALL)
PURE = re.compile(r"\bvirtual\s+(.*?)\b(\w+)\s*\((.*)\)\s*(const)?\s*(noexcept)?\s*=\s*0$", re.DOTALL)


def read_header(path):
    """Returns a header's text without comments and preprocessor lines."""
    with open(path, encoding="utf-8", errors="replace") as file:
        text = file.read()
    text = re.sub(r"/\*.*?\*/", " ", text, flags=re.DOTALL)
    text = re.sub(r"//[^\n]*", " ", text)
    return re.sub(r"^\s*#(?:[^\n]*\\\n)*[^\n]*", " ", text, flags=re.MULTILINE)


def body_at(text, start):
    """Returns what is between the brace that opens before `start` and the one that closes it."""
    depth = 1
    for position in range(start, len(text)):
        depth += {"{": 1, "}": -1}.get(text[position], 0)
        if depth == 0:
            return text[start:position]
    raise ValueError("a class has no closing brace")


def statements(body):
    """Returns the declarations of a class. Bodies of inline functions end a statement and are left out."""
    while True:
        shorter = re.sub(r"\{[^{}]*\}", ";", body)
        if shorter == body:
            return [" ".join(statement.split()) for statement in body.split(";")]
        body = shorter


def find_classes(text):
    """Returns a map from a class's name to the name of its base and the list of its pure virtual functions."""
    classes = {}
    for match in CLASS.finditer(text):
        pure = [PURE.search(statement) for statement in statements(body_at(text, match.end()))]
        functions = [found.groups() for found in pure if found and not found[1].endswith("~")]  # no destructors
        classes.setdefault(match.group(1), ((match.group(2) or "").split("::")[-1], functions))
    return classes


def inherited(classes, name):
    """Returns the pure virtual functions of a class and its bases, the bases first, without duplicates."""
    base, functions = classes.get(name, ("", []))
    result = inherited(classes, base) if base else {}
    for function in functions:
        result[(function[1], function[2], function[3])] = function
    return result


def write_blank_class(out, namespace, name, functions):
    print(f"namespace {namespace}::blank {{\nclass {name} : public {namespace}::{name} {{\n public:", file=out)
    for result, function, parameters, const, noexcept in functions:
        result = re.sub(r"\bTRT_\w+\b", "", result).strip()
        qualifiers = " ".join(word for word in (const, noexcept, "override") if word)
        body = " return {}; "
        if result == "void":
            body = ""
        elif result.endswith("&"):
            body = f" static std::remove_cvref_t<{result}> zero{{}}; return zero; "
        print(f"  {result} {function}({parameters}) {qualifiers} {{{body}}}", file=out)
    print(f"}};\n}}\n#define FAKE_HAS_{name} 1", file=out)


def write_class(out, namespace, name, functions):
    print(f"namespace {namespace}::stubs {{\nclass {name} : public {namespace}::{name} {{\n public:", file=out)
    for result, function, parameters, const, noexcept in functions:
        result = re.sub(r"\bTRT_\w+\b", "", result).strip()
        qualifiers = " ".join(word for word in (const, noexcept, "override") if word)
        print(f'  {result} {function}({parameters}) {qualifiers} {{ fake_stubs::missing("{name}::{function}"); }}', file=out)
    print("};\n}", file=out)
    for function in sorted({function[1] for function in functions}):
        print(f"#define FAKE_HAS_{name}_{function} 1", file=out)


def write_enum(out, namespace, name, body):
    """Writes name_of() for the enumerators with values; the others are other names for these."""
    print(f"namespace {namespace} {{\ninline std::string name_of({name} value) {{", file=out)
    print("  switch (static_cast<long long>(value)) {", file=out)
    following = 0
    for text in body.split(","):
        match = ENUMERATOR.match(" ".join(text.split()))
        if not match:
            continue
        value = match.group(2) if match.group(2) is not None else str(following)
        if value.strip().isdigit():
            print(f'    case {value}: return "{match.group(1)}";', file=out)
            following = int(value) + 1
    print("    default: return std::to_string(static_cast<long long>(value));\n  }\n}\n}", file=out)


PROLOGUE = """// Written by generate_stubs.py.
#pragma once
#pragma GCC system_header
#include <cstdio>
#include <cstdlib>
#include <string>
#include <type_traits>
#ifndef FAKE_STUBS_MISSING
#define FAKE_STUBS_MISSING
namespace fake_stubs {
[[noreturn]] inline void missing(const char* function) noexcept {
  std::fprintf(stderr, "the fake TensorRT has no %s\\n", function);
  std::abort();
}
}
#endif
"""


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("headers", nargs="+", help="headers of TensorRT; those of base classes too")
    parser.add_argument("--output", required=True)
    parser.add_argument("--include", action="append", default=[], help="header that the output includes")
    parser.add_argument("--namespace", required=True, help="namespace of the classes")
    parser.add_argument("--enum-namespace", help="namespace of the enumerations")
    parser.add_argument("--class", dest="classes", action="append", default=[])
    parser.add_argument("--blank", dest="blanks", action="append", default=[])
    parser.add_argument("--late-blank", dest="late_blanks", action="append", default=[], help="a --blank, if the headers have it")
    parser.add_argument("--enum", dest="enums", action="append", default=[])
    options = parser.parse_args()
    text = "\n".join(read_header(path) for path in options.headers)
    classes = find_classes(text)
    enums = dict(ENUM.findall(text))
    absent = [name for name in options.classes + options.blanks if name not in classes]
    if absent:
        sys.exit(f"generate_stubs.py: no {', '.join(absent)} in {' '.join(options.headers)}; are they headers of TensorRT 10 or 11?")
    with open(options.output, "w", encoding="utf-8") as out:
        print(PROLOGUE, file=out)
        for header in options.include:
            print(f"#include <{header}>", file=out)
        for name in options.classes:
            write_class(out, options.namespace, name, inherited(classes, name).values())
        late = [name for name in options.late_blanks if name in classes]
        for name in options.blanks + late:
            write_blank_class(out, options.namespace, name, inherited(classes, name).values())
        for name in options.enums:
            # Enumerations that this version lacks have an empty body; the fake doesn't use them then.
            if name in enums:
                write_enum(out, options.enum_namespace or options.namespace, name, enums[name])


if __name__ == "__main__":
    main()
