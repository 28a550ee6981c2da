import { assert, describe, it } from "@effect/vitest"
import { folderOfTest } from "@signalbox/testing/Folder"
import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { hangUp, page, reading, refuse, serve } from "./Service.ts"
import { open } from "./Terminal.ts"

const subscriber = (subscriberId: string) => ({
  _id: "s",
  _organizationId: "organization",
  _environmentId: "environment",
  subscriberId,
  createdAt: "2026-11-21T12:00:00.000Z",
  updatedAt: "2026-11-21T12:00:00.000Z",
  deleted: false
})

const subscriberIn = (url: string) => /subscribers\/([^/]+)/u.exec(url)?.[1] ?? ""

/** With its own index of runs: an earlier run of the same lines would be continued. */
const environmentOf = ({ url }: { readonly url: string }) => ({
  SIGNALBOX_API_KEY: "key-of-a-test",
  SIGNALBOX_BASE_URL: url,
  XDG_STATE_HOME: folderOfTest()
})

describe("the run of a file", () => {
  it("imports, pauses, names how to resume before it quits, continues, and counts unknown outcomes", async () => {
    const file = join(folderOfTest(), "fixes.csv")
    const lines = Array.from({ length: 400 }, (_, at) => `u_${at},slack,https://hooks.example.test/${at}`)
    writeFileSync(file, `subscriberId,providerId,webhookUrl\n${lines.join("\n")}\n`)
    let isHeld = true
    const held: Array<() => void> = []
    let arrive = () => {}
    const arrived = new Promise<void>((resolve) => {
      arrive = resolve
    })
    using service = await serve(
      reading(page(3), (response, request) => {
        const id = subscriberIn(request.url)
        const answer = () => (id === "u_7" ? hangUp : refuse(200, subscriber(id)))(response, request)
        if (!isHeld) return answer()
        held.push(answer)
        arrive()
      })
    )
    const environment = environmentOf(service)
    const release = () => {
      isHeld = false
      for (const answer of held.splice(0)) answer()
    }
    using terminal = open({ columns: 120, rows: 24, flags: [], environment })
    await terminal.idle()
    terminal.send(`:run ${file}\r`)
    await terminal.shows("LIVE")
    assert.isEmpty(service.writes())
    terminal.send("y")
    await arrived
    await terminal.shows("0 of 400")

    // Quitting says what happens, and how to continue.
    terminal.send("q")
    await terminal.shows("Leave now?")
    const question = terminal.text().replaceAll(/\s+/gu, " ")
    assert.include(
      question,
      `stops after the lines in flight; continue it with :run or signalbox bulk resume '${file}'.`
    )
    terminal.send("\u001B")
    await terminal.until(() => !terminal.text().includes("Leave now?"))

    // The lines in flight are done before the run is paused.
    terminal.send("p")
    await terminal.shows("pausing")
    release()
    await terminal.shows("paused")
    const paused = service.writes().length
    assert.isBelow(paused, 400)

    terminal.send("p")
    await terminal.shows("LIVE")
    terminal.send("y")
    await terminal.shows("finished")
    await terminal.shows("LINES TO LOOK AT")
    assert.match(terminal.text(), /succeeded +399/u)
    assert.match(terminal.text(), /unknown +1, no response arrived: may have been applied/u)
    assert.match(terminal.text(), /line 9 +unknown: /u)
    // Running it again sends nothing, and says so.
    terminal.send("\u001B")
    await terminal.shows("C causes")
    terminal.send(`:run ${file}\r`)
    await terminal.shows("LIVE")
    terminal.send("y")
    await terminal.shows("not started: nothing was sent")
    assert.match(terminal.text(), /run import-\S+ of fixes\.csv is finished; to send it again: signalbox bulk import/u)
    assert.strictEqual(new Set(service.writes().map(({ url }) => subscriberIn(url))).size, 400)
    // A request was sent for each valid line.
    terminal.send("L")
    await terminal.shows("newest first")
    assert.match(terminal.text(), /40\d requests/u)
    assert.include(terminal.text(), "PATCH")
    terminal.send("q")
    assert.strictEqual((await terminal.ended).exitCode, 0)
  })

  it("shows the invalid lines of a file, and sends nothing", async () => {
    const file = join(folderOfTest(), "fixes.csv")
    writeFileSync(file, "subscriberId,providerId,webhookUrl\nu_1,slak,https://hooks.example.test/1\nu_2,slack\n")
    using service = await serve(reading(page(3), refuse(200, subscriber("u_1"))))
    const environment = environmentOf(service)
    using terminal = open({ columns: 120, rows: 30, flags: [], environment })
    await terminal.idle()
    terminal.send(`:run ${file}\r`)
    await terminal.shows("LIVE")
    terminal.send("y")
    await terminal.shows("Correct the file; p starts it again.")
    assert.match(terminal.text(), /state +not started: nothing was sent/u)
    assert.match(terminal.text(), /line 2 +invalid: providerId: Expected one of slack, discord/u)
    assert.match(terminal.text(), /line 3 +invalid: Expected 3 columns, found 2/u)
    assert.isEmpty(service.writes())
  })

  it("is only there under signalbox ui", async () => {
    using terminal = open()
    await terminal.idle()
    await terminal.press(":run fixes.csv\r")
    assert.include(terminal.text(), "only signalbox ui runs files")
  })
})
