import { expect, it } from "vitest"
import { reportListing, runListing } from "../commands/bulk/RunListing.ts"
import { switchListing } from "../commands/doctor/calibration/Calibrate.ts"
import { checkListing } from "../commands/doctor/Examine.ts"
import { messageListing } from "../commands/messages/MarkAs.ts"
import { type Listing, textOf } from "./Listing.ts"
import { fieldOf } from "./Output.ts"

const counts = { succeeded: 1, failed: 0, unknown: 0, invalid: 0, notReturned: 0, notTried: 0 }

const run = {
  id: "import-1",
  kind: "import",
  state: "finished",
  file: "a.csv",
  createdAt: "2026-11-21T12:00:00.000Z",
  total: undefined,
  counts,
  maybeTwice: 0,
  pass: 1,
  inDoubt: 0,
  journal: "a.journal"
} as const

const message = {
  _id: "m1",
  channel: "in_app",
  read: true,
  seen: false,
  subject: "Hello",
  transactionId: "txn_1"
}

/** Every field of a row: its value, its tone, and whether a table cuts it late. */
const drawn = <Row>(listing: Listing<Row>, rows: ReadonlyArray<Row>): ReadonlyArray<string> => [
  `columns: ${listing.columns.join(", ")}`,
  ...rows.flatMap((row) => [
    "",
    ...Object.entries(listing.fields).map(([name, { cell, isName, isShort, tone }]) =>
      [
        `${name}: ${textOf(fieldOf(listing, name)?.value(row))}`,
        ...(cell === undefined ? [] : [`shown as ${cell(row)}`]),
        ...(tone?.(row) === undefined ? [] : [tone(row)]),
        ...(isShort === true ? ["cut late"] : []),
        ...(isName === true ? ["cut first"] : [])
      ].join(" | ")
    )
  ])
]

it.each([
  [
    "runs",
    drawn(runListing, [
      run,
      {
        ...run,
        total: 7,
        counts: { ...counts, failed: 2, unknown: 3, invalid: 4 },
        problem: "the service refuses the key"
      }
    ])
  ],
  [
    "report",
    drawn(reportListing, [
      { line: 1, outcome: "succeeded" },
      { line: 2, outcome: "not-tried" },
      {
        line: 3,
        outcome: "unknown",
        reason: "Timeout",
        status: 504,
        requestId: "r1",
        column: 2,
        message: "no response",
        mayHaveBeenAppliedTwice: true
      }
    ])
  ],
  [
    "checks",
    drawn(
      checkListing,
      (["ok", "warning", "failed", "skipped"] as const).map((result) => ({
        check: "key",
        result,
        evidence: "200",
        advice: "none"
      }))
    )
  ],
  [
    "switches",
    drawn(switchListing, [
      { switch: "time.format", value: "seconds", observations: 3, evidence: "createdAt" },
      { switch: "list.ties", value: null, observations: 0, evidence: "unknown" }
    ])
  ],
  // The listing reads no other field of a message.
  ["messages", drawn(messageListing, [message as never, { ...message, _id: undefined, subject: undefined } as never])]
])("the listing of %s returns its fields with their tones", async (name, lines) => {
  await expect(`${lines.join("\n")}\n`).toMatchFileSnapshot(`../../test/golden/listing-${name}.txt`)
})

it("reads only the part of a record that a field names, without its secrets", () => {
  const record = {
    get jobs(): never {
      throw new Error("read")
    },
    subscriber: { channels: [{ credentials: { webhookUrl: "https://a.test/1" }, note: "token=abc1" }] }
  }
  const listing: Listing<typeof record> = { fields: {}, columns: [] }
  const value = (name: string) => fieldOf(listing, name)?.value(record)
  expect(value(".subscriber.channels")).toEqual([
    { credentials: { webhookUrl: "<redacted>" }, note: "token=<redacted>" }
  ])
  expect(value("subscriber.channels.credentials.webhookUrl")).toEqual(["<redacted>"])
  expect(value(".subscriber.nothing")).toBeUndefined()
})
