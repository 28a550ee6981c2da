/**
 * The requests of an environment, newest first.
 */
import { type ListedEntry, points } from "../journal/JournalEntry.ts"
import { outcomeText } from "./Model.ts"

/** How far a request got: one bar for each point. */
const Path = ({ entry }: { readonly entry: ListedEntry }) => {
  const reached = new Set(entry.points.map(({ point }) => point))
  const last = entry.points.at(-1)?.point ?? "none"
  return (
    <span class="path" title={`Last point: ${last}`} aria-label={`last point: ${last}`} role="img">
      {points.map((point) => (
        <i key={point} class={reached.has(point) ? "on" : ""} />
      ))}
    </span>
  )
}

const kindOf = ({ outcome }: ListedEntry): string => {
  if (outcome._tag === "Pending") return "pending"
  return outcome._tag === "Response" && outcome.status < 400 ? "good" : "bad"
}

const Row = ({
  entry,
  isSelected,
  onSelect
}: {
  readonly entry: ListedEntry
  readonly isSelected: boolean
  readonly onSelect: (number: number) => void
}) => (
  <tr class={isSelected ? "selected" : ""} onClick={() => onSelect(entry.number)}>
    <td class="number">{entry.number}</td>
    <td>
      <button
        type="button"
        class="link"
        onClick={(event) => {
          event.stopPropagation()
          onSelect(entry.number)
        }}
      >
        {entry.method} {entry.path}
        {entry.query === "" ? "" : `?${entry.query}`}
      </button>
      {entry.attempt > 1 ? <small> attempt {entry.attempt}</small> : null}
      {entry.faults.length > 0 ? <small class="fault"> {entry.faults.join(", ")}</small> : null}
    </td>
    <td>
      <Path entry={entry} />
    </td>
    <td class={kindOf(entry)}>{outcomeText(entry)}</td>
  </tr>
)

/** The list, with its filter. */
export const RequestList = ({
  entries,
  filter,
  onFilter,
  onSelect,
  selected,
  total
}: {
  readonly entries: ReadonlyArray<ListedEntry>
  readonly total: number
  readonly filter: string
  readonly selected: number | undefined
  readonly onFilter: (text: string) => void
  readonly onSelect: (number: number) => void
}) => (
  <>
    <p class="bar">
      <input
        type="search"
        placeholder="Filter: path, status, operation, fault …"
        aria-label="Filter"
        value={filter}
        onInput={({ currentTarget }) => onFilter(currentTarget.value)}
      />
      <small>
        {entries.length} of {total}
      </small>
    </p>
    {total === 0 ? (
      <p class="hint">No requests yet. Send one to this server with the key of the environment.</p>
    ) : (
      <table class="requests">
        <thead>
          <tr>
            <th scope="col">#</th>
            <th scope="col">Request</th>
            <th scope="col">Path</th>
            <th scope="col">Outcome</th>
          </tr>
        </thead>
        <tbody>
          {entries.map((entry) => (
            <Row key={entry.number} entry={entry} isSelected={entry.number === selected} onSelect={onSelect} />
          ))}
        </tbody>
      </table>
    )}
  </>
)
