"""A sync of customers as it is first written: it reads page after page, and remembers when it has ended."""

from service import LIMIT, Service, Store, to_text

service, store = Service(), Store()
query = {"updatedSince": store.cursor} if store.cursor else {}
offset = 0
while True:
    rows, date = service.page(query, offset)
    store.rows.update({row["id"]: row for row in rows})
    store.save(to_text(date))
    if len(rows) < LIMIT:
        break
    offset += LIMIT
