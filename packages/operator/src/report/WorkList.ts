/**
 * The subscribers of a failure group that credentials may help, as a file for `signalbox bulk import`: one line each, with
 * the value to fill in left empty.
 */
import type { FailureGroup } from "../diagnosis/FailureGroup.ts"
import { failuresOf } from "../diagnosis/FailureGroup.ts"
import type { FixReach } from "../diagnosis/FixReach.ts"
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
  const prefill = group.events
    .flatMap(failuresOf)
    .find(({ cause, diagnosis }) => cause === group.cause && diagnosis.prefill !== undefined)?.diagnosis.prefill
  const fields = prefill?.fields ?? []
  const line = (subscriberId: string) =>
    [subscriberId, prefill?.providerId ?? "", ...fields.map(() => "")].map(cell).join(",")
  return {
    text: `${[["subscriberId", "providerId", ...fields].join(","), ...open.map(line)].join("\n")}\n`,
    command: `signalbox bulk import ${shellWord(file)} -c ${shellWord(connection)}`
  }
}
