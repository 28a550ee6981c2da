/**
 * The faults of an environment: armed ones with their uses, and a form to arm more.
 */
import { useState } from "preact/hooks"
import type { LiveEnvironment } from "../control/LiveView.ts"
import { type Act, control } from "./ControlClient.ts"

/** Common faults; all others are armed as JSON. */
const forms: Readonly<Record<string, object>> = {
  "status 503": { _tag: "Status", status: 503 },
  "status 500": { _tag: "Status", status: 500 },
  "rate limited (429)": { _tag: "RateLimited", retryAfterMs: 1_000 },
  "connection reset": { _tag: "NoResponse", failure: "reset" },
  "connection closed": { _tag: "NoResponse", failure: "close" },
  "no response, ever": { _tag: "NoResponse", failure: "hang" },
  "2 s delay": { _tag: "Latency", latency: { distribution: "fixed", delayMs: 2_000 } },
  "malformed JSON": { _tag: "MalformedJson" }
}

const operations = ["any operation", "credentials.upsert", "messages.markAs", "events.list"] as const

const pointNames = ["first possible point", "received", "validated", "committed", "answering"] as const

const Choice = ({
  label,
  onChange,
  options,
  value
}: {
  readonly label: string
  readonly options: ReadonlyArray<string>
  readonly value: string
  readonly onChange: (value: string) => void
}) => (
  <label>
    {label}{" "}
    <select aria-label={label} value={value} onChange={({ currentTarget }) => onChange(currentTarget.value)}>
      {options.map((option) => (
        <option key={option}>{option}</option>
      ))}
    </select>
  </label>
)

const Arm = ({ act, apiKey }: { readonly apiKey: string; readonly act: Act }) => {
  const [form, setForm] = useState("status 503")
  const [operation, setOperation] = useState<string>(operations[0])
  const [point, setPoint] = useState<string>(pointNames[0])
  const [times, setTimes] = useState("1")
  const arm = () =>
    act(`Armed: ${form}`, () =>
      control(apiKey, "POST", "faults", {
        form: forms[form],
        ...(operation === operations[0] ? {} : { operation }),
        ...(point === pointNames[0] ? {} : { point }),
        times: times === "always" ? times : Number(times)
      })
    )
  return (
    <form
      class="bar"
      onSubmit={(event) => {
        event.preventDefault()
        arm()
      }}
    >
      <Choice label="Fault" options={Object.keys(forms)} value={form} onChange={setForm} />
      <Choice label="Operation" options={operations} value={operation} onChange={setOperation} />
      <Choice label="Point" options={pointNames} value={point} onChange={setPoint} />
      <Choice label="Times" options={["1", "2", "3", "10", "always"]} value={times} onChange={setTimes} />
      <button type="submit">Arm</button>
    </form>
  )
}

const uses = (fired: number, times: number): string => `${fired} of ${times === 0 ? "any number of" : times} uses`

/** The armed faults, and the form. */
export const Faults = ({ act, environment }: { readonly environment: LiveEnvironment; readonly act: Act }) => {
  const { apiKey, faults } = environment
  const remove = (number: number, description: string) =>
    act(`Removed: ${description}`, () => control(apiKey, "DELETE", `faults/${number}`))
  return (
    <>
      <Arm apiKey={apiKey} act={act} />
      {faults.length === 0 ? <p class="hint">No faults are armed.</p> : null}
      <ul class="plain">
        {faults.map(({ description, fired, number, operation, times }) => (
          <li key={number} class="bar">
            <span>
              <b>{description}</b> of {operation ?? "any operation"}: {uses(fired, times)}
            </span>
            <button type="button" onClick={() => remove(number, description)}>
              Remove
            </button>
          </li>
        ))}
      </ul>
    </>
  )
}
