import type { ActivityJob } from "@signalbox/core/Records"
import { fact } from "../../view/Fact.ts"
import type { Row } from "../../view/Row.ts"
import { counted } from "@signalbox/operator/text/Counted"

const quantity = (amount: number | undefined, unit: string | undefined): string =>
  amount === undefined || unit === undefined ? "" : ` ${amount} ${unit}`

const digestText = ({ digest }: ActivityJob): string => {
  if (digest === undefined) return ""
  const key = digest.digestKey === undefined ? "" : `, by ${digest.digestKey}`
  const events = digest.events === undefined ? "" : `, ${counted(digest.events.length, "event")}`
  return `${digest.type}${quantity(digest.amount, digest.unit)}${key}${events}`
}

const conditionsText = ({ step }: ActivityJob): string =>
  step.filters
    .map(({ children, value }) =>
      children
        .map(({ on, field, operator, value: wanted }) => `${on}.${field} ${operator} ${wanted}`)
        .join(` ${value} `)
    )
    .join("; ")

const asText = (value: unknown): string => (value === undefined ? "" : JSON.stringify(value).slice(0, 400))

/** Details of a job besides its execution details. Absent fields are omitted. */
export const jobFacts = (job: ActivityJob, columns: number): ReadonlyArray<Row> => {
  const facts: ReadonlyArray<readonly [string, string]> = [
    ["type", job.type],
    ["status", job.status],
    ["digest", digestText(job)],
    [
      "extended",
      job.scheduleExtensionsCount === undefined
        ? ""
        : `${counted(job.scheduleExtensionsCount, "time")}, to fit the subscriber's schedule`
    ],
    ["conditions", conditionsText(job)],
    ["overrides", asText(job.overrides)]
  ]
  return facts.flatMap(([label, text]) => (text === "" || text === "{}" ? [] : fact(label, text, columns)))
}
