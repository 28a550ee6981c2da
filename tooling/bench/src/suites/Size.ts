import { bundleProgram } from "../Bundle.ts"
import type { ListProgram } from "../ListPrograms.ts"
import { listPrograms } from "../ListPrograms.ts"
import { withPacked } from "../Packed.ts"
import type { Findings, Row } from "../Row.ts"

const rows: ReadonlyArray<{ readonly id: string; readonly program: ListProgram; readonly label: string }> = [
  { id: "size/core-list", program: "core", label: "core, list only, Effect included" },
  { id: "size/sdk-list", program: "sdk", label: "sdk, list only, Effect included" },
  { id: "size/sdk-client", program: "sdk whole", label: "sdk, a client of everything, Effect included" },
  { id: "size/sdk-guard", program: "sdk guard", label: "sdk, isSignalboxError alone" },
  { id: "size/knock", program: "@knocklabs/node", label: "@knocklabs/node, list" },
  { id: "size/stripe-node", program: "stripe", label: "stripe, list, Node build" },
  { id: "size/novu-function", program: "@novu/api function", label: "@novu/api, standalone list function" }
]

const baseline = "size/sdk-list"

/** Bytes of one program over the published packages: bundled and minified by esbuild, then gzip level 9. */
export const size = async (): Promise<Findings> => {
  const bundles = await withPacked((folder) =>
    Promise.all(rows.map(({ program }) => bundleProgram(listPrograms[program], folder)))
  )
  const own = bundles[rows.findIndex(({ id }) => id === baseline)]?.gzipBytes ?? Number.NaN
  return {
    rows: rows.map(({ id, label }, index): Row => {
      const value = bundles[index]?.gzipBytes ?? Number.NaN
      return { id, label, unit: "bytes", value, baseline, ratio: value / own }
    })
  }
}
