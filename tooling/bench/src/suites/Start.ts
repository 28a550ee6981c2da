import { writeFile } from "node:fs/promises"
import { join } from "node:path"
import { bundleProgram } from "../Bundle.ts"
import { launch, reportCpu } from "../Launch.ts"
import type { ListProgram } from "../ListPrograms.ts"
import { listPrograms } from "../ListPrograms.ts"
import { collect } from "../Measure.ts"
import { withPacked } from "../Packed.ts"
import type { Findings, Row } from "../Row.ts"
import { timedRows, valueRow } from "../Row.ts"

const rounds = 15

const programs: ReadonlyArray<{ readonly id: string; readonly program: ListProgram; readonly label: string }> = [
  { id: "sdk", program: "sdk", label: "sdk, events only" },
  { id: "knock", program: "@knocklabs/node", label: "@knocklabs/node" },
  { id: "stripe-node", program: "stripe", label: "stripe, Node build" },
  { id: "novu-function", program: "@novu/api function", label: "@novu/api, standalone list function" }
]

const forms = (["bundled", "unbundled"] as const).flatMap((form) =>
  programs.map(({ id, label }) => ({ contestant: `${id}-${form}`, label: `${label}, ${form}` }))
)

/**
 * Wall time of `node file` for a program that makes a client and sends nothing, compared with a program that does
 * nothing.
 */
export const start = (): Promise<Findings> =>
  withPacked(async (folder) => {
    const write = async (name: string, text: string) => {
      const file = join(folder, name)
      await writeFile(file, text + reportCpu)
      return file
    }
    const files = new Map([["empty", await write("empty.mjs", "")]])
    for (const { id, program } of programs) {
      const { code } = await bundleProgram(listPrograms[program], folder)
      files.set(`${id}-bundled`, await write(`${id}-bundled.mjs`, code))
      files.set(`${id}-unbundled`, await write(`${id}-unbundled.mjs`, listPrograms[program].text))
    }
    for (const file of files.values()) await launch(file)
    const measured = await collect(
      rounds,
      [...files].map(([name, file]) => async () => ({ [name]: await launch(file) }))
    )
    const empty = measured.get("empty") ?? []
    const cpuOver = (contestant: string, label: string): Row => {
      const over = (measured.get(contestant) ?? []).map(({ cpu = 0 }, round) => cpu - (empty[round]?.cpu ?? 0))
      return valueRow(`start/${contestant}-cpu`, `${label}, CPU over empty`, "ms", over)
    }
    const cpuRows = new Map(forms.map(({ contestant, label }) => [contestant, cpuOver(contestant, label)]))
    /** A row with its ratio to that of a peer. */
    const against = (contestant: string, peer: string): Row => {
      const row = cpuRows.get(contestant)
      const other = cpuRows.get(peer)
      if (row === undefined || other === undefined) throw new Error(`no samples of ${contestant} or ${peer}`)
      return { ...row, baseline: other.id, ratio: row.value / other.value }
    }
    cpuRows.set("sdk-bundled", against("sdk-bundled", "stripe-node-bundled"))
    cpuRows.set("sdk-unbundled", against("sdk-unbundled", "knock-unbundled"))
    return {
      rows: [
        ...timedRows(measured, [
          { id: "start/empty", label: "empty process", contestant: "empty" },
          ...forms.map(({ contestant, label }) => ({
            id: `start/${contestant}`,
            label,
            contestant,
            baseline: "start/empty"
          }))
        ]),
        ...cpuRows.values()
      ]
    }
  })
