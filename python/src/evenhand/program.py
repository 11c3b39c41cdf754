"""Where is the program `evenhand`, which does the measuring? In the wheel that this package came in, unless another is asked for."""

from __future__ import annotations

import os
import sysconfig


def path() -> str:
    """What EVENHAND_BINARY says, else the program beside this Python's other ones, else any in PATH."""
    asked = os.environ.get("EVENHAND_BINARY")
    if asked:
        return asked
    # That of a user's own packages lies elsewhere.
    schemes = [None, f"{os.name}_user"]
    folders = [sysconfig.get_path("scripts", scheme) if scheme else sysconfig.get_path("scripts") for scheme in schemes]
    programs = [os.path.join(folder, "evenhand") for folder in folders if folder]
    return next((program for program in programs if os.access(program, os.X_OK)), "evenhand")
