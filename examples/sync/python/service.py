"""Reads the service, and keeps the copy in the folder STATE. Standard library only."""

import json
import os
import time
import urllib.error
import urllib.parse
import urllib.request
from datetime import datetime, timedelta
from email.utils import parsedate_to_datetime
from http.client import HTTPException

LIMIT = 10

# How far a run reaches back before the last one: longer than lists lag.
OVERLAP = timedelta(minutes=10)


class Service:
    def __init__(self):
        self.url = os.environ["WORKSPACE_SANDBOX_URL"] + "/organizations/" + os.environ["WORKSPACE_SANDBOX_ORGANIZATION"]
        self.token = os.environ["WORKSPACE_SANDBOX_TOKEN"]

    def read(self, path, query=None):
        """Returns the JSON of a path, and the service's time at which it was sent."""
        url = f"{self.url}{path}?{urllib.parse.urlencode(query or {})}"
        request = urllib.request.Request(url, headers={"Authorization": f"Bearer {self.token}"})
        with urllib.request.urlopen(request, timeout=10) as response:
            self.date = parsedate_to_datetime(response.headers["Date"])
            return json.load(response), self.date

    def page(self, query, offset):
        body, date = self.read("/customers", {**query, "offset": offset, "limit": LIMIT})
        return body["items"], date

    def walk(self, query):
        """Reads pages that overlap by one row. If the overlap differs, rows have moved, and it starts again."""
        for _ in range(10):
            rows, started = [], None
            while True:
                items, date = retry(lambda: self.page(query, max(0, len(rows) - 1)))
                if rows and (not items or items[0]["id"] != rows[-1]["id"]):
                    break
                started = started or date
                rows += items[1:] if rows else items
                if len(items) < LIMIT:
                    return rows, started
        raise SystemExit("The list changes faster than it can be read.")


def is_gone(error):
    return isinstance(error, urllib.error.HTTPError) and error.code == 404


def wait_as_told(error):
    """Waits as Retry-After says: some seconds, or until a date, which counts from the service's own."""
    headers = getattr(error, "headers", None) or {}
    wanted = headers.get("Retry-After")
    if wanted is None:
        return
    if wanted.isdigit():
        time.sleep(int(wanted))
    else:
        rest = parsedate_to_datetime(wanted) - parsedate_to_datetime(headers["Date"])
        time.sleep(max(0, rest.total_seconds()))


def retry(send):
    """Tries three times; a record that is gone stays gone."""
    for attempt in range(3):
        try:
            return send()
        except (OSError, ValueError, HTTPException) as error:
            if attempt == 2 or is_gone(error):
                raise
            wait_as_told(error)


class Store:
    """The copy and the cursor, in files that are replaced as a whole, so that a kill leaves the old or the new one."""

    def __init__(self):
        self.rows = {row["id"]: row for row in self._lines("customers.ndjson")}
        self.cursor = next(iter(self._lines("cursor.json")), None)

    def save(self, cursor=None):
        self._replace("customers.ndjson", self.rows.values())
        if cursor is not None:
            self.cursor = cursor
            self._replace("cursor.json", [cursor])

    def _path(self, name):
        return os.path.join(os.environ["STATE"], name)

    def _lines(self, name):
        if not os.path.exists(self._path(name)):
            return []
        with open(self._path(name), encoding="utf-8") as file:
            return [json.loads(line) for line in file]

    def _replace(self, name, values):
        with open(self._path(name) + ".new", "w", encoding="utf-8") as file:
            file.writelines(json.dumps(value) + "\n" for value in values)
        os.replace(self._path(name) + ".new", self._path(name))


def to_text(instant):
    return instant.strftime("%Y-%m-%dT%H:%M:%S.000Z")


def reach_back(cursor):
    """Returns the time to ask from, so that nothing is missed that a list still hid."""
    return to_text(datetime.strptime(cursor, "%Y-%m-%dT%H:%M:%S.%fZ") - OVERLAP)
