import { mkdtempSync, readFileSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { assert, describe, it } from "@effect/vitest"
import { open } from "./Terminal.ts"

describe("from a failure to the fix", () => {
  it("filters, reads the cause, changes credentials, triggers again, marks the message, undoes and quits", async () => {
    using terminal = open({ columns: 120, rows: 40 })
    await terminal.idle()
    assert.include(terminal.text(), "[DEMO]")

    // Only failures that a missing webhook caused.
    await terminal.press("F")
    assert.include(terminal.text(), "status:failed")
    for (let tries = 0; !terminal.text().includes("webhook URL") && tries < 40; tries += 1) await terminal.press("j")
    assert.include(terminal.text(), "WHY")

    await terminal.press("\r")
    assert.include(terminal.text(), "WHY AND WHAT NEXT")
    assert.include(terminal.text(), "webhook URL")

    // The form knows the provider; the URL is what is missing.
    await terminal.press("c")
    assert.include(terminal.text(), "REQUEST PREVIEW")
    await terminal.press("\u0013")
    assert.include(terminal.text(), "not sent")
    await terminal.press("\u001B[200~https://hooks.example.test/services/T0/B0/fixed1234\u001B[201~")
    await terminal.press("\u0013")
    assert.match(terminal.text(), /saved: 200 in \d+ ms; ctrl-[gn] /u)

    // What the service answered, and where it comes from.
    await terminal.press("\u0007")
    assert.match(terminal.text(), /CREDENTIALS \d+/u)
    assert.include(terminal.text(), "webhook ****1234")
    assert.include(terminal.text(), "from the answer to credentials.upsert")

    // The same workflow once more: it succeeds now.
    await terminal.press("\u001B")
    await terminal.press("T")
    assert.include(terminal.text(), "triggered again")
    assert.match(terminal.lines()[0] ?? "", /✓ ok/u)

    await terminal.press("m")
    assert.match(terminal.text(), /[1-9]\d* known/u)
    await terminal.press("r")
    assert.include(terminal.text(), "1 message set to read: 201")
    await terminal.press("u")
    assert.include(terminal.text(), "set back to unread: 201")

    terminal.send("q")
    assert.strictEqual((await terminal.ended).exitCode, 0)
    assert.deepStrictEqual(terminal.modes(), { alternate: false, paste: false })
  })
})

describe("three in the morning", () => {
  it("shows the causes of 2,000 events without a key, fixes a group and ends with a report", async () => {
    using terminal = open({ columns: 120, rows: 40, args: ["--demo-events", "2000"] })
    await terminal.shows("of 2000 loaded")
    // The shape of the incident is there before a key is pressed.
    assert.match(terminal.text(), /FAILURES, a bar is/u)
    assert.match(terminal.text(), /1 +\d+× /u)
    assert.match(terminal.text(), /c fixes [1-9]/u)

    // The first cause that credentials fix for several subscribers.
    const line = terminal.lines().find((text) => /c fixes (?:[2-9]|\d\d)/u.test(text)) ?? ""
    const number = /(\d) +\d+× /u.exec(line)?.[1] ?? ""
    await terminal.press(number)
    assert.match(terminal.text(), /cause:/u)

    await terminal.press("c")
    assert.match(terminal.text(), /1 of \d+ .*ctrl-n next/u)
    const isPush = terminal.text().includes("Device tokens *")
    const value = isPush ? "token-of-a-new-device-1234567890" : "https://hooks.example.test/services/T0/B0/fixed1234"
    if (terminal.text().includes("Provider *  ") && !/Provider \* +\w/u.test(terminal.text())) {
      await terminal.press(`${isPush ? "fcm" : "slack"}\t\t`)
    }
    await terminal.press(`\u001B[200~${value}\u001B[201~`)
    await terminal.press("\u0013")
    assert.match(terminal.text(), /saved: 200 in \d+ ms; ctrl-n goes on with/u)
    assert.notInclude(terminal.text(), "fixed1234 ")
    await terminal.press("\u000E")
    assert.match(terminal.text(), /2 of \d+, 1 sent/u)
    await terminal.press("\u001B")

    const folder = mkdtempSync(join(tmpdir(), "signalbox-story-"))
    try {
      const file = join(folder, "incident.md")
      await terminal.press(`:report ${file}\r`)
      await terminal.shows("incident report saved as")
      const report = readFileSync(file, "utf8")
      assert.match(report, /of 2000 loaded events failed/u)
      assert.match(report, /## Actions taken\n\n- .*credentials/u)
      assert.notInclude(report, value)
    } finally {
      rmSync(folder, { recursive: true })
    }
    terminal.send("q")
    assert.strictEqual((await terminal.ended).exitCode, 0)
  })
})
