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
    assert.include(terminal.text(), "LAST DETAIL")
    assert.include(terminal.text(), "webhook URL")

    // The form knows the provider; the URL is what is missing.
    await terminal.press("c")
    assert.include(terminal.text(), "Because:")
    await terminal.press("\u0013")
    assert.include(terminal.text(), "not sent")
    await terminal.press("\u001B[200~https://hooks.example.test/services/T0/B0/fixed1234\u001B[201~")
    await terminal.press("\u0013")
    assert.match(terminal.text(), /saved: 200 in \d+ ms; ctrl-g shows/u)

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
