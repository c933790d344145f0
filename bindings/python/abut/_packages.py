"""Files that robot descriptions name: package://, model://, file:// and relative, found with and without ROS."""

import itertools
import os
import pathlib
import re
import xml.etree.ElementTree as ElementTree
from typing import Dict, Iterator, List, Mapping, Optional, Tuple, Union
from urllib.parse import unquote

_Path = Union[str, "os.PathLike[str]"]

# Where ROS and Gazebo look: of a prefix, packages are in its folder share; the others hold packages, or are one.
_PREFIXES = ("AMENT_PREFIX_PATH", "COLCON_PREFIX_PATH", "CMAKE_PREFIX_PATH")
_FOLDERS = ("ROS_PACKAGE_PATH", "GZ_SIM_RESOURCE_PATH", "IGN_GAZEBO_RESOURCE_PATH", "GAZEBO_MODEL_PATH")
_MOST_PARENTS, _MOST_FOLDERS, _DEPTH = 8, 4000, 3


def existing(path: pathlib.Path) -> Optional[pathlib.Path]:
    """The file, also where its name or a folder's is spelled with other capitals, as systems that ignore them allow."""
    if path.is_file():
        return path
    found = pathlib.Path(path.anchor) if path.anchor else pathlib.Path(".")
    for part in path.parts[1 if path.anchor else 0 :]:
        step = found / part
        if not step.exists():
            try:
                same = sorted(name for name in os.listdir(found) if name.lower() == part.lower())
            except OSError:
                return None
            if not same:
                return None
            step = found / same[0]
        found = step
    return found if found.is_file() else None


def _package_name(folder: pathlib.Path) -> Optional[str]:
    """As the folder's package.xml has it."""
    try:
        name = ElementTree.parse(folder / "package.xml").getroot().findtext("name")
        return name.strip() if name else None
    except (OSError, ElementTree.ParseError, ValueError):
        return None


def _subfolders(folder: pathlib.Path, depth: int) -> Iterator[pathlib.Path]:
    """Of a level all, then those of the next. Hidden folders are left out."""
    level = [folder]
    for _ in range(depth):
        below: List[pathlib.Path] = []
        for parent in level:
            try:
                with os.scandir(parent) as entries:
                    below += sorted(pathlib.Path(entry.path) for entry in entries if not entry.name.startswith(".") and entry.is_dir())
            except OSError:
                pass
        yield from below
        level = below


class Files:
    """The files that one description names. folder: the description's own. packages: folders by package, which come first."""

    def __init__(self, folder: _Path, packages: Mapping[str, _Path]) -> None:
        self._folder, self._packages = pathlib.Path(folder), packages
        self._last: Dict[str, pathlib.Path] = {}
        self._all: Dict[str, List[pathlib.Path]] = {}

    def find(self, uri: str) -> Tuple[pathlib.Path, str]:
        """The file of a name, and what is to be warned of, or "". FileNotFoundError tells where it is not."""
        text = re.sub(r"^\$\(find ([\w-]+)\)/", r"package://\1/", uri.strip()).replace("\\", "/")
        scheme, mark, rest = text.partition("://")
        if not mark:
            scheme, rest = "", re.sub("^file:/", "/", text)
        if scheme in ("package", "model"):
            return self._of_package(uri, *self._split(rest))
        if scheme not in ("", "file"):
            raise FileNotFoundError(f"{uri}: {scheme}:// is not read; package://, model:// and file:// are")
        if scheme == "file" and rest.startswith("localhost/"):
            rest = rest[len("localhost") :]
        return self._of_path(uri, rest)

    @staticmethod
    def _split(rest: str) -> Tuple[str, str]:
        package, _, path = rest.partition("/")
        return package, path

    def _of_package(self, uri: str, package: str, rest: str) -> Tuple[pathlib.Path, str]:
        if not package:  # package:///, of the description's own package
            return self._of_path(uri, rest)
        tried: List[pathlib.Path] = []
        for folder in [pathlib.Path(self._packages[package])] if package in self._packages else self._folders_of(package):
            path = existing(folder / rest) or existing(folder / unquote(rest))
            if path:
                self._last[package] = folder
                return path, self._other_capitals(path, rest)
            tried.append(folder)
        path = None if package in self._packages else self._by_end(rest)
        if path:
            return path, f"{uri}: no folder is called {package}; {path} is taken"
        if tried:
            raise FileNotFoundError(f"{uri}: is not in {', '.join(map(str, dict.fromkeys(tried)))}")
        raise FileNotFoundError(
            f"{uri}: no folder is found for the package {package!r}: neither in the argument packages, nor in ROS_PACKAGE_PATH or "
            f"AMENT_PREFIX_PATH, nor beside {self._folder.resolve()} and its parents"
        )

    def _of_path(self, uri: str, rest: str) -> Tuple[pathlib.Path, str]:
        """Beside the description; else the longest end of the name that is below one of its parents."""
        for name in dict.fromkeys((rest, unquote(rest))):
            path = existing(self._folder / name)
            if path:
                return path, self._other_capitals(path, name)
        path = self._by_end(rest)
        if path:
            return path, f"{uri}: is not beside the description; {path} is taken"
        raise FileNotFoundError(f"{uri}: is neither beside {self._folder.resolve()} nor below its parents")

    def _by_end(self, rest: str) -> Optional[pathlib.Path]:
        """The file of the longest end of a name, a folder and a file at least if it is not the whole, below one of the parents."""
        parts = [part for part in pathlib.PurePosixPath(rest).parts if part not in ("/", "..", ".")]
        for end in [parts, *(parts[i:] for i in range(1, len(parts) - 1))]:
            for parent in self._parents():
                path = existing(parent.joinpath(*end))
                if path:
                    return path
        return None

    @staticmethod
    def _other_capitals(path: pathlib.Path, name: str) -> str:
        is_same = path.as_posix().endswith(os.path.normpath(name).lstrip("./")) or path.name in (name, pathlib.PurePosixPath(name).name)
        return "" if is_same else f"{name}: the file is called {path.name}, with other capitals"

    def _parents(self) -> List[pathlib.Path]:
        """The folder and those above it, up to a repository's."""
        parents: List[pathlib.Path] = []
        folder = self._folder.resolve()
        for parent in [folder, *folder.parents][:_MOST_PARENTS]:
            if parent != folder and (parent == parent.parent or parent == pathlib.Path.home()):
                break
            parents.append(parent)
            if (parent / ".git").exists():
                break
        return parents

    def _folders_of(self, package: str) -> Iterator[pathlib.Path]:
        """The folder that had the last file, then all: searched for until one has the file, and once."""
        if package in self._last:
            yield self._last[package]
        if package in self._all:
            yield from self._all[package]
            return
        found: List[pathlib.Path] = []
        for folder in self._search(package):
            if folder not in found:
                found.append(folder)
                yield folder
        self._all[package] = found

    def _search(self, package: str) -> Iterator[pathlib.Path]:
        for variable in _PREFIXES:
            for prefix in filter(None, os.environ.get(variable, "").split(os.pathsep)):
                if pathlib.Path(prefix, "share", package).is_dir():
                    yield pathlib.Path(prefix, "share", package)
        for variable in _FOLDERS:
            for root in filter(None, os.environ.get(variable, "").split(os.pathsep)):
                yield from self._among(pathlib.Path(root), package, _DEPTH)
        # Beside the description and its parents, then deeper: packages in groups, and of another name than their folder.
        for depth in (1, _DEPTH):
            for parent in self._parents():
                yield from self._among(parent, package, depth)

    @staticmethod
    def _among(root: pathlib.Path, package: str, depth: int) -> Iterator[pathlib.Path]:
        for folder in itertools.islice(itertools.chain([root], _subfolders(root, depth)), _MOST_FOLDERS):
            if folder.name == package or _package_name(folder) == package:
                yield folder
