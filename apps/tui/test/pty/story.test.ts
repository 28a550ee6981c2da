import { createFake, manualClock } from "@signalbox/test-harness"
import { preload } from "@signalbox/testing/Program"
import { folderOfTest } from "@signalbox/testing/Folder"
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { assert, describe, it } from "@effect/vitest"
import { expect } from "vitest"
import { type Frame, terminalAnimation } from "../TerminalAnimation.ts"
import { open } from "./Terminal.ts"

/** Seven minutes past three in the morning. Each signal moves the time on by 50 seconds; the idempotency keys are fixed. */
const atThree = preload(`
  const Real = Date
  let now = Real.UTC(2026, 10, 21, 3, 7, 11)
  process.on("SIGUSR2", () => { now += 50_000 })
  globalThis.Date = class extends Real {
    constructor(...given) { super(...(given.length === 0 ? [now] : given)) }
    static now() { return now }
  }
  process.hrtime.bigint = () => BigInt(now) * 1_000_000n
  crypto.randomUUID = () => "4c1e9a70-52b8-4f06-9d3a-8e27b1c5f460"
`)

const paste = (text: string) => `\u001B[200~${text}\u001B[201~`

/** The id of an in-app message that the subscriber of the demo has not read at three in the morning. */
const unreadMessageOf = (subscriberId: string): string => {
  const clock = manualClock("2026-11-21T03:07:11Z")
  const { messages } = createFake({ data: "demo", seed: 1, clock }).state()
  const message = messages.find((each) => each.subscriberId === subscriberId && each.channel === "in_app" && !each.read)
  assert(message !== undefined, `no unread message of ${subscriberId}`)
  return message.id
}

describe("from the onset of an incident to the fix", () => {
  it("watches, reads the cause, changes credentials of a group, sees it succeed, marks a message, undoes and quits", async () => {
    const [columns, rows] = [110, 32]
    const frames: Array<Frame> = []
    using terminal = open({ columns, rows, environment: atThree })
    // Calls are timed by a clock that does not stand still.
    const painted = () => terminal.painted().map((line) => line.replace(/ in \d+ ms/u, " in 2 ms"))
    const show = (key: string, caption: string) => frames.push({ key, caption, lines: painted() })
    await terminal.idle()
    await terminal.shows("1/80")
    assert.include(terminal.text(), "[DEMO]")
    assert.include(terminal.text(), "events arrive: t follows them")
    await terminal.press(":every 1s\r")
    await terminal.press("W")
    await terminal.shows("watching 13 causes")
    show("W", "A calm minute: new events arrive, and W rings when a cause is new")

    terminal.kill("SIGUSR2")
    await terminal.shows("NEW: discord webhook missing")
    assert.include(terminal.text(), "NEW: sendgrid error: Requested entity was not found")
    show("", "The bell: two causes are new")

    // Since when, how many, of what, who can fix it.
    await terminal.press("C:sort last\r")
    await terminal.shows("causes, by last")
    const cause = terminal.lines().find((line) => line.includes("discord webhook missing")) ?? ""
    assert.match(cause, /c fixes/u)
    assert.match(terminal.text(), /sendgrid error: Requested/u)
    show("C", "All causes: how many, since when, and who can fix it")

    const place = terminal.lines().indexOf(cause) - terminal.lines().findIndex((line) => line.startsWith("›"))
    await terminal.press(`${(place < 0 ? "k" : "j").repeat(Math.abs(place))}\r`)
    await terminal.shows("cause:webhook-url-missing/chat/discord")
    assert.include(terminal.text(), "NEXT")
    show("enter", "Only this cause. Below the list: why it failed, and what to do next")

    // The form knows the provider; the URLs are what is missing. A paste has one for each subscriber.
    await terminal.press("c")
    await terminal.shows("REQUEST PREVIEW")
    const hooks = [1, 2, 3].map((at) => [`u_3001${at}`, `https://hooks.example.test/night-shift/${at}fixed`] as const)
    await terminal.press(paste(hooks.map((pair) => pair.join(",")).join("\n")))
    await terminal.shows("values for 3 of 3 subscribers")
    show("c", "The form knows the subscribers and the provider; one paste fills in all URLs")
    for (let sent = 1; sent <= hooks.length; sent += 1) {
      await terminal.press("\u0013")
      await terminal.shows(`${sent} sent`)
      if (sent < hooks.length) await terminal.press("\u000E")
    }
    for (const [, hook] of hooks) assert.notInclude(terminal.text(), hook)
    show("ctrl-s", "Sent, one subscriber after the other")

    // The same workflow succeeds now.
    await terminal.press("\u001B")
    await terminal.press("X")
    terminal.kill("SIGUSR2")
    await terminal.shows("+20 new")
    await terminal.press(".")
    await terminal.press("\u001B[H")
    await terminal.until(() => terminal.lines().some((line) => /Ticket assigned .*u_3001\d .*✓ ok/u.test(line)))
    assert.match(terminal.text(), /discord webhook .* fixed since/u)
    show(".", "Fixed: what arrives now is delivered. The unknown cause is left, and named")

    // The service names no message in its execution details: its id comes from elsewhere.
    await terminal.press("/u_16170\r")
    await terminal.press("m")
    await terminal.press("i")
    await terminal.press(`${paste(unreadMessageOf("u_16170"))}\r`)
    assert.match(terminal.text(), /1 known/u)
    await terminal.press("r")
    await terminal.shows("1 message set to read: 201")
    await terminal.press("u")
    await terminal.shows("set back to unread: 201")

    terminal.send("q")
    assert.strictEqual((await terminal.ended).exitCode, 0)
    assert.deepStrictEqual(terminal.modes(), { alternate: false, paste: false, mouse: false })

    const title =
      "A session in the terminal UI: a calm list, two new causes, all causes, the events of one cause, the prefilled credentials form, and the same workflow without failure"
    const image = terminalAnimation(frames, columns, title)
    assert.isAtMost(Buffer.byteLength(image), 150_000)
    await expect(image).toMatchFileSnapshot("../../../../docs/images/story.svg")
  })
})

describe("three in the morning", () => {
  it("shows the causes of 2,000 events without a key, fixes a group and ends with a report", async () => {
    using terminal = open({ columns: 120, rows: 40, args: ["--demo-events", "2000"], environment: atThree })
    const sees = (...parts: ReadonlyArray<RegExp | string>) => {
      for (const part of parts) assert.match(terminal.text(), typeof part === "string" ? new RegExp(part, "u") : part)
    }
    // At the bottom: everything above is drawn by then.
    await terminal.shows("1/2000")

    // The shape of the incident is there before a key is pressed: when, how much, which causes, what a credential fixes.
    sees(/\d+ FAILURES, a bar is 16 hours/u, /\d+ CAUSES/u, / 1 +\d+× .*not credentials/u, /\d+ failed of 2000 loaded/u)
    const [, number = "", count = "", title = ""] =
      /(\d) +(\d+)× (\w.*?) {2,}.* c fixes (?:[2-9]|\d\d)/u.exec(terminal.text()) ?? []
    assert.notStrictEqual(number, "")

    // Only this cause: each row says so, and the preview says why, what next and how many are alike.
    await terminal.press(number)
    sees(
      /cause:/u,
      `${count} of 2000 loaded`,
      / WHY {4}\w/u,
      / NEXT {3}\w/u,
      `ALIKE  ${count} events of \\d+ subscribers`
    )
    const rows = terminal.lines().filter((line) => /\d\d:\d\d(?::\d\d)? .*[✓✗~]/u.test(line) && !line.includes("─"))
    assert.isAbove(rows.length, 5)
    for (const row of rows) assert.include(row.replaceAll(/ +/gu, " "), `✗ ${number} ${title}`)

    // One event in full, and back to the same row.
    await terminal.press("\r")
    sees(/WHY AND WHAT NEXT/u, `ALIKE, ${number} on the list shows them`, `${count} events of`)
    await terminal.press("\u001B")
    sees(`1/${count}`)

    // The form steps through the subscribers of the cause: one skipped, one sent, and then the one that was skipped.
    await terminal.press("c")
    // The step of the subscriber under the cursor has succeeded since; the list of causes opens the first that needs it.
    sees(`${title}: not needed here, \\d+ others`)
    await terminal.press("\u001B")
    await terminal.press(`C:sort number\rgg${"j".repeat(Number(number) - 1)}c`)
    sees(`${title}: 1 of \\d+ .*ctrl-n next`, /Provider \* +fcm/u, /Device tokens \*/u)
    await terminal.press("\u0013")
    sees(/not sent/u)
    await terminal.press("\u000E")
    sees(/2 of \d+, 1 skipped/u)
    const tokens = ["token-of-a-new-device-1234567890", "token-of-another-device-0987654321"] as const
    await terminal.press(`${paste(tokens[0])}\u0013`)
    await terminal.shows("1 sent, 1 skipped")
    sees(/saved \(integration fcm-ios\): 200 in \d+ ms/u)
    assert.notInclude(terminal.text(), tokens[0])
    await terminal.press("\u001B")
    sees(`${title}.* c fixes 2`)
    await terminal.press("c")
    sees(/1 of \d+, 1 sent, 1 skipped/u)
    await terminal.press(`${paste(tokens[1])}\u0013`)
    await terminal.shows("2 sent")
    await terminal.press("\u001B")
    await terminal.press("\u001B")
    sees(`1/${count}`, `${title}.* c fixes 1`)

    const folder = folderOfTest()
    const file = join(folder, "incident.md")
    await terminal.press(`:report ${file}\r`)
    await terminal.shows("incident report saved as")
    const report = readFileSync(file, "utf8")
    assert.match(report, /^# \d+ failed events on `demo`, as of 2026-11-21 03:07:11Z/u)
    assert.match(report, new RegExp(`\\| ${count} \\| ${title} \\|`, "u"))
    const [, actions = ""] = report.split("## Actions taken\n\n")
    assert.lengthOf(actions.match(/changing the fcm credentials of/gu) ?? [], 2)
    for (const token of tokens) assert.notInclude(report, token)
    terminal.send("q")
    assert.strictEqual((await terminal.ended).exitCode, 0)
    assert.isFalse(terminal.modes().alternate)
  })
})
