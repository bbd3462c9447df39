"""A Singer tap of customers. --state FILE holds its last STATE, and --full reads everything again.

With --mistake, its bookmark is the newest updatedDate, and it skips the rows of that very instant.
"""

import argparse
import json
import os

from service import Service, reach_back, to_text

options = argparse.ArgumentParser()
options.add_argument("--state")
options.add_argument("--full", action="store_true")
options.add_argument("--mistake", action="store_true")
options = options.parse_args()

bookmark = None
if options.state and os.path.exists(options.state) and not options.full:
    with open(options.state, encoding="utf-8") as file:
        bookmark = json.load(file)["bookmarks"]["customers"]


def write(message):
    print(json.dumps(message))


since = bookmark if options.mistake or bookmark is None else reach_back(bookmark)
rows, started = Service().walk({} if since is None else {"updatedSince": since})
if options.mistake:
    rows = [row for row in rows if bookmark is None or row["updatedDate"] > bookmark]
    newest = max([row["updatedDate"] for row in rows], default=bookmark)

properties = {"id": {"type": "integer"}, "updatedDate": {"type": "string", "format": "date-time"}}
schema = {"type": "object", "properties": properties}
write({"type": "SCHEMA", "stream": "customers", "schema": schema, "key_properties": ["id"]})
for row in rows:
    write({"type": "RECORD", "stream": "customers", "record": row, "time_extracted": to_text(started)})
# Last, so that a run that fails or is killed is repeated.
write({"type": "STATE", "value": {"bookmarks": {"customers": newest if options.mistake else to_text(started)}}})
