"""A sync of customers that survives a sweep. With --full, it reads everything again."""

import sys
import urllib.error
from datetime import datetime, timedelta
from http.client import HTTPException

from service import LIMIT, Service, Store, to_text

# How far a run reaches back before the last one: longer than lists lag.
OVERLAP = timedelta(minutes=10)

service, store = Service(), Store()


def is_gone(error):
    return isinstance(error, urllib.error.HTTPError) and error.code == 404


def retry(send):
    """Tries three times; a record that is gone stays gone."""
    for attempt in range(3):
        try:
            return send()
        except (OSError, ValueError, HTTPException) as error:
            if attempt == 2 or is_gone(error):
                raise


def walk(query):
    """Reads pages that overlap by one row. If the overlap differs, rows have moved, and it starts again."""
    for _ in range(10):
        rows, started = [], None
        while True:
            items, date = retry(lambda: service.page(query, max(0, len(rows) - 1)))
            if rows and (not items or items[0]["id"] != rows[-1]["id"]):
                break
            started = started or date
            rows += items[1:] if rows else items
            if len(items) < LIMIT:
                return rows, started
    raise SystemExit("The list changes faster than it can be read.")


def keep(row):
    """Keeps a row, unless there is a newer version: lists may lag."""
    known = store.rows.get(row["id"])
    if known is None or known["updatedDate"] <= row["updatedDate"]:
        store.rows[row["id"]] = row


def reconcile(listed):
    """Looks for each row that a complete list lacks, and removes it if it is gone."""
    for id in set(store.rows) - {row["id"] for row in listed}:
        try:
            keep(retry(lambda: service.read(f"/customers/{id}"))[0])
        except urllib.error.HTTPError as error:
            if not is_gone(error):
                raise
            del store.rows[id]


is_full = store.cursor is None or "--full" in sys.argv
since = None if is_full else datetime.strptime(store.cursor, "%Y-%m-%dT%H:%M:%S.%fZ") - OVERLAP
rows, started = walk({} if is_full else {"updatedSince": to_text(since)})
for row in rows:
    keep(row)
if is_full:
    reconcile(rows)
# The next cursor is the time before the first request, and moves last: a run that fails or is killed is repeated.
store.save(to_text(started))
