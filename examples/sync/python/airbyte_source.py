"""An Airbyte source of customers: read [--state FILE] [--full].

With --mistake, its cursor is the time of the last page: what changes while it reads is never asked for again.
"""

import argparse
import json
import os

from service import LIMIT, Service, reach_back, to_text

options = argparse.ArgumentParser()
options.add_argument("command", choices=["read"])
options.add_argument("--state")
options.add_argument("--full", action="store_true")
options.add_argument("--mistake", action="store_true")
options = options.parse_args()
service = Service()


def write(message):
    print(json.dumps(message))


def log(text):
    write({"type": "LOG", "log": {"level": "INFO", "message": text}})


cursor = None
if options.state and os.path.exists(options.state) and not options.full:
    with open(options.state, encoding="utf-8") as file:
        cursor = json.load(file)["stream"]["stream_state"]["cursor"]

since = cursor if options.mistake or cursor is None else reach_back(cursor)
log(f"Reading customers since {since}")
rows, started = service.walk({} if since is None else {"updatedSince": since})
if options.mistake:
    started = service.date
for row in rows:
    emitted_at = int(started.timestamp() * 1000)
    write({"type": "RECORD", "record": {"stream": "customers", "data": row, "emitted_at": emitted_at}})
log(f"Read {len(rows)} customers, in pages of {LIMIT}")
# Last, so that a run that fails or is killed is repeated.
stream = {"stream_descriptor": {"name": "customers"}, "stream_state": {"cursor": to_text(started)}}
write({"type": "STATE", "state": {"type": "STREAM", "stream": stream}})
