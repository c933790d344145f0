"""Robot descriptions as they are found: XML with lines, numbers and what is irregular about them.

An irregularity that has one meaning is a warning, which names the file, the line and the element; others are errors.
"""

import math
import re
import warnings
import xml.etree.ElementTree as ElementTree
import xml.parsers.expat
from typing import Dict, List, Optional, Sequence, Union

import numpy as np
import numpy.typing as npt

_Floats = npt.NDArray[np.float64]


class DescriptionWarning(UserWarning):
    """An irregularity of a robot's description, and what was made of it."""


class Element(ElementTree.Element):
    """An element of a document, with the line where it begins."""

    line = 0


class Report:
    """Tells what is wrong where in one file."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.warnings: List[str] = []

    def where(self, element: Optional[ElementTree.Element], what: str) -> str:
        line = getattr(element, "line", 0)
        return ": ".join(filter(None, (self.name, f"line {line}" if line else "", what)))

    def warn(self, element: Optional[ElementTree.Element], what: str) -> None:
        message = self.where(element, what)
        self.warnings.append(message)
        warnings.warn(message, DescriptionWarning, stacklevel=2)

    def error(self, element: Optional[ElementTree.Element], what: str) -> ValueError:
        return ValueError(self.where(element, what))


def _blank(match: "re.Match[str]") -> str:
    return "\n" * match.group().count("\n")


def _decoded(data: Union[str, bytes], report: Report) -> str:
    if isinstance(data, str):
        return data.lstrip("\ufeff")
    for mark, encoding in ((b"\xff\xfe", "utf-16"), (b"\xfe\xff", "utf-16"), (b"\xef\xbb\xbf", "utf-8-sig")):
        if data.startswith(mark):
            return data.decode(encoding, "replace")
    declared = re.search(rb"<\?xml[^>]*encoding=[\"']([\w.-]+)", data[:400])
    for encoding in ("utf-8", declared.group(1).decode() if declared else "latin-1", "latin-1"):
        try:
            text = data.decode(encoding)
        except (UnicodeDecodeError, LookupError):
            continue
        if encoding != "utf-8" and not declared:
            report.warn(None, "is no UTF-8; it is read as Latin-1")
        return text
    return data.decode("latin-1")


def _well_formed(text: str, report: Report) -> str:
    """What lenient parsers (tinyxml) take, made well-formed, in the same lines."""
    before, declaration, _ = text.partition("<?xml")
    if declaration and before.strip("\ufeff"):
        report.warn(None, "the XML declaration is not at the very beginning")
    text = re.sub(r"<\?xml\b.*?\?>", _blank, text, flags=re.DOTALL)
    comments = re.findall("<!--(.*?)-->", text, re.DOTALL)
    if any("--" in comment or comment.endswith("-") for comment in comments):
        report.warn(None, "a comment contains --")
    text = re.sub("<!--.*?-->", _blank, text, flags=re.DOTALL)
    alone = re.compile(r"&(?!(?:lt|gt|amp|quot|apos|#\d+|#x[0-9a-fA-F]+);)")
    if "<!ENTITY" not in text and alone.search(text):
        report.warn(None, "an & begins none of XML's entities; it is read as &amp;")
        text = alone.sub("&amp;", text)
    if "xmlns:" not in text:
        return text
    # A namespace that is given twice means the same.
    return re.sub(r"<\w[^<>]*>", lambda tag: re.sub(r"(\sxmlns:\w+\s*=\s*(?:\"[^\"]*\"|'[^']*'))(?=.*\1)", _blank, tag.group(), flags=re.DOTALL), text)


def parse_xml(data: Union[str, bytes], report: Report) -> Element:
    """The root. Prefixes of names stay ("xacro:macro"): many documents use some that they do not declare."""
    text = _well_formed(_decoded(data, report), report)
    stack: List[Element] = []
    roots: List[Element] = []
    parser = xml.parsers.expat.ParserCreate("utf-8")

    def begin(name: str, attributes: Dict[str, str]) -> None:
        element = Element(name, attributes)
        element.line = parser.CurrentLineNumber
        if stack:
            stack[-1].append(element)
        else:
            roots.append(element)
        stack.append(element)

    def characters(data: str) -> None:
        if stack and not len(stack[-1]):
            stack[-1].text = (stack[-1].text or "") + data

    parser.StartElementHandler, parser.CharacterDataHandler = begin, characters
    parser.EndElementHandler = lambda _: stack.pop()
    try:
        parser.Parse(text.encode(), True)
    except xml.parsers.expat.ExpatError as error:
        if not roots or stack:
            raise ValueError(report.where(None, f"this is no XML: {error}")) from None
        report.warn(None, f"line {error.lineno}: what follows the first element is not read")
    return roots[0]


def local_name(element: ElementTree.Element) -> str:
    """The tag without its namespace."""
    return element.tag.rpartition(":")[2]


def numbers(
    element: Optional[ElementTree.Element], key: str, default: Sequence[float], where: str, report: Report, *,
    needed: bool = False, fill: bool = False, finite: bool = True,
) -> _Floats:
    """As many as the default has, which stands for the attribute that is missing, unless it is needed; fill: and for the last of too few."""
    text = element.get(key) if element is not None else None
    count = len(default)
    if text is None:
        if needed:
            raise report.error(element, f"{where}: {key} is missing")
        return np.array(default, np.float64)
    words = [word.rstrip(",;") for word in text.split()]
    if len(words) != count or not any("," in word for word in words):
        words = [word for word in re.split(r"[\s,;]+", text) if word]
    must = f"{count} number{'s' if count > 1 else ''}"
    try:
        values = [float(re.sub(r"(?<=[\d.])[fF]$", "", word)) for word in words]
    except ValueError:
        unknown = "; what xacro would replace is not read" if "$" in text else ""
        raise report.error(element, f"{where}: {key} is {text!r}; it must be {must}{unknown}") from None
    if len(values) < count and (needed or values and not fill):
        raise report.error(element, f"{where}: {key} is {text!r}; it must be {must}")
    if any(math.isnan(value) or finite and math.isinf(value) for value in values[:count]):
        raise report.error(element, f"{where}: {key} is {text!r}; it must be {must}")
    if len(values) != count or "," in text or ";" in text:
        made = values[:count] + list(default[len(values) :])
        report.warn(element, f"{where}: {key} is {text!r}; {' '.join(f'{value:g}' for value in made)} is taken")
        values = made
    return np.array(values, np.float64)


def number(element: Optional[ElementTree.Element], key: str, default: Optional[float], where: str, report: Report, *, finite: bool = True) -> float:
    """One number, which must be there where there is no default."""
    return float(numbers(element, key, [0.0 if default is None else default], where, report, needed=default is None, finite=finite)[0])
