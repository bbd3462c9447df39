"""Gives each test a session of its own in one sandbox. Copy this file beside your tests; it needs Node and no package."""

import json
import os
import shutil
import signal
import subprocess
import urllib.error
import urllib.request

import pytest


class Session:
    """A session: its own data, clock and faults. Point your application at `base_url`, with `token`."""

    def __init__(self, server, admin_token):
        self._control = server["url"] + "/_sandbox"
        self._admin_token = admin_token
        self.token = server["organizations"][0]["members"][0]["token"]
        self.id = None
        opened = self.control("POST", "/sessions", {})
        self.id, self.base_url = opened["id"], opened["baseUrl"]

    def send(self, method, path, body=None):
        """Sends a request to the service, and returns its status and its JSON."""
        return _send(method, self.base_url + path, body, {"Authorization": f"Bearer {self.token}"})

    def control(self, method, path, body=None):
        """Calls the control plane in this session, as in `control("POST", "/faults", {"status": 503})`."""
        headers = {"Authorization": f"Bearer {self._admin_token}"} if self._admin_token else {}
        if self.id:
            headers["Sandbox-Session"] = self.id
        status, answer = _send(method, self._control + path, body, headers)
        if status >= 400:
            raise RuntimeError(f"{method} {path}: {answer['detail']}")
        return answer


def _send(method, url, body, headers):
    data = None if body is None else json.dumps(body).encode()
    if data is not None:
        headers = {**headers, "Content-Type": "application/json"}
    request = urllib.request.Request(url, data, headers, method=method)
    try:
        response = urllib.request.urlopen(request)
    except urllib.error.HTTPError as error:
        response = error
    with response:
        text = response.read()
    return response.status, json.loads(text) if text else None


@pytest.fixture(scope="session")
def sandbox_server():
    """Starts one sandbox for all tests; its JSON line names its URL, its process and every token."""
    command = [shutil.which("npx") or "npx", "workspace-sandbox", "start"]
    options = ["--port", "0", "--memory", "--size", "small", "--json"]
    process = subprocess.Popen(command + options, stdout=subprocess.PIPE)
    line = process.stdout.readline()
    if not line:
        raise RuntimeError(f"The sandbox ended with {process.wait()}. Its message is above.")
    server = json.loads(line)
    yield server
    os.kill(server["pid"], signal.SIGTERM)
    process.wait()


@pytest.fixture
def sandbox(sandbox_server):
    """Opens a session for a test, and drops it afterwards."""
    session = Session(sandbox_server, os.environ.get("WORKSPACE_SANDBOX_ADMIN_TOKEN"))
    yield session
    session.control("DELETE", f"/sessions/{session.id}")
