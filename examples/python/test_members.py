def test_is_busy_once(sandbox):
    sandbox.control("POST", "/faults", {"status": 503, "times": 1})
    assert sandbox.send("GET", "/members/me")[0] == 503
    status, member = sandbox.send("GET", "/members/me")
    assert (status, member["firstName"]) == (200, "Mara")


def test_has_its_own_session(sandbox):
    assert sandbox.control("GET", "/faults")["items"] == []
    note = {"categoryId": 1, "content": "Called them."}
    status, created = sandbox.send("POST", "/organizations/harbor/customers/1/notes", note)
    assert (status, created["content"]) == (200, "Called them.")
