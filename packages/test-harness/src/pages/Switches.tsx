/**
 * The switches of an environment.
 */
import { useEffect, useState } from "preact/hooks"
import { type Act, control } from "./ControlClient.ts"

type Values = Readonly<Record<string, string>>

/** The values of all switches; a new value is checked by the fake. */
export const Switches = ({ act, apiKey }: { readonly apiKey: string; readonly act: Act }) => {
  const [values, setValues] = useState<Values>({})
  useEffect(() => {
    // The control API returns the values by name.
    act("", async () => setValues((await control(apiKey, "GET", "switches")) as Values))
  }, [act, apiKey])
  const change = (name: string, value: string) =>
    act(`${name} is now ${value}`, async () =>
      setValues((await control(apiKey, "POST", "switches", { [name]: value })) as Values)
    )
  return (
    <table class="switches">
      <tbody>
        {Object.entries(values).map(([name, value]) => (
          <tr key={name}>
            <th scope="row">{name}</th>
            <td>
              <input
                aria-label={name}
                value={value}
                onChange={({ currentTarget }) => change(name, currentTarget.value)}
              />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}
