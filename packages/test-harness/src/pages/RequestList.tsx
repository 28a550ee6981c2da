/**
 * The requests of an environment by their calls, newest call first: one lane for each call, with its attempts in time.
 */
import { type ListedEntry, outcomeText, points } from "../journal/JournalEntry.ts"
import { verdictOn } from "../verdicts/Verdict.ts"
import { origin, type Page } from "./ControlClient.ts"
import { FilterBox } from "./FilterBox.tsx"
import { durationText, endOf, environmentOf, shownEntry, verdictText, visibleCalls, windowSize } from "./Model.ts"

interface CallProps {
  readonly attempts: ReadonlyArray<ListedEntry>
  readonly selected: number | undefined
  readonly onSelect: (number: number) => void
}

type RowProps = CallProps & { readonly entry: ListedEntry }

const startOf = (attempts: ReadonlyArray<ListedEntry>): number => Math.min(...attempts.map(({ at }) => at))

/** The class of an outcome: good, bad or pending. */
export const kindOf = ({ outcome }: ListedEntry): string => {
  if (outcome._tag === "Pending") return "pending"
  return outcome._tag === "Response" && outcome.status < 400 ? "good" : "bad"
}

const laneWidth = 140

/** One attempt on the time line of its call: a bar from arrival to end, a tick for each point, a mark for a change. */
const Lane = ({ attempts, entry }: Pick<RowProps, "attempts" | "entry">) => {
  const start = startOf(attempts)
  const length = Math.max(1, ...attempts.map((one) => endOf(one) - start))
  const x = (at: number) => 2 + ((at - start) / length) * (laneWidth - 10)
  const reached = entry.points.length
  const last = entry.points.at(-1)?.point ?? "none"
  const label = `${reached} of ${points.length} points, last: ${last}${entry.applied ? ", applied" : ""}`
  const committed = entry.points.find(({ point }) => point === "committed")
  return (
    <svg class={`lane ${kindOf(entry)}`} viewBox={`0 0 ${laneWidth} 16`} role="img" aria-label={label}>
      <title>{label}</title>
      <line x1="0" x2={laneWidth} y1="8" y2="8" />
      {entry.points.map(({ at, point }) => (
        <line key={point} class="point" x1={x(at)} x2={x(at)} y1="1" y2="15" />
      ))}
      <rect x={x(entry.at)} y="4" height="8" rx="2" width={Math.max(6, x(endOf(entry)) - x(entry.at))} />
      {entry.applied && committed !== undefined ? <circle cx={x(committed.at) + 3} cy="8" r="3" /> : null}
    </svg>
  )
}

const timeOf = (at: number): string => new Date(at).toISOString().slice(11, 23)

const Row = ({ attempts, entry, onSelect, selected }: RowProps) => (
  <tr
    class={`request${entry.number === selected ? " selected" : ""}${attempts.length === 1 ? " alone" : ""}`}
    onClick={() => onSelect(entry.number)}
  >
    <td class="number">{entry.number}</td>
    <td class="time">{entry === attempts[0] ? timeOf(entry.at) : `+${entry.at - startOf(attempts)} ms`}</td>
    <td class="what">
      <button
        type="button"
        class="link"
        aria-current={entry.number === selected}
        onClick={(event) => {
          event.stopPropagation()
          onSelect(entry.number)
        }}
      >
        {entry.method} {entry.path}
        {entry.query === "" ? "" : `?${entry.query}`}
      </button>
      {entry.attempt > 1 ? <small> attempt {entry.attempt}</small> : null}
      {entry.faults.length > 0 ? <small class="fault"> ⚡ {entry.faults.join(", ")}</small> : null}
    </td>
    <td class="lane">
      <Lane entry={entry} attempts={attempts} />
    </td>
    <td class={`outcome ${kindOf(entry)}`}>
      {outcomeText(entry)} <small>{durationText(entry)}</small>
    </td>
  </tr>
)

/** The verdict on a call that was attempted more than once, or that contradicts what its client saw. */
const CallRow = ({ attempts }: Pick<CallProps, "attempts">) => {
  const verdict = verdictOn(attempts)
  if (verdict === undefined || (attempts.length === 1 && verdict.contradiction === undefined)) return null
  const key = verdict.idempotencyKey === undefined ? "" : `, key ${verdict.idempotencyKey}`
  return (
    <tr class="call">
      <th scope="rowgroup" colSpan={5}>
        call {verdict.call}: {[verdict.operation, verdict.subscriberId].join(" ").trim()}
        {key} —{" "}
        <span class={verdict.contradiction === undefined ? "" : "bad"}>
          {verdict.contradiction ?? verdictText(verdict)}
        </span>
      </th>
    </tr>
  )
}

const Call = (call: CallProps) => (
  <>
    <CallRow attempts={call.attempts} />
    {call.attempts.map((entry) => (
      <Row key={entry.number} entry={entry} {...call} />
    ))}
  </>
)

/** How to send the first request, ready to copy. */
const FirstRequest = ({ apiKey }: { readonly apiKey: string }) => (
  <div class="hint">
    <p>No requests yet.</p>
    <p>Send one to this server with the key of the environment, for example from a shell:</p>
    <pre>{`curl ${origin}/v1/notifications \\\n  -H "Authorization: ApiKey ${apiKey}"`}</pre>
    <p>State, faults and switches of the environment are in the tabs.</p>
    <p>Keys: j and k select a request, / filters, p pauses, 1 to 7 open a tab, Escape returns to the newest request.</p>
  </div>
)

export const RequestList = ({ model, send }: Omit<Page, "act">) => {
  const calls = visibleCalls(model)
  const { apiKey = "", requests = 0 } = environmentOf(model) ?? {}
  const selected = shownEntry(model)?.number
  const onSelect = (number: number) => send({ _tag: "Request", number })
  return (
    <>
      <p class="bar">
        <FilterBox
          placeholder="Filter: path, status, fault … (/)"
          aria-label="Filter"
          value={model.filter}
          onFilter={(text) => send({ _tag: "Filter", text })}
        />
        <small>
          {calls.flat().length} of {requests}
        </small>
      </p>
      {requests === 0 ? (
        <FirstRequest apiKey={apiKey} />
      ) : calls.length === 0 && model.filter !== "" ? (
        <p class="hint">None of the last {windowSize} requests contains these words.</p>
      ) : (
        <table class="requests">
          <thead>
            <tr>
              {["#", "Time", "Request", "Progress", "Outcome"].map((title) => (
                <th key={title} scope="col">
                  {title}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {calls.map((attempts) => (
              <Call key={attempts[0]?.call} {...{ attempts, selected, onSelect }} />
            ))}
          </tbody>
        </table>
      )}
    </>
  )
}
