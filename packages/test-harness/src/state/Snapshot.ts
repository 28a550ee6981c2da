import * as HashMap from "effect/HashMap"
import * as Schema from "effect/Schema"
import { inputReader, integer } from "../input/Input.ts"
import { type RateLimit, RateLimitSchema } from "./Buckets.ts"
import * as Switches from "../switches/Switches.ts"
import * as Agenda from "../clock/Agenda.ts"
import type { EnvironmentState } from "./EnvironmentState.ts"
import * as EventLog from "./EventLog.ts"
import type { Appointment } from "./Records.ts"

/** The fields of a state that are maps by a key. */
const mapNames = [
  "subscribers",
  "emails",
  "workflows",
  "messages",
  "progress",
  "planned",
  "digests",
  "throttles",
  "keys",
  "routes"
] as const

const map = Schema.Array(Schema.Tuple([Schema.String, Schema.Unknown]))
const records = Schema.Array(Schema.Record(Schema.String, Schema.Unknown))

// Each of the names.
const maps = Object.fromEntries(mapNames.map((name) => [name, map])) as Record<(typeof mapNames)[number], typeof map>

const stateSchema = Schema.Struct({
  ...maps,
  seed: Schema.Finite,
  idSeed: Schema.Finite,
  environmentId: Schema.String,
  organizationId: Schema.String,
  sequence: integer(1),
  integrations: records,
  events: records,
  agenda: records,
  buckets: Schema.Record(Schema.String, Schema.Unknown),
  // Snapshots of earlier versions have none.
  routes: Schema.optionalKey(map)
})

/** The schema of a snapshot: its outline, because only {@link toSnapshot} makes the records in it. @internal */
export const SnapshotSchema = Schema.Struct({
  version: Schema.Literal(1),
  takenAt: Schema.Finite,
  vendor: Schema.String,
  switches: Switches.SwitchesSchema,
  rateLimit: Schema.optionalKey(RateLimitSchema),
  state: stateSchema
})

/**
 * An environment as JSON: its records, keys, jobs that are still due, switches, rate limit and vendor. It contains the
 * credentials that the environment stores. Faults and the journal are not part of it.
 */
export interface EnvironmentSnapshot {
  readonly version: 1
  /** Time of the environment, in milliseconds since 1970. */
  readonly takenAt: number
  readonly vendor: string
  readonly switches: { readonly [name: string]: unknown }
  readonly rateLimit?: RateLimit
  readonly state: { readonly [part: string]: unknown }
}

/** The parts of an environment that a snapshot contains. @internal */
export interface Snapshotted {
  readonly takenAt: number
  readonly vendor: string
  readonly switches: Switches.Switches
  readonly rateLimit: RateLimit | undefined
  readonly state: EnvironmentState
}

const appointments = (agenda: EnvironmentState["agenda"]): ReadonlyArray<Appointment> => {
  const all: Array<Appointment> = []
  for (let rest = agenda; rest !== undefined; rest = Agenda.rest(rest)) all.push(rest.first)
  return all
}

/** Makes a snapshot: a copy that shares nothing with the environment, and consists of JSON values only. @internal */
export const toSnapshot = ({ rateLimit, state, switches, takenAt, vendor }: Snapshotted): EnvironmentSnapshot => {
  const maps = Object.fromEntries(mapNames.map((name) => [name, [...HashMap.toEntries<string, unknown>(state[name])]]))
  const plain = {
    version: 1,
    takenAt,
    vendor,
    switches,
    ...(rateLimit === undefined ? {} : { rateLimit }),
    state: { ...state, ...maps, events: EventLog.all(state.events), agenda: appointments(state.agenda) }
  }
  return JSON.parse(JSON.stringify(plain))
}

/** A state whose events and agenda are lists. */
type WrittenState = Omit<EnvironmentState, "events" | "agenda"> & {
  readonly events: Parameters<typeof EventLog.fromEvents>[0]
  readonly agenda: ReadonlyArray<Appointment>
}

const read = inputReader("snapshot", () => SnapshotSchema)

/**
 * Reads a snapshot.
 *
 * @throws RangeError for any value that {@link toSnapshot} did not make, in one line.
 *
 * @internal
 */
export const fromSnapshot = (value: unknown): Snapshotted => {
  const { rateLimit, state, switches, takenAt, vendor } = read(value)
  const maps = Object.fromEntries(mapNames.map((name) => [name, HashMap.fromIterable(state[name] ?? [])]))
  // The outline is checked; the records in it are those that toSnapshot wrote.
  const written = { ...state, ...maps } as unknown as WrittenState
  return {
    takenAt,
    vendor,
    // Names and values are checked.
    switches: { ...Switches.document, ...(switches as Partial<Switches.Switches>) },
    rateLimit,
    state: {
      ...written,
      events: EventLog.fromEvents(written.events),
      agenda: written.agenda.reduce<EnvironmentState["agenda"]>(Agenda.add, undefined)
    }
  }
}
