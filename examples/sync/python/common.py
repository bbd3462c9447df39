"""A sync of customers as most are: it retries, and its cursor is the greatest updatedDate that it has seen."""

from service import LIMIT, Service, Store

service, store = Service(), Store()


def read_with_retries(query, offset):
    for attempt in range(3):
        try:
            return service.page(query, offset)
        except (OSError, ValueError):
            if attempt == 2:
                raise


query = {"updatedSince": store.cursor} if store.cursor else {}
greatest = store.cursor or ""
offset = 0
while True:
    rows, _ = read_with_retries(query, offset)
    for row in rows:
        store.rows[row["id"]] = row
        greatest = max(greatest, row["updatedDate"])
    if len(rows) < LIMIT:
        break
    offset += LIMIT
store.save(greatest)
