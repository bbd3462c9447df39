"""A sync of customers that survives a sweep. With --full, it reads everything again."""

import sys
import urllib.error

from service import Service, Store, is_gone, reach_back, retry, to_text

service, store = Service(), Store()


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
rows, started = service.walk({} if is_full else {"updatedSince": reach_back(store.cursor)})
for row in rows:
    keep(row)
if is_full:
    reconcile(rows)
# The next cursor is the time before the first request, and moves last: a run that fails or is killed is repeated.
store.save(to_text(started))
