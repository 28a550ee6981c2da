/**
 * Rules about what a call returns.
 */
import { type AnyCall, flagOf } from "../CheckedCall.ts"
import type { ReportedRecord } from "../CallResult.ts"
import { type CheckRun, requestsOf } from "../CheckRun.ts"
import { type Breach, breachOf, ofCalls, type Rules } from "./Rule.ts"

const idsOf = (records: ReadonlyArray<ReportedRecord> | undefined): ReadonlyArray<string> | undefined =>
  records?.map(({ _id }) => String(_id))

const differs = (found: unknown, stored: unknown): boolean => found !== undefined && found !== stored

/** The issue of a record that a call returned; only identifying fields are compared. */
const wrongRecord = (run: CheckRun, call: AnyCall, record: ReportedRecord): string | undefined => {
  switch (call.operation) {
    case "declared":
      return undefined
    case "credentials.upsert":
      return differs(record.subscriberId, call.subscriberId) ? "returned another subscriber" : undefined
    case "messages.markAs": {
      const [flag, value] = flagOf(call)
      if (record._id !== undefined && !call.messageId.includes(record._id)) return "returned a message it did not mark"
      return differs(record[flag], value) ? `returned a message that is not ${call.markAs}` : undefined
    }
    case "events.list": {
      const stored = run.records.events.find(({ id }) => id === record._id)
      if (stored === undefined) return "returned an event that the service does not have"
      return differs(record.transactionId, stored.transactionId)
        ? "returned an event with another transactionId"
        : undefined
    }
  }
}

/** Rules about values. */
export const valueRules = {
  "silent-loss": {
    summary: "A listing that the client reports as ok returns every record of the page",
    check: async (run) => {
      const breaches: Array<Breach> = []
      for (const [index, made] of run.calls.entries()) {
        const { call, result } = made
        const ids = result?.ids ?? idsOf(result?.records)
        if (result?.outcome !== "ok" || ids === undefined || call.operation !== "events.list") continue
        const expected = await run.listed(call)
        const missing = [...expected].filter((id) => !ids.includes(id))
        if (missing.length === 0) continue
        breaches.push(breachOf(made, index, `${missing.length} of ${expected.size} records are missing`))
      }
      return breaches
    }
  },
  "wrong-record": {
    summary: "A record that a call returns is the one that the service has",
    check: ofCalls(({ call, result }, run) => {
      if (result?.outcome !== "ok") return undefined
      return result.records?.map((record) => wrongRecord(run, call, record)).find((wrong) => wrong !== undefined)
    })
  },
  "hidden-drift": {
    summary: "A client that counts differences from the API document reports at least one if there is one",
    check: ofCalls((made, run) => {
      const { drift, outcome } = made.result ?? {}
      const drifted = requestsOf(run, made)
        .at(-1)
        ?.faults.some((fault) => fault.startsWith("unknown-enum-value"))
      return outcome === "ok" && drift === 0 && drifted === true
        ? "the response had an unknown enum value, and the client reported no difference"
        : undefined
    })
  }
} as const satisfies Rules
