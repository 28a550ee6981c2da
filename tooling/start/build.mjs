// Bundles the terminal UI from the sources of the workspace. Only this package is installed, so a bare import in the sources
// of the others finds its package here.
import { rmSync, statSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { build } from "esbuild"
import { bundle } from "../../apps/tui/bundling.mjs"

const outdir = join(import.meta.dirname, "dist")

rmSync(outdir, { recursive: true, force: true })
const { metafile } = await build({
  ...bundle,
  outdir,
  nodePaths: [join(import.meta.dirname, "node_modules")],
  logLevel: "warning"
})
const inputs = Object.keys(metafile.inputs)
  .filter((path) => !path.includes(":"))
  .map((path) => join(bundle.absWorkingDir, path))
writeFileSync(
  join(outdir, "inputs.json"),
  JSON.stringify(Object.fromEntries(inputs.map((path) => [path, statSync(path).mtimeMs])))
)
