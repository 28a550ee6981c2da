import { largestPage } from "@signalbox/core/Operations"
import { existsSync } from "node:fs"
import { rm, writeFile } from "node:fs/promises"
import { Events } from "@signalbox/core/Events"
import { counted } from "@signalbox/operator/text/Counted"
import { systemReason } from "@signalbox/operator/text/SystemReason"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Option from "effect/Option"
import { chooseConnection, confirmWrite, requireWritable, withDifferences } from "../../../connection/Connection.ts"
import { type Differences, listOf, removeOfVendor } from "../../../connection/Difference.ts"
import { type SavedCalibration, updateProfile } from "../../../connection/Profile.ts"
import { rememberDifferences } from "../../../connection/ReportDifferences.ts"
import { findVendor } from "../../../connection/VendorSearch.ts"
import { UsageError, usage } from "../../../failure/CommandError.ts"
import type { Listing } from "../../../output/Listing.ts"
import { openOutput } from "../../../output/Output.ts"
import type { DoctorInput } from "../Doctor.ts"
import { calibrate } from "./Calibration.ts"
import { openDeployment } from "./Deployment.ts"
import type { Findings } from "./Finding.ts"

/** One switch with its finding. */
interface Row {
  readonly switch: string
  /** `null` where it is unknown. */
  readonly value: string | null
  /** How many responses or records show the value. */
  readonly observations: number
  readonly evidence: string
}

/** How switches are printed. */
export const switchListing: Listing<Row> = {
  fields: {
    switch: { isShort: true },
    value: {
      cell: ({ value }) => value ?? "unknown",
      tone: ({ value }) => (value === null ? "warning" : undefined),
      isShort: true
    },
    observations: { title: "seen", isShort: true },
    evidence: {}
  },
  columns: ["switch", "value", "observations", "evidence"]
}

const defaultFile = "signalbox-preset.json"

const readInput = Effect.fnUntraced(function* ({ output, save, subscriber }: DoctorInput) {
  if (Option.isNone(subscriber)) return yield* usage("--calibrate needs --subscriber with a subscriber for tests")
  const file = Option.getOrElse(output, () => (save ? undefined : defaultFile))
  if (file === undefined) return { subscriberId: subscriber.value, file }
  if (!file.endsWith(".json")) return yield* usage(`--output is "${file}"; expected a file name that ends in .json`)
  if (existsSync(file)) return yield* usage(`--output: ${file} exists; give the name of a new file`)
  return { subscriberId: subscriber.value, file }
})

const rowsOf = (findings: Findings): ReadonlyArray<Row> =>
  Object.entries(findings)
    .map(([name, finding]) =>
      finding._tag === "Settled"
        ? { switch: name, value: finding.value, observations: finding.observations, evidence: finding.evidence }
        : { switch: name, value: null, observations: 0, evidence: finding.reason }
    )
    .sort((one, other) => (one.switch < other.switch ? -1 : 1))

/** The switches that have a value, for the profile of the connection. */
const calibratedSwitches = (rows: ReadonlyArray<Row>): SavedCalibration["switches"] =>
  Object.fromEntries(
    rows.flatMap(({ evidence, observations, switch: name, value }) =>
      value === null ? [] : [[name, { value, observations, evidence }] as const]
    )
  )

/** A preset file of the fake. A switch without a value keeps that of the document. */
const presetFile = (rows: ReadonlyArray<Row>): string => {
  const known = rows.filter(({ value }) => value !== null)
  const preset = {
    version: 1,
    extends: "document",
    switches: Object.fromEntries(known.map((row) => [row.switch, row.value])),
    evidence: Object.fromEntries(
      rows.map((row) => [row.switch, row.value === null ? `unknown: ${row.evidence}` : row.evidence])
    )
  }
  return `${JSON.stringify(preset, null, 2)}\n`
}

const writing = (file: string, write: () => Promise<void>): Effect.Effect<void, UsageError> =>
  Effect.tryPromise({
    try: write,
    catch: (error) => new UsageError({ message: `--output: cannot write ${file}: ${systemReason(error)}` })
  })

/** Reserves the output file before sending, so that no findings are lost; removes it where they fail. */
const reserveFile = (file: string) =>
  Effect.acquireRelease(
    writing(file, () => writeFile(file, "", { flag: "wx" })),
    (_, exit) => (Exit.isSuccess(exit) ? Effect.void : Effect.promise(() => rm(file, { force: true })))
  )

/** Finds out how a deployment behaves and writes it to a preset file of the fake. */
export const calibrateConnection = Effect.fnUntraced(function* (input: DoctorInput) {
  const { file, subscriberId } = yield* readInput(input)
  const output = yield* openOutput(switchListing, input)
  const connection = yield* chooseConnection(input)
  yield* requireWritable(connection)
  const messages = input.messages.length === 0 ? "" : ` and mark ${counted(input.messages.length, "message")}`
  yield* confirmWrite(connection, `change the credentials of ${subscriberId}${messages}`, input.yes)
  if (input.save && connection.kind === "demo") return yield* usage("--save: the demo has no profile")
  const settings = yield* connection.settings
  const chosen = { ...connection, settings: Effect.succeed(settings) }
  const differences: Differences = new Map()
  // The client explains a wrong address or key better than the requests of the calibration.
  const { data } = yield* Events.use((events) => events.list({ limit: largestPage })).pipe(
    withDifferences(chosen, differences)
  )
  if (file !== undefined) yield* reserveFile(file)
  yield* output.note("Calibrating with about 200 requests")
  const changes: Array<string> = []
  const now = yield* Clock.currentTimeMillis
  const { findings, repeated } = yield* calibrate(
    openDeployment(settings, Effect.sleep),
    { subscriberId, messageIds: input.messages, now, keyPrefix: `signalbox-calibration-${now.toString(36)}` },
    changes
  ).pipe(
    Effect.onExit(() =>
      output.note(`Different now: ${[...changes, `the version and the update time of ${subscriberId}`].join("; ")}`)
    )
  )
  for (const advice of repeated) yield* output.note(`${subscriberId} has ${advice}`)
  const rows = rowsOf(findings)
  // Findings are printed even where the file cannot be written.
  yield* output.rows(rows)
  const found = rows.filter(({ value }) => value !== null).length
  const known = `${found} of ${rows.length} switches, ${rows.length - found} unknown`
  if (file !== undefined) {
    yield* writing(file, () => writeFile(file, presetFile(rows), { flush: true }))
    yield* output.note(`Wrote ${file}: ${known}`)
  }
  if (input.save) {
    const vendor = connection.vendor ?? findVendor(data)?.vendor
    if (vendor !== undefined) removeOfVendor(differences, vendor)
    yield* rememberDifferences(connection, listOf(differences))
    yield* updateProfile(connection, (profile) => ({
      ...profile,
      ...(vendor === undefined ? {} : { vendor }),
      calibration: { at: new Date(now).toISOString(), switches: calibratedSwitches(rows) }
    }))
    yield* output.note(
      `Saved in the profile of "${connection.name}": ${known}; serve it with signalbox fake --like ${connection.name}`
    )
  }
}, Effect.scoped)
