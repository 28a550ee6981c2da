/**
 * One request: its path through the five points, its outcome and why, and its contents.
 */
import { type ListedEntry, points } from "../journal/JournalEntry.ts"
import { type Act, control } from "./ControlClient.ts"
import { outcomeText, reasonOf } from "./Model.ts"

const timeOf = (at: number): string => new Date(at).toISOString().replace("T", " ")

const Points = ({ entry }: { readonly entry: ListedEntry }) => (
  <ol class="points">
    {points.map((point) => {
      const reached = entry.points.find((one) => one.point === point)
      const faults = entry.faults.filter((fault) => fault.endsWith(` at ${point}`))
      return (
        <li key={point} class={reached === undefined ? "" : "on"}>
          <b>{point}</b> <span>{reached === undefined ? "not reached" : `+${reached.at - entry.at} ms`}</span>
          {faults.map((fault) => (
            <span key={fault} class="fault">
              {fault}
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

const Json = ({ title, value }: { readonly title: string; readonly value: unknown }) =>
  value === undefined ? null : (
    <details open>
      <summary>{title}</summary>
      <pre>{typeof value === "string" ? value : JSON.stringify(value, undefined, 2)}</pre>
    </details>
  )

const sourceOf = async (apiKey: string, number: number): Promise<string> => {
  const body = await control(apiKey, "GET", `test-source?request=${number}`)
  return typeof body === "object" && body !== null && "source" in body ? String(body.source) : ""
}

/** The details of a request. */
export const RequestDetail = ({
  act,
  apiKey,
  entry
}: {
  readonly entry: ListedEntry
  readonly apiKey: string
  readonly act: Act
}) => {
  const reason = reasonOf(entry)
  const copy = () =>
    act(`The test for request ${entry.number} is in the clipboard`, async () =>
      navigator.clipboard.writeText(await sourceOf(apiKey, entry.number))
    )
  return (
    <article>
      <h2>
        #{entry.number} {entry.method} {entry.path}
      </h2>
      <p>
        <b>{outcomeText(entry)}</b> {reason === undefined ? null : <span class="bad">{reason}</span>}
      </p>
      <button type="button" onClick={copy}>
        Copy as test
      </button>
      <Points entry={entry} />
      <Facts
        facts={{
          operation: entry.operation ?? "none",
          arrived: timeOf(entry.at),
          call: `${entry.call}, attempt ${entry.attempt}${entry.retryOf === undefined ? "" : `, retry of #${entry.retryOf}`}`,
          query: entry.query,
          "idempotency key": entry.idempotencyKey,
          effect: entry.applied ? "applied" : entry.replayed ? "response replayed" : "none",
          faults: entry.faults.join(", "),
          leaks: entry.leaks
            .map(({ environment, id, kind }) => `${kind} ${id} of environment ${environment}`)
            .join(", ")
        }}
      />
      <Json title="Request headers" value={entry.headers} />
      <Json title="Request body" value={entry.body} />
      <Json title="Response headers" value={entry.responseHeaders} />
    </article>
  )
}
