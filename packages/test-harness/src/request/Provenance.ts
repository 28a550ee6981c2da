/**
 * Where a behaviour of the fake comes from: the API document, observations of a real service, or neither.
 */
import {
  type AnyOperationName,
  isOperationName,
  isRead,
  type OperationName,
  operationNames,
  operations
} from "@signalbox/core/Operations"
import { observedVersion } from "../switches/SwitchRow.ts"
import { type SwitchName, type Switches, switchNames, switchRow } from "../switches/Switches.ts"

/** `documented`: in the API document. `observed`: a real service did so. `invented`: a plausible value, chosen by the fake. */
export type Provenance = "documented" | "observed" | "invented"

/** The request header that asks for the provenance of a response, and the response header with it. */
export const provenanceHeader = "x-fake-provenance"

/** The provenance of a value of a switch; the document leaves each of them open. */
const switchProvenance = (name: SwitchName, value: string): Provenance => {
  const { observed, observedBefore } = switchRow(name)
  return observed === value || observedBefore?.value === value ? "observed" : "invented"
}

/** Whether the name of a switch starts with the subject or the verb of an operation: `credentials.`, `mark.`, `list.`. */
const isNamedIn = (name: SwitchName, operation: OperationName): boolean => {
  const [topic = ""] = name.split(".")
  const [subject, verb = ""] = operation.split(".")
  return topic === subject || topic === /^[a-z]+/u.exec(verb)?.[0]
}

/** Whether a switch can have a part in a response of an operation. */
const isFor = (name: SwitchName, operation: OperationName): boolean => {
  if (isRead(operation) && name.startsWith("request.")) return false
  return isNamedIn(name, operation) || !operationNames.some((other) => isNamedIn(name, other))
}

/** Switches whose values are no statuses, and the status that they lead to. */
const statusOfSwitch: Partial<Readonly<Record<SwitchName, string>>> = {
  "request.bodyLimit": "413",
  "rateLimit.plan": "429",
  "idempotency.errors": "503"
}

const givesStatus = (name: SwitchName, value: string, status: number): boolean =>
  value === String(status) || statusOfSwitch[name] === String(status)

/** The provenance of a status: by the document, or by the switch that leads to it. */
export const statusProvenance = (
  operation: AnyOperationName | undefined,
  status: number,
  switches: Switches,
  names: Iterable<SwitchName> = switchNames
): Provenance => {
  const known = operation !== undefined && isOperationName(operation) ? operation : undefined
  if (known !== undefined && operations[known].status === status) return "documented"
  const decisive = [...names].filter(
    (name) => (known === undefined || isFor(name, known)) && givesStatus(name, switches[name], status)
  )
  return decisive.some((name) => switchProvenance(name, switches[name]) === "observed") ? "observed" : "invented"
}

/** A table of switches that notes which of them are read. */
export const watched = (switches: Switches, ...read: ReadonlyArray<Set<SwitchName>>): Switches =>
  new Proxy(switches, {
    get: (target, name) => {
      // Only names of switches are read from the table.
      for (const set of read) set.add(name as SwitchName)
      return target[name as SwitchName]
    }
  })

/** The value of the response header: the status, the observed version, and each switch that the request read. */
export const describeProvenance = (
  operation: AnyOperationName | undefined,
  status: number,
  switches: Switches,
  read: ReadonlySet<SwitchName>
): string =>
  [`status=${status};${statusProvenance(operation, status, switches, read)}`]
    .concat(`observed=${observedVersion}`)
    .concat([...read].toSorted().map((name) => `${name}=${switches[name]};${switchProvenance(name, switches[name])}`))
    .join(", ")
