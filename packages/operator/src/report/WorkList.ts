/**
 * The subscribers of a failure group that credentials may help, as a file for `signalbox bulk import`: one line each, with
 * the value to fill in left empty.
 */
import type { FailureGroup } from "../diagnosis/FailureGroup.ts"
import { type FixReach, prefillsOf } from "../diagnosis/FixReach.ts"
import { shellWord } from "./Curl.ts"

/** A file to fill in, and the command that sends it. */
export interface WorkList {
  readonly text: string
  readonly command: string
}

const cell = (text: string): string => (/[",\r\n]/u.test(text) ? `"${text.replaceAll('"', '""')}"` : text)

/**
 * Makes the work list of a group as CSV.
 *
 * @example
 * ```ts
 * workList(group, fixReach(group, eventsOf(page.data)), "fixes.csv", "prod").text
 * // => "subscriberId,providerId,webhookUrl\nu_31870,slack,\n"
 * ```
 */
export const workList = (group: FailureGroup, { open }: FixReach, file: string, connection: string): WorkList => {
  const prefills = prefillsOf(group)
  const [first] = prefills.values()
  const fields = first?.fields ?? []
  const hasIntegrations = Array.from(prefills.values()).some(
    ({ integrationIdentifier }) => integrationIdentifier !== undefined
  )
  const integration = (text: string) => (hasIntegrations ? [text] : [])
  const line = (subscriberId: string) =>
    [
      subscriberId,
      first?.providerId ?? "",
      ...integration(prefills.get(subscriberId)?.integrationIdentifier ?? ""),
      ...fields.map(() => "")
    ]
      .map(cell)
      .join(",")
  const titles = ["subscriberId", "providerId", ...integration("integrationIdentifier"), ...fields]
  return {
    text: `${[titles.join(","), ...open.map(line)].join("\n")}\n`,
    command: `signalbox bulk import ${shellWord(file)} -c ${shellWord(connection)}`
  }
}
