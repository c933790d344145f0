"""Doxygen's view of a header (docs/Doxyfile): reads the file that is named and prints it with what a reader takes for granted.

- Of `float x, y;  ///< metres` each name has the comment, and so has each below a comment above.
- An overload right below another one, or below its body of one statement, without a comment of its own, has the comment of that one.
- Destructors, moves and what is defaulted need no comment, and are left out.
"""

import re
import sys

LEFT_OUT = re.compile(r"^ +(~\w+\(\);|(\w+& operator=|\w+)\(\w+&&\) noexcept;|.* = default;)$")
SEVERAL = re.compile(r"^( *(?:static |inline |constexpr |const )*(?:std::)?\w+(?:<[^;=]*?>)?) (\w+(?:\[\d+\])?(?: = [^,;]+)?(?:, \w+(?: = [^,;]+)?)+);(.*)$")
FUNCTION = re.compile(r"^ *(?:\w|::|<|>|\*|&|,| |\[\[\w+\]\])*?(\w+)\(")


def main(path):
    comment = []  # above the present declaration
    last_name, last_comment = None, []
    template, depth = [], 0  # depth: of parentheses, beyond zero in a declaration of several lines
    for line in open(path, encoding="utf-8").read().split("\n"):
        text = line.strip()
        if text.startswith("///") and not text.startswith("///<"):
            comment.append(line)
            print(line)
            continue
        is_continued = depth > 0 or text.startswith(":")
        depth += line.partition("//")[0].count("(") - line.partition("//")[0].count(")")
        if is_continued:
            print(line)
            continue
        if LEFT_OUT.match(line):
            print()
            continue
        several = SEVERAL.match(line)
        if several and "(" not in several[1]:
            names = several[2].split(", ")
            print("\n".join(f"{several[1]} {name};{several[3]}" if i == 0 else "\n".join([*comment, f"{several[1]} {name};{several[3]}"]) for i, name in enumerate(names)))
        elif text.startswith(("template <", "requires ")) and not text.endswith(";") and "(" not in text:
            template.append(line)  # is printed below the comment of its function
            continue
        else:
            function = None if text.startswith("return ") else FUNCTION.match(line)
            name = function[1] if function else None
            if name and name == last_name and not comment and "///<" not in line:
                print("\n".join(last_comment))
            elif name:
                last_comment = comment
            if name or not text:
                last_name = name
            print("\n".join([*template, line]))
            template = []
        comment = []


main(sys.argv[1])
