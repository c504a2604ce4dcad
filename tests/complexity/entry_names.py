"""The names of the entry points, without importing the package that is measured into this process."""

import subprocess


def entry_names(python: str) -> list[str]:
    code = "from complexity.entry_points import ENTRY_POINTS; print('\\n'.join(ENTRY_POINTS))"
    return subprocess.run([python, "-c", code], check=True, capture_output=True, text=True).stdout.split(
        "\n"
    )[:-1]
