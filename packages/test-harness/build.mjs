// After `tsc`: the files that Node loads, and `signalbox-fake` as one file, so that it starts in the time of a bare Node
// program.
import { buildForNode } from "@signalbox/node-build/NodeBuild"
import { writeNotices } from "@signalbox/node-build/Notices"
import { chmodSync } from "node:fs"
import { build } from "esbuild"

await buildForNode(import.meta.dirname)

const outfile = "dist/signalbox-fake.js"

const { metafile } = await build({
  entryPoints: ["src/executable/main.ts"],
  outfile,
  bundle: true,
  platform: "node",
  format: "esm",
  target: "node22",
  minify: true,
  legalComments: "none",
  metafile: true,
  banner: { js: "#!/usr/bin/env node" }
})
writeNotices(metafile, "dist")
chmodSync(outfile, 0o755)
