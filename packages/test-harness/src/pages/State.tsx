import { redact } from "@signalbox/core/Redaction"
import { useEffect, useState } from "preact/hooks"
import type { EnvironmentRecords } from "../state/EnvironmentRecords.ts"
import { type Act, control } from "./ControlClient.ts"

const kinds = ["subscribers", "messages", "events", "workflows", "integrations", "keysInFlight"] as const

/** How many records of a kind are shown. */
const shown = 100

const titleOf = (record: unknown): string => {
  if (typeof record !== "object" || record === null) return String(record)
  const fields: Readonly<Record<string, unknown>> = { ...record }
  return ["subscriberId", "identifier", "id"]
    .flatMap((name) => (typeof fields[name] === "string" ? [fields[name]] : []))
    .join(" · ")
}

const Kind = ({ kind, records }: { readonly kind: string; readonly records: ReadonlyArray<unknown> }) => (
  <details>
    <summary>
      {kind} ({records.length})
    </summary>
    <ol class="plain">
      {records.slice(-shown).map((record) => (
        <li key={titleOf(record)}>
          <details>
            <summary>{titleOf(record)}</summary>
            <pre>{JSON.stringify(record, undefined, 2)}</pre>
          </details>
        </li>
      ))}
    </ol>
    {records.length > shown ? <p class="hint">The last {shown} of them.</p> : null}
  </details>
)

/** The records by kind; device tokens and webhook URLs only on request. */
export const Records = ({ records: stored }: { readonly records: EnvironmentRecords }) => {
  const [showsSecrets, setShowsSecrets] = useState(false)
  const records = showsSecrets
    ? stored
    : // The structure stays.
      (redact(stored) as EnvironmentRecords)
  return (
    <>
      <label>
        <input
          type="checkbox"
          checked={showsSecrets}
          onChange={({ currentTarget }) => setShowsSecrets(currentTarget.checked)}
        />{" "}
        show device tokens and webhook URLs
      </label>
      {kinds.map((kind) => (
        <Kind key={kind} kind={kind} records={records[kind]} />
      ))}
    </>
  )
}

/** The records of an environment, read again whenever the version changes. */
export const State = ({
  act,
  apiKey,
  version
}: {
  readonly apiKey: string
  readonly version: string
  readonly act: Act
}) => {
  const [records, setRecords] = useState<EnvironmentRecords>()
  useEffect(() => {
    act("", async () => {
      // The control API returns the records of the environment.
      setRecords((await control(apiKey, "GET", "state")) as EnvironmentRecords)
    })
  }, [act, apiKey, version])
  return records === undefined ? null : <Records records={records} />
}
