"""Keeps the messages of a tap or a source in the folder STATE: messages.jsonl, and the last state in state.json.

With --overwrite, the messages of this run replace all others, once they are complete.
"""

import json
import os
import sys

folder = os.environ["STATE"]
is_overwriting = "--overwrite" in sys.argv
path = os.path.join(folder, "messages.jsonl")
state = None
with open(path + ".new" if is_overwriting else path, "w" if is_overwriting else "a", encoding="utf-8") as file:
    for line in sys.stdin:
        # A connector that was killed leaves half a line.
        if not line.endswith("\n"):
            break
        file.write(line)
        message = json.loads(line)
        if message["type"] == "STATE":
            state = message.get("value") or message["state"]
if state is None:
    sys.exit("The connector has not finished.")
if is_overwriting:
    os.replace(path + ".new", path)
with open(os.path.join(folder, "state.json.new"), "w", encoding="utf-8") as file:
    json.dump(state, file)
os.replace(os.path.join(folder, "state.json.new"), os.path.join(folder, "state.json"))
