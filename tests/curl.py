"""As much of curl as the documentation uses, for machines that have none."""

import argparse
import sys
import urllib.error
import urllib.request

parser = argparse.ArgumentParser()
parser.add_argument("url")
parser.add_argument("-s", action="store_true")
parser.add_argument("-H", action="append", default=[])
parser.add_argument("-d")
parser.add_argument("-X")
asked = parser.parse_args()

headers = dict(one.split(": ", 1) for one in asked.H)
data = None if asked.d is None else asked.d.encode()
request = urllib.request.Request(asked.url, data, headers, method=asked.X)
try:
    with urllib.request.urlopen(request) as answer:
        sys.stdout.buffer.write(answer.read())
except urllib.error.HTTPError as problem:
    sys.stdout.buffer.write(problem.read())
