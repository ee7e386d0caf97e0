"""Runs a plain program for each N up to a limit. Arguments: the program and the limit."""

import re
import sys
from collections import defaultdict

source, largest = sys.argv[1:]
# Functions change the total, and in Python they have to say so.
source = re.sub(r"^(def .*)$", r"\1\n    global total", source, flags=re.MULTILINE)

for N in range(1, int(largest) + 1):
    MASK, total = (1 << N) - 1, 0
    board = [0] * N
    left, down, right = (defaultdict(int) for _ in range(3))
    exec(source)
