// Bundles `signalbox-fake` into one file, so that it starts in the time of a bare Node program.
import { chmodSync } from "node:fs"
import { build } from "esbuild"

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
