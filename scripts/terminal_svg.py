#!/usr/bin/env python3
"""Draws what a command shows in a terminal.

    terminal_svg.py [--columns N] -o FILE.svg COMMAND

COMMAND runs in `sh`, in a real terminal (a pty) of that width. The picture is the command line and what stands on the screen when it
has ended: text, colours, bold and dim. Nothing is left out or added. An escape sequence that this script does not know is an error, so
that no picture shows another screen than the one a reader would see.
"""

import argparse
import fcntl
import html
import os
import pty
import re
import struct
import sys
import termios

ROWS = 200
FONT_SIZE, CHARACTER, LINE, EDGE, BAR = 14, 8.43, 19, 16, 30
BACKGROUND, FOREGROUND, DIM = "#1e2227", "#d7dae0", "#8b919b"
COLOURS = ["#3f4451", "#ef7d86", "#8cc265", "#e0b25c", "#61afef", "#c98bdb", "#56b6c2", "#d7dae0"]
WORDS = re.compile(r"\S+(?: \S+)*")
SEQUENCE = re.compile(r"\x1b\[([?0-9;]*)([A-Za-z])")


def run(command, columns):
    """Everything that the command writes to its terminal."""
    child, terminal = pty.fork()
    if child == 0:
        environment = dict(os.environ, TERM="xterm-256color", LC_ALL="C.UTF-8", COLUMNS=str(columns))
        environment.pop("NO_COLOR", None)
        os.execvpe("sh", ["sh", "-c", command], environment)
    fcntl.ioctl(terminal, termios.TIOCSWINSZ, struct.pack("HHHH", ROWS, columns, 0, 0))
    parts = []
    while True:
        try:
            part = os.read(terminal, 65536)
        except OSError:  # a pty answers so once its other end is closed
            break
        if not part:
            break
        parts.append(part)
    status = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    if status != 0:
        sys.exit(f"terminal_svg: `{command}` ended with {status}")
    return b"".join(parts).decode()


class Style:
    """How the next character looks."""

    def __init__(self, colour=None, bold=False, dim=False):
        self.colour, self.bold, self.dim = colour, bold, dim

    def after(self, codes):
        style = Style(self.colour, self.bold, self.dim)
        for code in codes:
            if code == 0:
                style = Style()
            elif code == 1:
                style.bold = True
            elif code == 2:
                style.dim = True
            elif code == 22:
                style.bold = style.dim = False
            elif code == 39:
                style.colour = None
            elif 30 <= code <= 37 or 90 <= code <= 97:
                style.colour = COLOURS[code % 10]
            else:
                sys.exit(f"terminal_svg: unknown style {code}")
        return style

    def attributes(self):
        colour = self.colour or (DIM if self.dim else FOREGROUND)
        return f'fill="{colour}"' + (' font-weight="bold"' if self.bold else "")


def screen(output, columns):
    """The lines on the screen at the end: lists of (character, style)."""
    lines, row, column, style, place = [[]], 0, 0, Style(), 0
    while place < len(output):
        character = output[place]
        found = SEQUENCE.match(output, place)
        if found:
            place = found.end()
            numbers, action = found.groups()
            codes = [int(code or 0) for code in numbers.split(";")] if "?" not in numbers else []
            if action == "m":
                style = style.after(codes)
            elif action == "K":
                kept = {0: lines[row][:column], 2: []}
                lines[row] = kept[codes[0]]
            elif action == "J" and codes == [0]:
                lines[row] = lines[row][:column]
                del lines[row + 1 :]
            elif action == "A":
                row = max(0, row - max(1, codes[0]))
            elif not (action in "hl" and "?" in numbers):
                sys.exit(f"terminal_svg: unknown sequence {found.group()!r}")
            continue
        place += 1
        if character == "\r":
            column = 0
        elif character == "\n":
            row += 1
            if row == len(lines):
                lines.append([])
        elif character == "\x1b" or character < " ":
            sys.exit(f"terminal_svg: unknown character {output[place - 1 : place + 8]!r}")
        else:
            if column == columns:
                row, column = row + 1, 0
                lines[row:row] = [[]] if row == len(lines) else []
            line = lines[row]
            line.extend([(" ", Style())] * (column + 1 - len(line)))
            line[column] = (character, style)
            column += 1
    while lines and not any(character != " " for character, _ in lines[-1]):
        lines.pop()
    return lines


def spans(line):
    """Words that look alike, with single spaces between them: (column, text, attributes). Programs that draw SVG do not agree on what
    other spaces are."""
    runs = []
    for column, (character, style) in enumerate(line):
        attributes = style.attributes()
        if runs and runs[-1][2] == attributes:
            runs[-1][1].append(character)
        else:
            runs.append((column, [character], attributes))
    words = [(column, WORDS.finditer("".join(text)), attributes) for column, text, attributes in runs]
    return [(column + word.start(), word.group(), attributes) for column, found, attributes in words for word in found]


def drawn(lines, columns, title):
    width, height = 2 * EDGE + columns * CHARACTER, BAR + EDGE + len(lines) * LINE
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:.0f} {height}" width="{width:.0f}" height="{height}" role="img">',
        f"<title>{html.escape(title, quote=False)}</title>",
        f'<rect width="100%" height="100%" rx="8" fill="{BACKGROUND}"/>',
    ]
    parts += [f'<circle cx="{EDGE + 4 + 18 * n}" cy="16" r="5" fill="{COLOURS[n + 1]}"/>' for n in (0, 2, 1)]
    parts.append(f'<g font-family="ui-monospace, Menlo, Consolas, monospace" font-size="{FONT_SIZE}">')
    for row, line in enumerate(lines):
        y = BAR + (row + 1) * LINE - 5
        for column, text, attributes in spans(line):
            # The length keeps columns under each other, whatever font the reader has.
            x, length = EDGE + column * CHARACTER, len(text) * CHARACTER
            parts.append(
                f'<text x="{x:.1f}" y="{y}" textLength="{length:.1f}" {attributes}>{html.escape(text, quote=False)}</text>'
            )
    return "\n".join([*parts, "</g>", "</svg>", ""])


def main():
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("--columns", type=int, default=110)
    arguments.add_argument("-o", "--output", required=True)
    arguments.add_argument("command")
    said = arguments.parse_args()
    prompt = [("$", Style(COLOURS[2])), (" ", Style())] + [(character, Style(bold=True)) for character in said.command]
    lines = [prompt, *screen(run(said.command, said.columns), said.columns)]
    columns = max(len(line) for line in lines)
    with open(said.output, "w", encoding="utf-8") as file:
        file.write(drawn(lines, columns, f"$ {said.command}"))


if __name__ == "__main__":
    main()
