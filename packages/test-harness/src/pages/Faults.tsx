/**
 * The faults of an environment: armed ones with their uses, and a form to arm more.
 */
import { operationNames } from "@signalbox/core/Operations"
import type { LiveEnvironment } from "../control/LiveView.ts"
import { faultPoints } from "../faults/FaultInjector.ts"
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

/** The choices of the form; the first operation and the first point stand for none. */
const choices = {
  Fault: Object.keys(forms),
  Operation: ["any operation", ...operationNames],
  Point: ["first possible point", ...faultPoints],
  Times: ["1", "2", "3", "10", "always"]
}

const faultIn = (form: HTMLFormElement): object => {
  const { Fault, Operation, Point, Times } = Object.fromEntries(new FormData(form))
  return {
    form: forms[String(Fault)],
    ...(Operation === choices.Operation[0] ? {} : { operation: Operation }),
    ...(Point === choices.Point[0] ? {} : { point: Point }),
    times: Times === "always" ? Times : Number(Times)
  }
}

const uses = (fired: number, times: number): string => `${fired} of ${times === 0 ? "any number of" : times} uses`

/** The armed faults, and the form. */
export const Faults = ({ act, environment }: { readonly environment: LiveEnvironment; readonly act: Act }) => {
  const { apiKey, faults } = environment
  const remove = (number: number, description: string) =>
    act(`Removed: ${description}`, () => control(apiKey, "DELETE", `faults/${number}`))
  return (
    <>
      <form
        class="bar"
        onSubmit={(event) => {
          event.preventDefault()
          const fault = faultIn(event.currentTarget)
          act("The fault is armed", () => control(apiKey, "POST", "faults", fault))
        }}
      >
        {Object.entries(choices).map(([label, options]) => (
          <label key={label}>
            {label}{" "}
            <select aria-label={label} name={label}>
              {options.map((option) => (
                <option key={option}>{option}</option>
              ))}
            </select>
          </label>
        ))}
        <button type="submit">Arm</button>
      </form>
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
