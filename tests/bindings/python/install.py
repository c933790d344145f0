"""install.py SOURCES BUILD README_OUTPUT: `pip install` of what BUILD has built, into a fresh environment without an index; then the README's example, from
another folder."""

import pathlib
import subprocess
import sys
import tempfile
import zipfile

sources, build, readme = (pathlib.Path(argument).resolve() for argument in sys.argv[1:])
with tempfile.TemporaryDirectory() as folder:
    environment = pathlib.Path(folder, "environment")
    subprocess.run([sys.executable, "-m", "venv", "--system-site-packages", environment], check=True)
    python = environment / "bin/python"
    pip = [python, "-m", "pip", "install", "--no-index", "--no-build-isolation", "--disable-pip-version-check"]
    subprocess.run([*pip, f"--config-settings=build-dir={build}", sources], check=True)

    # `pip wheel .` makes the same, as one file.
    subprocess.run([python, "-m", "pip", "wheel", *pip[4:], f"--config-settings=build-dir={build}", "--no-deps", "-w", folder, sources], check=True)
    wheels = list(pathlib.Path(folder).glob("abut-*.whl"))
    if len(wheels) != 1 or "abut/urdf.py" not in zipfile.ZipFile(wheels[0]).namelist():
        sys.exit(f"pip wheel makes {wheels}")

    where = subprocess.run([python, "-c", "import abut; print(abut.__file__)"], check=True, cwd=folder, capture_output=True, text=True).stdout
    if not where.startswith(str(environment)):
        sys.exit(f"abut is imported from {where.strip()}, not from {environment}")
    found = subprocess.run([python, sources / "examples/python/first_steps.py"], check=True, cwd=folder, capture_output=True, text=True).stdout
    if found != readme.read_text():
        sys.exit(f"the README's example prints\n{found}")
    typed = list(environment.glob("lib/python3*/site-packages/abut/*"))
    missing = {"py.typed", "__init__.pyi", "d2.py", "d2.pyi", "viewer.html", "abut.wasm.gz"} - {path.name for path in typed}
    if missing:
        sys.exit(f"not installed: {missing}")
    subprocess.run([python, "-m", "pip", "uninstall", "--yes", "abut"], check=True)
