import { mkdtemp, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { bundleProgram } from "../Bundle.ts"
import { launch, reportCpu } from "../Launch.ts"
import type { ListProgram } from "../ListPrograms.ts"
import { listPrograms } from "../ListPrograms.ts"
import { collect, summarise } from "../Measure.ts"
import { installPacked } from "../Packed.ts"
import type { Report, Row } from "../Row.ts"
import { timedRows, valueRow } from "../Row.ts"

const rounds = 15

const programs: ReadonlyArray<{ readonly id: string; readonly program: ListProgram; readonly label: string }> = [
  { id: "core", program: "core", label: "core" },
  { id: "sdk", program: "sdk", label: "sdk, events only" },
  { id: "sdk-client", program: "sdk whole", label: "sdk" },
  { id: "knock", program: "@knocklabs/node", label: "@knocklabs/node" },
  { id: "stripe", program: "stripe", label: "stripe" },
  { id: "novu-function", program: "@novu/api function", label: "@novu/api, standalone list function" },
  { id: "novu-class", program: "@novu/api class", label: "@novu/api, client class" }
]

const forms = (["bundled", "unbundled"] as const).flatMap((form) =>
  programs.map(({ id, label }) => ({ contestant: `${id}-${form}`, label: `${label}, ${form}` }))
)

/** Wall time of `node file` for a program that makes a client and sends nothing, beside a program that does nothing. */
export const start = async (): Promise<Report> => {
  const folder = await mkdtemp(join(tmpdir(), "signalbox-start-"))
  try {
    installPacked(folder, ["effect", "@knocklabs/node", "stripe", "@novu/api"])
    const write = async (name: string, text: string) => {
      const file = join(folder, name)
      await writeFile(file, text + reportCpu)
      return file
    }
    const files = new Map([["empty", await write("empty.mjs", "")]])
    for (const { id, program } of programs) {
      const { code } = await bundleProgram(listPrograms[program])
      files.set(`${id}-bundled`, await write(`${id}-bundled.mjs`, code))
      files.set(`${id}-unbundled`, await write(`${id}-unbundled.mjs`, listPrograms[program].text))
    }
    for (const file of files.values()) await launch(file)
    const measured = await collect(
      rounds,
      [...files].map(([name, file]) => async () => ({ [name]: await launch(file) }))
    )
    const empty = measured.get("empty") ?? []
    const overEmpty = (id: string, label: string, contestant: string): Row =>
      valueRow(
        id,
        label,
        "ms",
        summarise((measured.get(contestant) ?? []).map((sample, round) => sample.wall - (empty[round]?.wall ?? 0)))
      )
    return {
      suite: "start",
      rows: [
        ...timedRows(measured, [{ id: "start/empty", label: "empty process", contestant: "empty" }]),
        ...timedRows(
          measured,
          forms.map(({ contestant, label }) => ({
            id: `start/${contestant}`,
            label,
            contestant,
            baseline: { id: "start/empty", contestant: "empty" }
          }))
        ),
        ...forms.map(({ contestant, label }) =>
          overEmpty(`start/${contestant}-over-empty`, `${label}, over empty`, contestant)
        )
      ],
      observations: []
    }
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}
