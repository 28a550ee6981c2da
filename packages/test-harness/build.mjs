// Builds a package without dependencies, and `signalbox-fake` in few files: the check of the Node version, and a program that
// starts in the time of a bare Node program.
import { writeNotices } from "@signalbox/node-build/Notices"
import { writeSources } from "@signalbox/node-build/Sources"
import { buildStandalone } from "@signalbox/node-build/StandaloneBuild"
import { execFileSync } from "node:child_process"
import { chmodSync, readFileSync } from "node:fs"
import { build } from "esbuild"

await buildStandalone(import.meta.dirname, {
  inlined: ["@signalbox/core", "effect"],
  compact: true,
  chunks: [
    { name: "effect", modules: /\/node_modules\/effect\// },
    { name: "core", modules: /\/core\/src\// },
    // Without a file of their own, what the server shares with the document of the control API would be exported by `./server`.
    {
      name: "control",
      modules: /\/test-harness\/src\/(?:control\/(?!ControlDocument)|server\/LiveEvents)/
    }
  ]
})

const { engines, version } = JSON.parse(readFileSync("package.json", "utf8"))
const { metafile } = await build({
  entryPoints: { "signalbox-fake": "src/executable/main.ts" },
  outdir: "dist",
  splitting: true,
  chunkNames: "signalbox-fake-[hash]",
  bundle: true,
  platform: "node",
  format: "esm",
  target: "node22",
  minify: true,
  legalComments: "none",
  metafile: true,
  define: { __SIGNALBOX_NODE__: JSON.stringify(engines.node), __SIGNALBOX_VERSION__: JSON.stringify(version) }
})
chmodSync("dist/signalbox-fake.js", 0o755)

const pages = JSON.parse(execFileSync(process.execPath, ["buildPages.mjs", "dist/pages"], { encoding: "utf8" }))
writeNotices({ outputs: { ...metafile.outputs, ...pages.outputs } }, "dist")
writeSources(metafile)
