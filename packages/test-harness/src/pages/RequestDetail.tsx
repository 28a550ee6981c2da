/**
 * One request: its outcome and why, its path through the five points, what was sent, returned and stored.
 */
import { useEffect, useState } from "preact/hooks"
import type { ComparedField } from "../control/StoredRecords.ts"
import type { SourceLanguage } from "../control/TestSource.ts"
import { type JournalEntry, type ListedEntry, outcomeText, points } from "../journal/JournalEntry.ts"
import { verdictOn } from "../verdicts/Verdict.ts"
import { type Act, control } from "./ControlClient.ts"
import { durationText, reasonOf, verdictText } from "./Model.ts"
import { kindOf } from "./RequestList.tsx"

const timeOf = (at: number): string => new Date(at).toISOString().replace("T", " ")

const Points = ({ entry }: { readonly entry: ListedEntry }) => (
  <ol class="points">
    {points.map((point) => {
      const reached = entry.points.find((one) => one.point === point)
      const faults = entry.faults.filter((fault) => fault.endsWith(` at ${point}`))
      return (
        <li key={point} class={reached === undefined ? "" : "on"}>
          <b>{point}</b> <span>{reached === undefined ? "not reached" : `+${reached.at - entry.at} ms`}</span>
          {point === "committed" && entry.applied ? <span class="good">applied</span> : null}
          {faults.map((fault) => (
            <span key={fault} class="fault">
              ⚡ {fault}
            </span>
          ))}
        </li>
      )
    })}
  </ol>
)

const Facts = ({ facts }: { readonly facts: Readonly<Record<string, string | number | undefined>> }) => (
  <dl>
    {Object.entries(facts).map(([name, value]) =>
      value === undefined || value === "" ? null : (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      )
    )}
  </dl>
)

/** A value behind its title; nothing without a value. */
export const Json = ({
  isOpen = false,
  title,
  value
}: {
  readonly title: string
  readonly value: unknown
  readonly isOpen?: boolean
}) =>
  value === undefined ? null : (
    <details open={isOpen}>
      <summary>{title}</summary>
      <pre>{typeof value === "string" ? value : JSON.stringify(value, undefined, 2)}</pre>
    </details>
  )

/** The fields of a write, as sent and as stored now. */
export const Stored = ({ fields }: { readonly fields: ReadonlyArray<ComparedField> }) =>
  fields.length === 0 ? null : (
    <details open>
      <summary>Sent, and stored now</summary>
      <table class="stored">
        <thead>
          <tr>
            <th scope="col">Field</th>
            <th scope="col">Sent</th>
            <th scope="col">Stored now</th>
          </tr>
        </thead>
        <tbody>
          {fields.map(({ field, isEqual, sent, stored }) => (
            <tr key={field}>
              <th scope="row">{field}</th>
              <td>{sent}</td>
              <td class={isEqual ? "good" : "fault"}>{isEqual ? `= ${stored}` : `≠ ${stored}`}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </details>
  )

const sourceOf = async (apiKey: string, number: number, language: SourceLanguage): Promise<string> => {
  const body = await control(apiKey, "GET", `test-source?request=${number}&language=${language}`)
  return typeof body === "object" && body !== null && "source" in body ? String(body.source) : ""
}

const copies: ReadonlyArray<readonly [label: string, language: SourceLanguage]> = [
  ["curl", "curl"],
  ["pytest", "python"],
  ["TypeScript", "typescript"]
]

/** The parts of a request that the live view does not have: read when it is shown, and again when it changes. */
const useExchange = (apiKey: string, { applied, number, outcome }: ListedEntry, act: Act) => {
  const [body, setBody] = useState<unknown>()
  const [fields, setFields] = useState<ReadonlyArray<ComparedField>>([])
  useEffect(() => {
    setBody(undefined)
    setFields([])
    act("", async () => {
      // The control API returns entries of the journal and compared fields.
      const { entries } = (await control(apiKey, "GET", `journal?after=${number - 1}&limit=1`)) as {
        readonly entries: ReadonlyArray<JournalEntry>
      }
      setBody(entries[0]?.responseBody)
      setFields((await control(apiKey, "GET", `stored?request=${number}`)) as ReadonlyArray<ComparedField>)
    })
  }, [act, apiKey, number, outcome._tag, applied])
  return { body, fields }
}

export const RequestDetail = ({
  act,
  apiKey,
  attempts,
  entry,
  onSelect
}: {
  readonly entry: ListedEntry
  /** All requests of its call. */
  readonly attempts: ReadonlyArray<ListedEntry>
  readonly apiKey: string
  readonly act: Act
  readonly onSelect: (number: number | undefined) => void
}) => {
  const { body, fields } = useExchange(apiKey, entry, act)
  const reason = reasonOf(entry)
  const verdict = verdictOn(attempts)
  const copy = (label: string, language: SourceLanguage) =>
    act(`The ${label} for request ${entry.number} is in the clipboard`, async () =>
      navigator.clipboard.writeText(await sourceOf(apiKey, entry.number, language))
    )
  return (
    <article>
      <button type="button" class="back" onClick={() => onSelect(undefined)}>
        ← All requests
      </button>
      <h2>
        #{entry.number} {entry.method} {entry.path}
        {entry.query === "" ? "" : `?${entry.query}`}
      </h2>
      <p class="bar">
        <b class={kindOf(entry)}>{outcomeText(entry)}</b> <span>in {durationText(entry)}</span>
        {entry.faultEffect === undefined ? null : <span class="fault">⚡ {entry.faultEffect}</span>}
      </p>
      {reason === undefined ? null : <p class="bad">{reason}</p>}
      {verdict === undefined ? null : (
        <p>
          Call {verdict.call}: {verdictText(verdict)}
          {verdict.contradiction === undefined ? null : <b class="bad"> — {verdict.contradiction}</b>}
        </p>
      )}
      {attempts.length < 2 ? null : (
        <p class="bar">
          {attempts.map((one) => (
            <button
              key={one.number}
              type="button"
              aria-current={one.number === entry.number}
              onClick={() => onSelect(one.number)}
            >
              attempt {one.attempt} <span class={kindOf(one)}>{outcomeText(one)}</span>
            </button>
          ))}
        </p>
      )}
      <Points entry={entry} />
      <p class="bar">
        <span>Copy as</span>
        {copies.map(([label, language]) => (
          <button key={language} type="button" onClick={() => copy(label, language)}>
            {label}
          </button>
        ))}
      </p>
      <Stored fields={fields} />
      <Json title="Request body" value={entry.body} isOpen />
      <Json title="Response body" value={body} isOpen />
      <Facts
        facts={{
          operation: entry.operation ?? "none",
          arrived: timeOf(entry.at),
          "retry of": entry.retryOf === undefined ? "" : `#${entry.retryOf}`,
          "idempotency key": entry.idempotencyKey,
          effect: entry.applied ? "applied" : entry.replayed ? "response replayed" : "none",
          faults: entry.faults.join(", "),
          leaks: entry.leaks
            .map(({ environment, id, kind }) => `${kind} ${id} of environment ${environment}`)
            .join(", ")
        }}
      />
      <Json title="Request headers" value={entry.headers} />
      <Json title="Response headers" value={entry.responseHeaders} />
    </article>
  )
}
