"""Fixtures for pytest: a fake of the notification service, with its own environment for each test."""

import json
import os
import shlex
import subprocess
from urllib.error import HTTPError, URLError
from urllib.parse import quote
from urllib.request import Request, urlopen

import pytest


class Fake:
    """An environment of the fake. Requests with its `api_key` to its `url` use its records, faults and clock."""

    def __init__(self, url, api_key):
        self.url = url
        self.api_key = api_key

    def control(self, method, action, body=None):
        """Sends a request to the control API, such as `control("GET", "journal")`; raises ValueError for an error."""
        # pytest shows the line of the test, not those of this file.
        __tracebackhide__ = True
        headers = {"Authorization": f"ApiKey {self.api_key}", "Content-Type": "application/json"}
        data = None if body is None else json.dumps(body).encode()
        try:
            with urlopen(Request(f"{self.url}/_fake/{action}", data, headers, method=method), timeout=60) as response:
                return json.load(response)
        except HTTPError as error:
            with error:
                message = json.load(error)["message"]
            raise ValueError(message) from None
        except (URLError, ValueError) as error:
            pytest.fail(f"no fake responds at {self.url}, see FAKE_URL and FAKE_COMMAND: {error}", pytrace=False)

    def seed(self, **records):
        """Adds `subscribers`, `integrations`, `workflows`, `messages` and `events`; `generate` adds more."""
        return self.control("POST", "seed", records)

    def update(self, kind, id, **changes):
        """Changes fields of a record, such as `update("integrations", "push", active=False)`."""
        return self.control("PATCH", f"{kind}/{quote(id, safe='')}", changes)

    def remove(self, kind, id):
        """Removes a record, such as `remove("workflows", "welcome")`."""
        self.control("DELETE", f"{kind}/{quote(id, safe='')}")

    def trigger(self, workflow, to, **options):
        """Triggers a workflow for a subscriber; returns the id and the transaction of the event."""
        return self.control("POST", "trigger", {"workflow": workflow, "to": to, **options})

    def fault(self, tag, **options):
        """Arms a fault, such as `fault("Status", status=503, attempt=1)`; the test fails if no request meets it."""
        names = ("operation", "point", "at", "times", "attempt", "request", "key", "probability")
        target = {name: options.pop(name) for name in names if name in options}
        self.control("POST", "faults", {"form": {"_tag": tag, **options}, **target})

    def switch(self, values):
        """Changes switches, such as `switch({"list.badLimit": "clamped"})`."""
        self.control("POST", "switches", values)

    def advance(self, ms):
        """Moves the clock of an environment that was created with one."""
        self.control("POST", "clock", {"advanceMs": ms})

    def state(self):
        """Returns the records."""
        return self.control("GET", "state")

    def expect(self, name, **expectation):
        """Fails with the timeline unless an expectation is met, such as `expect("appliedOnce")`."""
        result = self.control("POST", "expect", {"expectations": [{"name": name, **expectation}]})
        if not result["met"]:
            pytest.fail(result["issues"][0]["message"], pytrace=False)


def pytest_configure(config):
    config.addinivalue_line("markers", "fake(**options): options of the environment, such as preset, clock or vendor")


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item, call):
    report = yield
    fake = item.funcargs.get("fake") if hasattr(item, "funcargs") else None
    if call.when == "call" and isinstance(fake, Fake):
        item.stash[passed] = report.passed
        if report.failed:
            report.sections.append(("requests to the fake", fake.control("GET", "timeline")["timeline"]))
    return report


passed = pytest.StashKey()


@pytest.fixture(scope="session")
def fake_url():
    """The URL of a running fake: FAKE_URL, or that of a server that FAKE_COMMAND (npx -p @signalbox/test-harness signalbox-fake) starts."""
    if "FAKE_URL" in os.environ:
        yield os.environ["FAKE_URL"]
        return
    command = shlex.split(os.environ.get("FAKE_COMMAND", "npx -p @signalbox/test-harness signalbox-fake"))
    with subprocess.Popen([*command, "--empty"], stdout=subprocess.PIPE, text=True) as server:
        try:
            line = server.stdout.readline()
            if line == "":
                pytest.fail(f"{shlex.join(command)} ended before it was ready; install @signalbox/test-harness here, or set FAKE_COMMAND", pytrace=False)
            yield json.loads(line)["url"]
        finally:
            server.terminate()


@pytest.fixture
def fake(fake_url, request):
    """A new environment, empty unless the mark `fake` says otherwise, which is deleted after the test."""
    marked = request.node.get_closest_marker("fake")
    options = {"data": "empty", "name": request.node.nodeid, **(marked.kwargs if marked else {})}
    fake = Fake(fake_url, Fake(fake_url, "").control("POST", "environments", options)["apiKey"])
    yield fake
    try:
        if request.node.stash.get(passed, False):
            fake.expect("noUnfiredFaults")
            fake.expect("noLeaks")
    finally:
        fake.control("DELETE", "environments")
