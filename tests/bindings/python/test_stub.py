"""Every public name has a docstring and a type."""

import ast
import importlib.util
import inspect
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest

import abut

PACKAGE = pathlib.Path(abut.__file__).parent


def public(thing):
    return {name for name in vars(thing) if not name.startswith("_")}


class Stub(unittest.TestCase):
    module, least_classes, least_members = abut, 12, 100

    def setUp(self):
        self.stub = {}
        for node in ast.parse(pathlib.Path(self.module.__file__).with_suffix(".pyi").read_text()).body:
            if isinstance(node, ast.AnnAssign):
                self.stub[node.target.id] = node
            elif isinstance(node, (ast.ClassDef, ast.FunctionDef)):
                self.stub[node.name] = node
            elif isinstance(node, ast.ImportFrom) and node.level == 1:  # of a module that has its types itself
                self.stub.update({alias.asname: node for alias in node.names})

    def test_the_stub_has_the_names_of_the_package(self):
        hidden = {"Capture", "CaptureFrame", "CaptureWriter"} if not abut.has_captures else set()
        public_stub = {name for name in self.stub if not name.startswith("_")} - hidden
        self.assertEqual(set(self.module.__all__) - {"__version__"}, public_stub)

    def test_the_stub_has_the_members_of_each_class(self):
        classes = 0
        for name in self.module.__all__:
            thing = getattr(self.module, name)
            if not inspect.isclass(thing) or issubclass(thing, (int, Exception)) or isinstance(self.stub[name], ast.ImportFrom):
                continue
            members = {n.name for n in self.stub[name].body if isinstance(n, ast.FunctionDef) and not n.name.startswith("_")}
            self.assertEqual(members, public(thing), name)
            classes += 1
        self.assertGreater(classes, self.least_classes)

    def test_docstrings(self):
        members = 0
        for name in self.module.__all__:
            thing = getattr(self.module, name)
            if not (inspect.isclass(thing) or callable(thing)):
                continue
            self.assertTrue((thing.__doc__ or "").strip(), name)
            if not inspect.isclass(thing) or issubclass(thing, (int, Exception)):
                continue
            for member in public(thing):
                # pybind11 puts a signature before the text, on a line of its own.
                text = (inspect.getattr_static(thing, member).__doc__ or getattr(thing, member).__doc__ or "").strip()
                described = [line for line in text.splitlines() if line.strip() and not line.startswith(f"{member}(self: ") and not line.startswith(f"{member}(*")]
                self.assertTrue(described, f"{name}.{member}: {text}")
                members += 1
        self.assertGreater(members, self.least_members)


class PlaneStub(Stub):
    module, least_classes, least_members = abut.d2, 8, 50


class Checker(unittest.TestCase):
    @unittest.skipUnless(importlib.util.find_spec("mypy"), "mypy is not installed")
    def test_a_type_checker_reads_the_stub(self):
        program = """
from typing import Any

import numpy as np
import abut

store = abut.ShapeStore()
box: int = store.add_box([1, 1, 1], rounding=0.1)
frame = abut.Frame(store, abut.make_bodies(positions=np.zeros((2, 3)), shapes=box), [[0, 1]])
narrow = abut.NarrowPhase(isa="auto")
depth: float = float(narrow.distance(frame, max_distance=1.0).signed_distance[0])
plane = abut.d2.ShapeStore()
ball: int = plane.add_circle(1.0, pose=([0, 1], 0.5))
gap: float = float(abut.d2.NarrowPhase().distance(plane, abut.d2.make_bodies(positions=np.zeros((2, 2)), shapes=ball), [[0, 1]]).signed_distance[0])
hits: "np.ndarray[Any, Any]" = narrow.overlap(store, None, [[0, 1]], positions=np.zeros((2, 3)), shapes=[box, box]).hits
"""
        with tempfile.TemporaryDirectory() as folder:
            for text, expected in ((program, 0), (program + "narrow.distance(frame, margin=1)\nbox.nothing\n", 1)):
                path = pathlib.Path(folder, "program.py")
                path.write_text(text)
                command = [sys.executable, "-m", "mypy", "--strict", "--cache-dir", folder, str(path), str(PACKAGE)]
                run = subprocess.run(command, capture_output=True, text=True, cwd=folder, env={"MYPYPATH": str(PACKAGE.parent), "PATH": ""})
                self.assertEqual(run.returncode, expected, run.stdout + run.stderr)

    @unittest.skipUnless(importlib.util.find_spec("mypy"), "mypy is not installed")
    def test_the_stub_describes_the_compiled_module(self):
        # What stubtest cannot see of a class by pybind11: its metaclass, and the arguments of its constructor. Of a module without a stub: names of typing.
        told = ["is inconsistent, metaclass differs", "is not a type", r'is inconsistent, stub does not have \*args argument "args"']
        blind = re.compile(rf"abut(\.\w+)+ ({'|'.join(told)})")
        with tempfile.TemporaryDirectory() as folder:
            command = [sys.executable, "-m", "mypy.stubtest", "abut", "--concise", "--ignore-missing-stub"]
            paths = {"MYPYPATH": str(PACKAGE.parent), "PYTHONPATH": str(PACKAGE.parent), "PATH": ""}
            run = subprocess.run(command, capture_output=True, text=True, cwd=folder, env=paths)
        lines = run.stdout.splitlines()
        self.assertGreater(len([line for line in lines if blind.fullmatch(line)]), 12, run.stdout + run.stderr)  # it looked at the classes
        self.assertEqual([line for line in lines if not blind.fullmatch(line)], [])


if __name__ == "__main__":
    unittest.main()
