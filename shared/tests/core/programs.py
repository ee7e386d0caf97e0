"""Runs a plain program for each N up to a limit. Arguments: the program, the limit, `words` or `columns`."""

import re
import sys
from collections import defaultdict

source, largest, kind = sys.argv[1:]
# Functions change the total, and in Python they have to say so.
source = re.sub(r"^(def .*:)$", r"\1\n    global total", source, flags=re.MULTILINE)


def columns_of(board):
    """The columns from the right, as bits are counted. Programs without words count columns from the left."""
    return [board[row].bit_length() - 1 if kind == "words" else N - 1 - board[row] for row in range(N)]


def attacked(row, column=None):
    if column is None:
        return diagonal(board) or len(set(columns_of(board))) < N
    return any(board[above] == column or abs(board[above] - column) == row - above for above in range(row))


def diagonal(board):
    return any(abs(board[row] - board[above]) == row - above for row in range(N) for above in range(row))


def compare(image):
    own = columns_of(board)
    columns = own
    # A quarter turn moves the queen of column c to row N - 1 - c.
    for _ in range(image % 4):
        columns = [columns.index(N - 1 - row) for row in range(N)]
    if image > 3:
        columns = [N - 1 - column for column in columns]
    return (columns > own) - (columns < own)


TURN90, TURN180, TURN270 = 1, 2, 3
for N in range(1, int(largest) + 1):
    MASK, total = (1 << N) - 1, 0
    board, left, down, right = (defaultdict(int) for _ in range(4))
    exec(source)
