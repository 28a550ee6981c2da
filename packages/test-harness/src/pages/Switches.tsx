/**
 * The switches of an environment: the question of each, its allowed values, and its value in the presets.
 */
import { useEffect, useState } from "preact/hooks"
import { type Act, control } from "./ControlClient.ts"
import { FilterBox } from "./FilterBox.tsx"
import { matcher } from "./Model.ts"

/** A switch as the control API describes it. */
export interface SwitchQuestion {
  readonly name: string
  readonly question: string
  readonly values: ReadonlyArray<string>
  readonly value: string
  readonly document: string
  readonly observed: string
}

const Row = ({
  one: { document, name, observed, question, value, values },
  onChange
}: {
  readonly one: SwitchQuestion
  readonly onChange: (name: string, value: string) => void
}) => (
  <tr id={`switch-${name}`} class={value === document ? "" : "selected"}>
    <th scope="row">
      <code>{name}</code>
      <small>{question.replaceAll("`", "")}</small>
    </th>
    <td>
      <select aria-label={name} value={value} onChange={({ currentTarget }) => onChange(name, currentTarget.value)}>
        {values.map((option) => (
          <option key={option} value={option}>
            {option}
          </option>
        ))}
      </select>
      <small>
        {observed === document ? `document and observed: ${document}` : `document: ${document}, observed: ${observed}`}
      </small>
    </td>
  </tr>
)

/** The table of switches, those that differ from the document marked. */
export const SwitchTable = ({
  onChange,
  switches
}: {
  readonly switches: ReadonlyArray<SwitchQuestion>
  readonly onChange: (name: string, value: string) => void
}) => {
  const [filter, setFilter] = useState("")
  const [onlyChanged, setOnlyChanged] = useState(false)
  const matches = matcher(filter)
  const shown = switches.filter(
    ({ document, name, question, value }) =>
      (!onlyChanged || value !== document) && matches(`${name} ${question} ${value}`)
  )
  const changed = switches.filter(({ document, value }) => value !== document).length
  return (
    <>
      <p class="bar">
        <FilterBox
          placeholder="Filter: name, question, value …"
          aria-label="Filter switches"
          value={filter}
          onFilter={setFilter}
        />
        <label>
          <input
            type="checkbox"
            checked={onlyChanged}
            onChange={({ currentTarget }) => setOnlyChanged(currentTarget.checked)}
          />{" "}
          only changed ({changed})
        </label>
      </p>
      <table class="switches">
        <tbody>
          {shown.map((one) => (
            <Row key={one.name} one={one} onChange={onChange} />
          ))}
        </tbody>
      </table>
    </>
  )
}

// The control API returns the switches with their questions.
const readSwitches = async (apiKey: string): Promise<ReadonlyArray<SwitchQuestion>> =>
  (await control(apiKey, "GET", "switches/questions")) as ReadonlyArray<SwitchQuestion>

/** The switches of an environment; a new value applies from the next request on. */
export const Switches = ({ act, apiKey }: { readonly apiKey: string; readonly act: Act }) => {
  const [switches, setSwitches] = useState<ReadonlyArray<SwitchQuestion>>([])
  useEffect(() => {
    act("", async () => setSwitches(await readSwitches(apiKey)))
  }, [act, apiKey])
  const change = (name: string, value: string) =>
    act(`${name} is now ${value}`, async () => {
      await control(apiKey, "POST", "switches", { [name]: value })
      setSwitches(await readSwitches(apiKey))
    })
  return <SwitchTable switches={switches} onChange={change} />
}
