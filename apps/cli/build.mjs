// Bundles the command line: one small entry file, and a chunk for each command that is loaded when the command runs.
import { execFileSync } from "node:child_process"
import { chmodSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { makeFunctionsEager } from "@signalbox/node-build/EagerFunctions"
import { writeNotices } from "@signalbox/node-build/Notices"
import { writeSources } from "@signalbox/node-build/Sources"
import { define, plugins } from "@signalbox/tui/bundling"
import { build } from "esbuild"
import { closureOf, mergeChunks, outputsOf } from "./mergeChunks.mjs"

const { engines, version } = JSON.parse(readFileSync(new URL("package.json", import.meta.url), "utf8"))

rmSync("dist", { recursive: true, force: true })
const options = {
  outdir: "dist",
  bundle: true,
  platform: "node",
  format: "esm",
  target: "node22",
  minify: true,
  legalComments: "none",
  jsx: "automatic",
  metafile: true,
  define: {
    ...define,
    __SIGNALBOX_VERSION__: JSON.stringify(version),
    __SIGNALBOX_NODE__: JSON.stringify(engines.node)
  }
}

// The parser brings parts that no command uses: prompts, scripts of completions, and its own layout of help, whose
// segmenter takes two fifths of the CPU time in which Node itself starts. It creates an error for each flag that is not
// given, which the schemas of its errors would check.
const unusedParts = {
  name: "unused-parts",
  setup(bundler) {
    const isUnused = /effect[\\/]dist[\\/]cli[\\/](?:Prompt|internal[\\/](?:wizard|completions[\\/]\w+))\.js$/
    bundler.onLoad({ filter: isUnused }, () => ({ contents: "module.exports = {}" }))
    const replace = (filter, part, by) =>
      bundler.onLoad({ filter }, ({ path }) => {
        const source = readFileSync(path, "utf8")
        return source.includes(part)
          ? { contents: source.replace(part, by) }
          : { errors: [{ text: `${path} has no ${part}` }] }
      })
    replace(/effect[\\/]dist[\\/]cli[\\/]CliOutput\.js$/, "of graphemeSegmenter.", "of new Intl.Segmenter().")
    const unchecked = ["Array", "Defect", "Literal", "Union", "optional", "optionalKey"].map((name) => `${name}() {}`)
    replace(
      /effect[\\/]dist[\\/]cli[\\/]CliError\.js$/,
      'import * as Schema from "../Schema.js"',
      `import * as Data from "../Data.js"
       const Schema = { TaggedError: () => (tag) => Data.TaggedError(tag), ${unchecked.join()} }`
    )
  }
}

const { metafile } = await build({
  ...options,
  entryPoints: ["src/main.ts"],
  splitting: true,
  chunkNames: "[name]-[hash]",
  plugins: [unusedParts, ...plugins]
})
const outputs = outputsOf(metafile)
// Help, and the start that enables the compile cache.
const copied = closureOf(outputs, ["src/main.ts", "src/Start.ts", "src/help/HelpText.ts", "src/help/WrittenHelp.ts"])
// The parser and the code of most commands: two thirds of the chunks that a command would load.
const base = closureOf(outputs, ["src/Program.ts", "src/commands/events/Events.ts"]).difference(copied)
// The part that the terminal UI needs, which starts without the parser.
const runtime = closureOf(outputs, ["src/commands/ui/StartUi.ts"]).intersection(base)
await mergeChunks({ copied, files: runtime, name: "runtime.js", options, outputs })
await mergeChunks({ copied, files: base.difference(runtime), name: "base.js", options, outputs })
// The compile cache is on when they are loaded; it is off for the others.
makeFunctionsEager(Array.from(outputs.keys()).flatMap((file) => (copied.has(file) ? [] : join("dist", file))))
// `signalbox fake` serves the pages of the fake from files.
const words = ["../../packages/test-harness/buildPages.mjs", "dist/pages"]
const pages = JSON.parse(execFileSync(process.execPath, words, { encoding: "utf8" }))
writeNotices({ outputs: { ...metafile.outputs, ...pages.outputs } }, "dist")
writeSources(metafile)
const { writeHelp, writtenHelpFile } = await import("./src/help/AllHelp.ts")
writeFileSync(join("dist", writtenHelpFile), JSON.stringify(await writeHelp()))
chmodSync("dist/main.js", 0o755)
