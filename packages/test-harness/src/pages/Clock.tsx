import type { LiveEnvironment } from "../control/LiveView.ts"
import { type Act, control } from "./ControlClient.ts"

const moves = [
  ["+1 second", { advanceMs: 1_000 }],
  ["+1 minute", { advanceMs: 60_000 }],
  ["+1 hour", { advanceMs: 3_600_000 }],
  ["+1 day", { advanceMs: 86_400_000 }],
  ["Next delay", { runNext: true }]
] as const

/** The time, and buttons that move it. */
export const Clock = ({ act, environment }: { readonly environment: LiveEnvironment; readonly act: Act }) => {
  const { apiKey, manualTime } = environment
  if (manualTime === undefined) {
    return (
      <p class="hint">
        This environment uses the time of the machine. To move the time, create an environment with a clock:{" "}
        <code>POST /_fake/environments {`{"clock": "2026-05-01T08:00:00Z"}`}</code>
      </p>
    )
  }
  return (
    <>
      <p>
        <time dateTime={manualTime}>{manualTime}</time>
      </p>
      <p class="bar">
        {moves.map(([label, move]) => (
          <button
            key={label}
            type="button"
            onClick={() => act(`The clock was moved: ${label}`, () => control(apiKey, "POST", "clock", move))}
          >
            {label}
          </button>
        ))}
      </p>
    </>
  )
}
