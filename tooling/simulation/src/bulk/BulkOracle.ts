/**
 * Checks bulk runs against every rule: one outcome for each line, which claims what the service did.
 */
import type { JournalEntry } from "@signalbox/test-harness"
import { type Finding, scenarioFinding, unless } from "../Finding.ts"
import { leakedSecrets, tooConcurrent } from "../RecordingOracle.ts"
import { wrongLeftovers } from "../FakeTime.ts"
import { type BulkObservation, contentOf } from "./BulkRun.ts"

const requestsOf = ({ journal, linesOfKey }: BulkObservation, line: number): ReadonlyArray<JournalEntry> =>
  journal.filter(({ idempotencyKey = "" }) => linesOfKey.get(idempotencyKey)?.includes(line))

/** How often each environment applied a line. */
const appliedTo = (observation: BulkObservation, line: number): ReadonlyArray<number> =>
  observation.journals.map(
    (journal) => requestsOf({ ...observation, journal }, line).filter(({ applied }) => applied).length
  )

type Line = NonNullable<BulkObservation["report"]>[number]

/** The events that end the processes of the engine of a scenario. */
const endsOf = ({ engine, kills, troubles }: BulkObservation["scenario"]) => (engine === "workers" ? troubles : kills)

/** A line has the last outcome of its line in the service, as far as its caller can know it. */
const wrongClaim = (observation: BulkObservation, { line, outcome }: Line): string | undefined => {
  const applied = Math.max(...appliedTo(observation, line))
  switch (outcome) {
    case "succeeded":
      return applied > 0 ? undefined : "is reported as succeeded but was not applied"
    case "failed":
      return applied === 0 ? undefined : "is reported as failed but was applied"
    case "invalid":
      return requestsOf(observation, line).length === 0 ? undefined : "is reported as invalid but was sent"
    case "not-tried":
      return "has no outcome although the run is finished"
    case "unknown":
      return endsOf(observation.scenario).length === 0 && requestsOf(observation, line).length === 0
        ? "is reported as unknown although nothing was sent"
        : undefined
  }
}

const wrongCount = (observation: BulkObservation, { line, mayHaveBeenAppliedTwice }: Line): string | undefined => {
  const { atLeastOnce, honoursKeys, work } = observation.scenario
  const applied = Math.max(...appliedTo(observation, line))
  // Marks and webhooks can be applied again without harm.
  if (work !== "tokens" || applied <= 1) return undefined
  if (honoursKeys) return `was applied ${applied} times although the service honours keys`
  if (!atLeastOnce) return `appended its device token ${applied} times`
  return mayHaveBeenAppliedTwice === true ? undefined : `was applied ${applied} times, which its outcome does not say`
}

/** Lines that an unknown key may have sent wait for that key, or for the end of their run. */
const needsUnknownKey = ({ apiKeys, lives }: BulkObservation): boolean => {
  const end = lives.findLast(({ end: known }) => typeof known !== "string")?.end
  return (
    lives.some(({ apiKey }) => !apiKeys.includes(apiKey)) &&
    typeof end === "object" &&
    end.message.includes("another API key")
  )
}

const wrongLines = (observation: BulkObservation): ReadonlyArray<string> => {
  const { lives, report, scenario } = observation
  if (report === undefined) {
    if (needsUnknownKey(observation)) return []
    const { end } = lives.at(-1) ?? { end: "killed" }
    return [`never finished: ${typeof end === "string" ? end : end.message}`]
  }
  const lines = report.map(({ line }) => line)
  const expected = Array.from({ length: scenario.lines }, (_, at) => at + 1)
  return [
    ...unless(lines.join() === expected.join(), `reported the lines [${lines.join()}] of ${scenario.lines}`),
    ...report.flatMap((line) =>
      [wrongClaim(observation, line), wrongCount(observation, line)].flatMap((message) =>
        message === undefined ? [] : [`line ${line.line} ${message}`]
      )
    )
  ]
}

const wrongStatus = ({ report, status }: BulkObservation): ReadonlyArray<string> => {
  if (status === undefined || report === undefined) return []
  const { succeeded, failed, unknown, invalid } = status.counts
  const count = (name: Line["outcome"]) => report.filter(({ outcome }) => outcome === name).length
  const reported = [count("succeeded"), count("failed"), count("unknown"), count("invalid")]
  const twice = report.filter(({ mayHaveBeenAppliedTwice }) => mayHaveBeenAppliedTwice).length
  return [
    ...unless(
      reported.join() === [succeeded, failed, unknown, invalid].join(),
      `counts ${JSON.stringify(status.counts)}, its report has ${reported.join()}`
    ),
    ...unless(status.inDoubt === 0, `finished with ${status.inDoubt} lines in doubt`),
    ...unless(status.maybeTwice === twice, `counts ${status.maybeTwice} lines applied twice, its report has ${twice}`)
  ]
}

/** Requests of one work may share a key only when it is the same line, and of one line only for the same work. */
const sharedKeys = ({ journal }: BulkObservation): ReadonlyArray<string> => {
  const owners = new Map<string, string>()
  return journal.flatMap(({ idempotencyKey, method, path }) => {
    // A run that continues reads to verify its environment.
    if (method === "GET") return []
    if (idempotencyKey === undefined) return ["sent a write without a key"]
    const owner = owners.get(idempotencyKey) ?? path
    owners.set(idempotencyKey, owner)
    return unless(owner === path, "used one key for two lines")
  })
}

/** A run changes one environment; a process with the key of another one learns that from the response to its first request. */
const wrongEnvironments = (observation: BulkObservation): ReadonlyArray<string> => {
  const { apiKeys, journals, lives, report = [], scenario } = observation
  // A response that lacks the environment does not show where its line was applied.
  const isNamed = (line: number) =>
    requestsOf(observation, line).some(
      ({ faults, responseBody }) => faults.length === 0 && JSON.stringify(responseBody)?.includes('"_environmentId"')
    )
  const succeeded = report.flatMap(({ line, outcome }) =>
    outcome === "succeeded" && isNamed(line) ? [appliedTo(observation, line)] : []
  )
  const isOwn = apiKeys.map((_, at) => succeeded.every((applied) => (applied[at] ?? 0) > 0))
  if (!isOwn.includes(true)) return ["sent its lines to two environments"]
  // Without a success, the run may belong to either environment; a lost response names none.
  if (isOwn.every(Boolean) || scenario.faults.length > 0) return []
  return apiKeys.flatMap((apiKey, at) => {
    const applied = journals[at]?.filter((entry) => entry.applied).length ?? 0
    const processes = lives.filter((life) => life.apiKey === apiKey).length
    return isOwn[at] === true || applied <= processes
      ? []
      : [`applied ${applied} requests in another environment, by ${processes} processes`]
  })
}

const leaks = ({ apiKeys, files, lives, report = [], scenario }: BulkObservation): ReadonlyArray<string> => {
  const lines = scenario.work === "marks" ? [] : Array.from({ length: scenario.lines }, (_, at) => at + 1)
  const ends = lives.map(({ end }) => (typeof end === "string" ? "" : `${end.message} ${JSON.stringify(end)}`))
  const shown = [...files.values(), JSON.stringify(report), ...ends].join("\n")
  return leakedSecrets(shown, [...apiKeys, ...lines.map((line) => contentOf(scenario, line))])
}

const leftBehind = ({ files, leftovers, lives, scenario: { engine } }: BulkObservation): ReadonlyArray<string> => {
  const others = [...files.keys()].filter((path) => !path.endsWith(".journal") && !path.endsWith(".run.json"))
  const isKilled = lives.some(({ end }) => end === "killed")
  return [
    // The fibers of a worker that was killed wait for its storage, and lines behind them for their turn, with a timer.
    ...wrongLeftovers(engine === "workers" && isKilled ? { ...leftovers, timers: 0 } : leftovers),
    ...(others.length > 0 && !isKilled ? [`left ${others.join()}`] : [])
  ]
}

/** Every rule that a bulk run broke. */
export const checkBulk = (observation: BulkObservation): ReadonlyArray<Finding> =>
  [
    ...wrongLines(observation),
    ...wrongStatus(observation),
    ...sharedKeys(observation),
    // Each worker has its own limit, which no scenario reaches.
    ...(observation.scenario.engine === "workers"
      ? []
      : tooConcurrent(observation.journal, observation.scenario.concurrency)),
    ...wrongEnvironments(observation),
    ...observation.lives.flatMap(({ end }) =>
      unless(typeof end === "string" || !end.message.includes("\n"), "fails in many lines")
    ),
    ...leaks(observation),
    ...leftBehind(observation)
  ].map(scenarioFinding)
