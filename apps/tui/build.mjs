// Bundles the terminal UI: unbundled, Ink and Effect cost 200 ms more at every start.
import { chmodSync, rmSync } from "node:fs"
import { makeFunctionsEager } from "@signalbox/node-build/EagerFunctions"
import { writeNotices } from "@signalbox/node-build/Notices"
import { writeSources } from "@signalbox/node-build/Sources"
import { build } from "esbuild"
import { bundle } from "./bundling.mjs"

rmSync("dist", { recursive: true, force: true })
const { metafile } = await build({ ...bundle, outdir: "dist" })
makeFunctionsEager(Object.keys(metafile.outputs))
writeNotices(metafile, "dist")
writeSources(metafile)
chmodSync("dist/main.js", 0o755)
