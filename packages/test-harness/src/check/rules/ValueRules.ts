import { positions } from "@signalbox/core/Operations"
import { responseFromWire } from "@signalbox/core/Vendor"
import { receivedFrom } from "../../journal/OpenEntry.ts"
import { succeeded } from "../../verdicts/Conclusion.ts"
import { differencesIn } from "../../verdicts/Difference.ts"
import type { CallResult, ReportedRecord } from "../CallResult.ts"
import type { CheckRun, MadeCall } from "../CheckRun.ts"
import { ofCalls, rulesOf } from "./Rule.ts"

const fieldOf = (value: unknown, name: string): unknown => Reflect.get(Object(value), name)

/** The records in a body, which may have `data` around them; `undefined` where the journal has no JSON. */
const recordsIn = (body: unknown): ReadonlyArray<unknown> | undefined => {
  if (Array.isArray(body)) return body
  const data = fieldOf(body, "data")
  if (data !== undefined) return recordsIn(data)
  return fieldOf(body, "_id") === undefined ? undefined : [body]
}

/** The records of the last complete response to a call that the client reports as ok. */
const readWire = ({ vendor }: CheckRun, { call, requests, result }: MadeCall): ReadonlyArray<unknown> | undefined => {
  const last = requests.findLast(succeeded)
  if (result?.outcome !== "ok" || call.operation === "declared" || last === undefined) return undefined
  const records = recordsIn(receivedFrom(last))
  if (records === undefined) return undefined
  const payload = { "credentials.upsert": records[0], "messages.markAs": records, "events.list": { data: records } }
  return recordsIn(responseFromWire(positions[call.operation], vendor, payload[call.operation]))
}

/** Read once for all rules: a response can be long. */
const known = new WeakMap<MadeCall, ReadonlyArray<unknown> | undefined>()

const wireOf = (run: CheckRun, made: MadeCall): ReadonlyArray<unknown> | undefined => {
  if (!known.has(made)) known.set(made, readWire(run, made))
  return known.get(made)
}

const idOf = (record: unknown): unknown => fieldOf(record, "_id")

/** The difference of a record that a call returned from the one on the wire; other fields may be the client's own. */
const wrongRecord = (record: ReportedRecord, index: number, wire: ReadonlyArray<unknown>): string | undefined => {
  const id = idOf(record)
  const sent = id === undefined ? wire[index] : wire.find((one) => idOf(one) === id)
  if (sent === undefined) return undefined
  const [difference] = differencesIn(`record ${index + 1}`, sent, JSON.parse(JSON.stringify(record)), "both")
  return difference === undefined ? undefined : `returned another value than the response has: ${difference}`
}

/** Whether a list that the client reports as ok is a complete response that is not JSON. */
const isText = ({ call, requests, result }: MadeCall): boolean => {
  const last = requests.findLast(succeeded)
  return (
    call.operation === "events.list" && result?.outcome === "ok" && typeof (last && receivedFrom(last)) === "string"
  )
}

const idsOf = ({ ids, records }: CallResult): ReadonlyArray<unknown> | undefined => ids ?? records?.map(idOf)

/** Whether some ids are in the order of the response. */
const isInOrder = (ids: ReadonlyArray<unknown>, sent: ReadonlyArray<unknown>): boolean => {
  const places = ids.map((id) => sent.indexOf(id))
  return places.every((place, index) => index === 0 || place > (places[index - 1] ?? -1))
}

export const valueRules = rulesOf({
  "silent-loss": {
    summary: "A call that the client reports as ok returns every record of the response",
    check: ofCalls((made, run) => {
      const ids = made.result === undefined ? undefined : idsOf(made.result)
      const wire = wireOf(run, made)
      if (ids === undefined) return undefined
      if (wire === undefined) return isText(made) ? "the response is not JSON, so its records are unknown" : undefined
      const named: ReadonlyArray<unknown> = ids.filter((id) => id !== undefined)
      // A record without an id may be any of those that no id names.
      const missing = wire.filter((record) => !named.includes(idOf(record))).length - (ids.length - named.length)
      return missing <= 0 ? undefined : `${missing} of ${wire.length} records are missing`
    })
  },
  "wrong-record": {
    summary: "Each value that a call returns is the one on the wire, once and in its place",
    check: ofCalls((made, run) => {
      const wire = wireOf(run, made)
      if (wire === undefined || made.result === undefined) return undefined
      const ids = (idsOf(made.result) ?? []).filter((id) => id !== undefined)
      const sent = wire.map(idOf)
      const unknown = ids.find((id) => !sent.includes(id))
      if (unknown !== undefined) return `returned a record that the response does not have: ${String(unknown)}`
      if (new Set(ids).size < ids.length) return "returned a record twice"
      if (!isInOrder(ids, sent)) return "returned records in another order than the response"
      const { records = [] } = made.result
      return records.map((record, index) => wrongRecord(record, index, wire)).find((wrong) => wrong !== undefined)
    })
  }
})
