// After `tsc`: the files that Node loads, and `signalbox-fake` as one file, so that it starts in the time of a bare Node
// program.
import { buildForNode } from "@signalbox/node-build/NodeBuild"
import { chmodSync } from "node:fs"
import { build } from "esbuild"

await buildForNode(import.meta.dirname)

const outfile = "dist/signalbox-fake.js"

await build({
  entryPoints: ["src/executable/main.ts"],
  outfile,
  bundle: true,
  platform: "node",
  format: "esm",
  target: "node22",
  minify: true,
  legalComments: "none",
  banner: { js: "#!/usr/bin/env node" }
})
chmodSync(outfile, 0o755)
