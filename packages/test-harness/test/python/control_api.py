"""Uses every action of the control API, with the standard library only. FAKE_URL is the URL of a running fake."""

import json
import os
import re
import threading
import unittest
from http.client import RemoteDisconnected
from urllib.error import HTTPError, URLError
from urllib.request import Request, urlopen

URL = os.environ["FAKE_URL"]
START = "2026-05-01T08:00:00Z"
used = set()


def send(method, path, key=None, body=None, url=URL):
    """Returns the body of a response; raises HTTPError for an error."""
    used.add((method, path.split("?")[0]))
    headers = {"Content-Type": "application/json"}
    if key is not None:
        headers["Authorization"] = f"ApiKey {key}"
    data = None if body is None else json.dumps(body).encode()
    with urlopen(Request(url + path, data=data, headers=headers, method=method), timeout=30) as response:
        return json.load(response)


def status(method, path, key, body=None):
    """Returns the status of a response, and its headers."""
    try:
        send(method, path, key, body)
        return 200, {}
    except HTTPError as error:
        with error:
            error.read()
            return error.code, error.headers


def setUpModule():
    actions = send("GET", "/_fake")["actions"]
    global known
    known = {(action["method"], action["path"]) for action in actions}


def tearDownModule():
    forms = {action: re.sub(r"{\w+}", "[^/]+", action[1]) for action in known}
    unused = [action for action, form in forms.items() if not any(m == action[0] and re.fullmatch(form, p) for m, p in used)]
    assert not unused, f"the suite does not use {unused}"


class ControlApi(unittest.TestCase):
    def setUp(self):
        options = {"data": "empty", "seed": 7, "clock": START}
        self.key = send("POST", "/_fake/environments", body=options)["apiKey"]
        self.addCleanup(self.delete)

    def delete(self):
        send("DELETE", "/_fake/environments", self.key)

    def control(self, method, action, body=None):
        return send(method, f"/_fake/{action}", self.key, body)

    def events(self, query=""):
        return send("GET", f"/v1/notifications{query}", self.key)["data"]

    def upsert(self, user="ana"):
        body = {"providerId": "fcm", "credentials": {"deviceTokens": ["token-of-a-phone"]}}
        return status("PATCH", f"/v1/subscribers/{user}/credentials", self.key, body)

    def seed(self):
        step = {"type": "email", "name": "mail", "subject": "Hello", "content": "Hello {{subscriber.firstName}}"}
        step["filters"] = [
            {
                "isNegated": False,
                "type": "GROUP",
                "value": "AND",
                "children": [{"field": "firstName", "value": "Ana", "operator": "EQUAL", "on": "subscriber"}],
            }
        ]
        return self.control(
            "POST",
            "seed",
            {
                "subscribers": [{"subscriberId": "ana", "firstName": "Ana", "email": "ana@example.test"}],
                "integrations": [{"providerId": "fcm", "active": True}, {"providerId": "sendgrid"}],
                "workflows": [{"identifier": "welcome", "severity": "high", "tags": ["t"], "steps": [step]}],
                "messages": [
                    {"subscriberId": "ana", "channel": "in_app", "cta": {"data": {"url": "/"}}, "createdAt": START}
                ],
                "events": [
                    {"subscriberId": "ana", "workflow": "welcome", "severity": "low", "createdAt": "2026-03-01T08:00:00Z"}
                ],
            },
        )

    def test_seeds_and_reads_records(self):
        [message] = self.seed()["messages"]
        state = self.control("GET", "state")
        self.assertEqual([one["subscriberId"] for one in state["subscribers"]], ["ana"])
        self.assertEqual(state["workflows"][0]["steps"][0]["filters"][0]["children"][0]["value"], "Ana")
        [event] = self.events("?severity=low")
        self.assertEqual(event["createdAt"], "2026-03-01T08:00:00.000Z")
        path = "/v1/subscribers/ana/messages/mark-as"
        self.assertEqual(status("POST", path, self.key, {"messageId": message["id"], "markAs": "read"})[0], 200)
        self.assertTrue(self.control("GET", "state")["messages"][0]["read"])

    def test_changes_and_removes_records(self):
        self.seed()
        for path, change in (
            ("subscribers/ana", {"email": None}),
            ("integrations/" + self.control("GET", "state")["integrations"][0]["id"], {"active": False}),
            ("workflows/welcome", {"active": False}),
            ("messages/" + self.control("GET", "state")["messages"][0]["id"], {"read": True}),
        ):
            [(name, value)] = change.items()
            self.assertEqual(self.control("PATCH", path, change)[name], value)
            self.control("DELETE", path)
        state = self.control("GET", "state")
        self.assertEqual([len(state[kind]) for kind in ("subscribers", "integrations", "workflows", "messages")], [0, 1, 0, 0])

    def test_triggers_and_moves_the_clock(self):
        self.seed()
        body = {"workflow": "welcome", "to": "ana", "failures": {"mail": "smtp-rejected"}}
        failures = status("POST", "/_fake/trigger", self.key, body)
        self.assertEqual(failures[0], 400)
        made = self.control("POST", "trigger", {"workflow": "welcome", "to": "ana"})
        self.assertTrue(self.control("GET", "clock")["isManual"])
        self.assertFalse(self.control("POST", "clock", {"runNext": True})["ran"])
        self.control("POST", "clock", {"set": "2026-05-01T09:00:00Z"})
        self.assertEqual(self.control("POST", "clock", {"advanceMs": 1000})["now"], "2026-05-01T09:00:01.000Z")
        [event] = self.events(f"?transactionId={made['transactionId']}")
        self.assertEqual(event["jobs"][-1]["status"], "completed")

    def test_faults_fire_as_often_as_they_say(self):
        self.seed()
        self.control("POST", "faults", {"form": {"_tag": "Status", "status": 503}, "times": 2})
        self.assertEqual([self.upsert()[0] for _ in range(3)], [503, 503, 200])
        self.control("POST", "faults", {"form": {"_tag": "NoResponse", "failure": "reset"}, "point": "committed"})
        with self.assertRaises((ConnectionError, URLError, RemoteDisconnected)):
            self.upsert()
        self.assertEqual([fault["fired"] for fault in self.control("GET", "faults")], [2, 1])
        self.control("DELETE", "faults/1")
        self.control("POST", "faults", {"form": {"_tag": "Refuse"}, "request": 99})
        self.assertEqual(len(self.control("DELETE", "faults")["neverFired"]), 1)
        outcomes = [one["outcome"] for one in self.control("GET", "verdicts")]
        self.assertIn("unknown", outcomes)

    def test_serves_routes_of_its_own(self):
        topic = {"key": "news", "name": "News"}
        create = {"name": "topics.create", "method": "POST", "path": "/v1/topics", "stateKey": "body.key"}
        find = {"name": "topics.get", "method": "GET", "path": "/v1/topics/:topicKey", "stateKey": "path.topicKey"}
        for route in (create, find):
            self.control("POST", "routes", route)
        self.assertEqual(status("GET", "/v1/topics/news", self.key)[0], 404)
        self.control("POST", "faults", {"form": {"_tag": "Status", "status": 503}, "operation": "topics.create"})
        self.assertEqual([status("POST", "/v1/topics", self.key, topic)[0] for _ in range(2)], [503, 200])
        self.assertEqual(send("GET", "/v1/topics/news", self.key), topic)

    def test_changes_switches_and_rate_limit(self):
        self.assertEqual(status("GET", "/v1/notifications?limit=99", self.key)[0], 400)
        self.control("POST", "switches", {"list.badLimit": "clamped"})
        self.assertEqual(self.control("GET", "switches")["list.badLimit"], "clamped")
        self.assertEqual(status("GET", "/v1/notifications?limit=99", self.key)[0], 200)
        self.control("POST", "rate-limit", {"requests": 1, "windowMs": 60000})
        self.events()
        code, headers = status("GET", "/v1/notifications", self.key)
        self.assertEqual((code, headers["retry-after"]), (429, "60"))
        self.control("POST", "clock", {"advanceMs": 60000})
        self.events()
        self.control("DELETE", "rate-limit")
        self.events()
        self.control("POST", "reset")
        self.assertEqual(status("GET", "/v1/notifications?limit=99", self.key)[0], 400)

    def test_restores_a_snapshot(self):
        self.seed()
        snapshot = self.control("GET", "snapshot")
        self.control("POST", "seed", {"subscribers": [{"subscriberId": "bo"}]})
        self.control("POST", "restore", snapshot)
        self.assertEqual(len(self.control("GET", "state")["subscribers"]), 1)

    def test_waits_and_expects(self):
        self.seed()
        waiting = threading.Timer(0, self.upsert)
        waiting.start()
        condition = {"requests": 1, "target": {"operation": "credentials.upsert"}, "timeoutMs": 20000}
        self.assertTrue(self.control("POST", "wait", condition)["met"])
        waiting.join()
        result = self.control("POST", "expect", {"expectations": [{"name": "appliedOnce"}]})
        self.assertEqual(result, {"met": True, "issues": []})
        self.assertIn("credentials.upsert ana", self.control("GET", "timeline")["timeline"])
        token = {"body": {"credentials": {"deviceTokens": ["token-of-a-phone"]}}}
        other = {"body": {"credentials": {"deviceTokens": ["other"]}}}
        received = [{"name": "received", "request": token}, {"name": "received", "request": other}]
        [issue] = self.control("POST", "expect", {"expectations": received})["issues"]
        self.assertIn("body.credentials.deviceTokens.0: another secret than expected", issue["issue"])
        [entry] = self.control("GET", "journal?operation=credentials.upsert&limit=1")["entries"]
        self.assertEqual((entry["statusLine"], entry["responseBody"]["subscriberId"]), ("200 OK", "ana"))
        self.assertEqual(entry["body"]["credentials"], {"deviceTokens": ["<redacted>"]})
        self.assertIn("node:test", self.control("GET", "test-source?request=1")["source"])
        [provider, tokens] = self.control("GET", "stored?request=1")
        self.assertEqual((provider["stored"], tokens["isEqual"]), ('"fcm"', True))
        questions = {one["name"]: one for one in self.control("GET", "switches/questions")}
        self.assertEqual(questions["envelope"]["values"], ["bare", "data"])

    def test_reports_coverage_and_repeats_an_environment_from_its_token(self):
        self.control("POST", "switches", {"auth.missingKey": "403"})
        token = self.control("GET", "token")["token"]
        copy = send("POST", "/_fake/environments", body={"reproduce": token})["apiKey"]
        self.assertEqual(send("GET", "/_fake/switches", copy)["auth.missingKey"], "403")
        self.events()
        coverage = self.control("GET", "coverage")
        self.assertIn({"operation": "events.list", "status": 200, "provenance": "documented"}, [
            {name: row[name] for name in ("operation", "status", "provenance")} for row in coverage["statuses"]
        ])

    def test_lists_environments_and_unmatched_requests(self):
        status("GET", "/v1/notifications", "stranger")
        self.assertEqual(self.control("GET", "unmatched-requests")["entries"][0]["key"], "unknown")
        keys = [one["apiKey"] for one in send("GET", "/_fake/environments")]
        self.assertIn(self.key, keys)

    def test_streams_what_changes(self):
        with urlopen(f"{URL}/_fake/events", timeout=30) as stream:
            batch = json.loads(stream.readline().decode().removeprefix("data: "))
        self.assertIn(self.key, [one["apiKey"] for one in batch["environments"]])

    def test_takes_the_api_down_and_up(self):
        meanwhile = send("POST", "/_fake/down")["url"]
        with self.assertRaises(URLError):
            self.events()
        send("POST", "/_fake/up", url=meanwhile)
        self.assertEqual(self.events(), [])


if __name__ == "__main__":
    unittest.main()
