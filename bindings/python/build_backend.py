"""The build backend of `pip install .` (PEP 517): CMake builds the component abut_python, and this file makes a wheel of it.

It needs nothing but Python, CMake, a compiler and the library's packages, so that pip needs no index. The environment's CMAKE_ARGS are passed to CMake, and
so is each --config-settings=cmake.NAME=VALUE as -D NAME=VALUE. --config-settings=build-dir=FOLDER builds in that folder, which may be one that CMake has built
before; otherwise a temporary one is used.
"""

import base64
import hashlib
import os
import pathlib
import re
import shlex
import subprocess
import sys
import sysconfig
import tarfile
import tempfile
import zipfile

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent


def version():
    return re.search(r'define ABUT_VERSION "([0-9.]+)"', (ROOT / "include/abut/version.h").read_text()).group(1)


def metadata():
    """The core metadata of pyproject.toml's project table, whose values are on one line each."""
    text = (ROOT / "pyproject.toml").read_text()
    field = {key: value.strip('"') for key, value in re.findall(r"^([a-z-]+) = (.*)$", text, re.MULTILINE)}
    requires = re.findall(r'"([^"]+)"', field["dependencies"])
    lines = ["Metadata-Version: 2.1", f"Name: {field['name']}", f"Version: {version()}", f"Summary: {field['description']}", "License: MIT"]
    lines += [f"Requires-Python: {field['requires-python']}"] + [f"Requires-Dist: {name}" for name in requires]
    return "\n".join(lines) + "\n"


def tag():
    """The wheel's: this Python, on this platform."""
    python = f"cp{sys.version_info.major}{sys.version_info.minor}"
    return f"{python}-{python}-{re.sub('[-.]', '_', sysconfig.get_platform())}"


def run(*command):
    print("+", shlex.join(command), flush=True)
    subprocess.run(command, check=True)


def build(folder, prefix, settings):
    """Builds in `folder` and installs the package under `prefix`."""
    if not (folder / "CMakeCache.txt").exists():
        parts = ["TOOLS", "TESTS", "EXAMPLES", "BENCHMARKS"]
        options = ["-D", "CMAKE_BUILD_TYPE=Release", *(f"-DABUT_BUILD_{part}=OFF" for part in parts), "-D", "ABUT_BUILD_PYTHON=ON"]
        options += ["-D", f"Python_EXECUTABLE={sys.executable}", *shlex.split(os.environ.get("CMAKE_ARGS", ""))]
        options += [f"-D{key[len('cmake.'):]}={value}" for key, value in settings.items() if key.startswith("cmake.")]
        run("cmake", "-S", str(ROOT), "-B", str(folder), *options)
    run("cmake", "--build", str(folder), "--target", "abut_python", "--parallel", os.environ.get("CMAKE_BUILD_PARALLEL_LEVEL", str(os.cpu_count() or 1)))
    run("cmake", "--install", str(folder), "--component", "abut_python", "--prefix", str(prefix))


def write_wheel(path, files):
    """`files`: (name in the wheel, bytes)."""
    info = f"abut-{version()}.dist-info"
    files = [
        *files,
        (f"{info}/METADATA", metadata().encode()),
        (f"{info}/WHEEL", f"Wheel-Version: 1.0\nGenerator: abut\nRoot-Is-Purelib: false\nTag: {tag()}\n".encode()),
        (f"{info}/LICENSE", (ROOT / "LICENSE").read_bytes()),
    ]
    record = ""
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as wheel:
        for name, content in files:
            digest = base64.urlsafe_b64encode(hashlib.sha256(content).digest()).rstrip(b"=").decode()
            record += f"{name},sha256={digest},{len(content)}\n"
            wheel.writestr(name, content)
        wheel.writestr(f"{info}/RECORD", record + f"{info}/RECORD,,\n")


def build_wheel(wheel_directory, config_settings=None, metadata_directory=None):
    settings = config_settings or {}
    name = f"abut-{version()}-{tag()}.whl"
    with tempfile.TemporaryDirectory() as temporary:
        stage = pathlib.Path(temporary, "stage")
        build(pathlib.Path(settings.get("build-dir", pathlib.Path(temporary, "build"))).resolve(), stage, settings)
        files = [(str(path.relative_to(stage)), path.read_bytes()) for path in sorted(stage.rglob("*")) if path.is_file()]
        write_wheel(pathlib.Path(wheel_directory, name), files)
    return name


def build_sdist(sdist_directory, config_settings=None):
    """What git has of the project, as a tar file."""
    base = f"abut-{version()}"
    listed = subprocess.run(["git", "-C", str(ROOT), "ls-files", "-z"], check=True, capture_output=True, text=True).stdout
    with tarfile.open(pathlib.Path(sdist_directory, f"{base}.tar.gz"), "w:gz") as archive:
        for name in filter(None, listed.split("\0")):
            archive.add(ROOT / name, f"{base}/{name}")
    return f"{base}.tar.gz"
