import {
  type OperationName,
  operationNames,
  operations as facts,
  type ParameterFields
} from "@signalbox/core/Operations"
import type { Environment } from "../environment/Environment.ts"
import type { JournalEntry } from "../journal/JournalEntry.ts"
import { isJsonObject } from "@signalbox/core/internal/reading/JsonObject"
import { type SwitchName, switchNames } from "../switches/Switches.ts"
import { wrapped } from "../verdicts/Wrap.ts"
import { type Provenance, statusProvenance } from "../request/Provenance.ts"

/** How many requests had something. */
interface Counted {
  readonly requests: number
}

/** The coverage of a suite. Entries with 0 requests were never exercised. */
export interface Coverage {
  /** Every operation. */
  readonly operations: ReadonlyArray<Counted & { readonly operation: OperationName }>
  /** Every parameter and body field, such as `credentials.deviceTokens`. */
  readonly parameters: ReadonlyArray<Counted & { readonly operation: OperationName; readonly parameter: string }>
  /** Every status that a client got; `fault` for those that a fault made. */
  readonly statuses: ReadonlyArray<
    Counted & { readonly operation: OperationName; readonly status: number; readonly provenance: Provenance | "fault" }
  >
  /** Whether each switch had a part in a response. */
  readonly switches: ReadonlyArray<{ readonly switch: SwitchName; readonly isExercised: boolean }>
  /** Every fault that happened. */
  readonly faults: ReadonlyArray<Counted & { readonly fault: string }>
  /** The report as text. */
  readonly text: string
}

/** Names of parameters; fields of an object follow its name. */
const namesOf = (fields: ParameterFields, prefix = ""): ReadonlyArray<string> =>
  Object.entries(fields).flatMap(([name, parameter]) =>
    parameter.kind === "object" ? namesOf(parameter.fields, `${prefix}${name}.`) : [prefix + name]
  )

const parametersOf = (operation: OperationName): ReadonlyArray<string> => {
  const { body, query } = facts[operation].parameters
  return [...namesOf(query), ...namesOf(body)]
}

const has = (body: unknown, [first = "", ...rest]: ReadonlyArray<string>): boolean => {
  if (!isJsonObject(body) || !Object.hasOwn(body, first)) return false
  return rest.length === 0 || has(body[first], rest)
}

const uses = ({ body, query }: JournalEntry, parameter: string): boolean =>
  [...new URLSearchParams(query).keys()].some((name) => name.split("[")[0] === parameter) ||
  has(body, parameter.split("."))

/** How often each value occurs, in the order of their first occurrence. */
const counted = <Value>(values: Iterable<Value>): ReadonlyArray<readonly [value: Value, requests: number]> => {
  const counts = new Map<Value, number>()
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1)
  return [...counts]
}

interface Received {
  readonly entry: JournalEntry
  readonly environment: CoveredEnvironment
}

type CoveredEnvironment = Pick<Environment, "journal" | "switches" | "exercisedSwitches">

const provenanceIn = ({ entry, environment }: Received, status: number): Provenance | "fault" => {
  const provenance = statusProvenance(entry.operation, status, environment.switches)
  return entry.faults.length > 0 && provenance !== "documented" ? "fault" : provenance
}

const statusesOf = (received: ReadonlyArray<Received>, operation: OperationName): Coverage["statuses"] => {
  const seen = received.flatMap((one) => {
    const { outcome } = one.entry
    if (one.entry.operation !== operation || outcome._tag !== "Response") return []
    return [`${outcome.status} ${provenanceIn(one, outcome.status)}`]
  })
  return counted(seen).map(([text, requests]) => {
    const [status, provenance] = text.split(" ")
    // Both were joined above.
    return { operation, status: Number(status), provenance: provenance as Provenance | "fault", requests }
  })
}

const line = (name: string, text: string): ReadonlyArray<string> =>
  wrapped(text, 86).map((part, index) => `${index === 0 ? name.padEnd(12) : "".padEnd(12)}${part.trimStart()}`)

const share = (exercised: number, all: number, never: ReadonlyArray<string>): string =>
  never.length === 0 ? `${exercised} of ${all}` : `${exercised} of ${all}; never ${never.join(", ")}`

/** The parameters of an operation; one that was never requested has none worth listing. */
const parameterLine = ({ operation, requests }: Coverage["operations"][number], all: Coverage["parameters"]) => {
  const own = all.filter((parameter) => parameter.operation === operation)
  const never = own.filter((parameter) => parameter.requests === 0).map(({ parameter }) => parameter)
  return requests === 0
    ? []
    : line("parameters", `${operation}: ${share(own.length - never.length, own.length, never)}`)
}

const textOf = ({ faults, operations, parameters: all, statuses, switches }: Omit<Coverage, "text">): string => {
  const unused = operations.filter(({ requests }) => requests === 0).map(({ operation }) => operation)
  const responses = statuses.map(({ operation, provenance, status }) => `${operation} ${status} (${provenance})`)
  const happened = faults.map(({ fault, requests }) => `${fault} (${requests})`)
  return [
    ...line("operations", share(operations.length - unused.length, operations.length, unused)),
    ...operations.flatMap((operation) => parameterLine(operation, all)),
    ...line("responses", responses.length === 0 ? "none" : responses.join(", ")),
    ...line("switches", `${switches.filter(({ isExercised }) => isExercised).length} of ${switches.length}`),
    ...line("faults", happened.length === 0 ? "none" : happened.join(", "))
  ].join("\n")
}

/**
 * The coverage of the requests to some environments: operations, parameters, statuses, switches and faults. A status is
 * `documented`, `observed` in a real service, `invented` by the fake, or made by a fault.
 *
 * **When to use**: after a suite, to find what it never tries, and which assertions rest on invented errors.
 *
 * **Details**: a switch counts as exercised when a request reads it; only the first 1,000 requests of an environment are
 * watched.
 *
 * @example
 * ```ts
 * import { coverage, createFake } from "@signalbox/test-harness"
 *
 * const fake = createFake()
 * await fake.fetch(`${fake.baseUrl}/v1/notifications?limit=1`, { headers: { authorization: `ApiKey ${fake.apiKey}` } })
 * const { statuses } = coverage(fake.environments())
 * statuses // => [{ operation: "events.list", status: 200, provenance: "documented", requests: 1 }]
 * ```
 */
export const coverage = (environments: Iterable<CoveredEnvironment>): Coverage => {
  const all = [...environments]
  const received = all.flatMap((environment) => environment.journal.entries().map((entry) => ({ entry, environment })))
  const entries = received.map(({ entry }) => entry)
  const exercised = new Set(all.flatMap((environment) => environment.exercisedSwitches()))
  const found = {
    operations: operationNames.map((operation) => ({
      operation,
      requests: entries.filter((entry) => entry.operation === operation).length
    })),
    parameters: operationNames.flatMap((operation) => {
      const own = entries.filter((entry) => entry.operation === operation)
      return parametersOf(operation).map((parameter) => ({
        operation,
        parameter,
        requests: own.filter((entry) => uses(entry, parameter)).length
      }))
    }),
    statuses: operationNames.flatMap((operation) => statusesOf(received, operation)),
    switches: switchNames.map((name) => ({ switch: name, isExercised: exercised.has(name) })),
    faults: counted(entries.flatMap(({ faults }) => faults)).map(([fault, requests]) => ({ fault, requests }))
  }
  return { ...found, text: textOf(found) }
}
