// How the terminal UI is bundled, here and in programs that carry it.
import { readFileSync } from "node:fs"
import { isBuiltin } from "node:module"
import { dirname, join } from "node:path"

// Without `fetch` the layout engine decodes its own bytes; with it, it loads Node's whole HTTP client for a data URL.
const noFetchForYoga = {
  name: "no-fetch-for-yoga",
  setup(bundler) {
    bundler.onLoad({ filter: /yoga-wasm-base64-esm\.js$/ }, ({ path }) => ({
      contents: `const fetch = undefined;${readFileSync(path, "utf8")}`
    }))
  }
}

const noDevtools = {
  name: "no-devtools",
  setup(bundler) {
    bundler.onResolve({ filter: /^react-devtools-core$/ }, ({ path }) => ({ path, namespace: "stub" }))
    bundler.onLoad({ filter: /.*/, namespace: "stub" }, () => ({ contents: "export default {}" }))
  }
}

// Dependencies import these for what they do without a terminal, or for checks of what they are given: they are loaded at
// the first use.
const seldomUsed = new Set(["assert", "child_process"])

// An imported module of Node is read to its last property, and some of those load a dozen others (`process.stdin`,
// `fs.promises`); one that is asked for by name is not.
const builtInByName = {
  name: "built-in-by-name",
  setup(bundler) {
    bundler.onResolve({ filter: /./ }, ({ kind, path }) =>
      isBuiltin(path) && kind !== "dynamic-import"
        ? { path: path.replace(/^node:/u, ""), namespace: "built-in" }
        : undefined
    )
    bundler.onLoad({ filter: /.*/, namespace: "built-in" }, ({ path }) => {
      const found = `process.getBuiltinModule(${JSON.stringify(path)})`
      if (!seldomUsed.has(path)) return { contents: `module.exports = ${found}` }
      const names = Object.keys(process.getBuiltinModule(path)).map((name) => JSON.stringify(name))
      return {
        contents: `module.exports = { ${names.map((name) => `get ${name}() { return ${found}[${name}] }`).join()} }`
      }
    })
  }
}

// Ink and this package share one implementation of string width. It loads its emoji tables when a string first needs them;
// most screens never do.
const oneMeasure = {
  name: "one-measure",
  setup(bundler) {
    const resolve = (name, resolveDir, pluginData) =>
      bundler.resolve(name, { kind: "import-statement", resolveDir, pluginData })
    bundler.onResolve({ filter: /^string-width$/ }, ({ pluginData }) =>
      pluginData?.full ? undefined : { path: "string-width", namespace: "measure" }
    )
    bundler.onLoad({ filter: /.*/, namespace: "measure" }, () => ({
      contents: `
        import { plainCells } from "@signalbox/operator/text/PlainCells"
        export default (text, options) => plainCells(text) ?? require("full-string-width").default(text, options)`,
      resolveDir: import.meta.dirname
    }))
    bundler.onResolve({ filter: /^full-string-width$/ }, async () => {
      const { path } = await resolve("@signalbox/operator/text/Width", import.meta.dirname)
      return resolve("string-width", dirname(path), { full: true })
    })
  }
}

// Every frame, Ink takes every line apart into one object per cell, to lay boxes over each other. Here a frame is a column of
// lines that never overlap, already in the form that Ink would write: joining them is all there is to do, and saves half of
// the time of a frame.
const linesAsDrawn = {
  name: "lines-as-drawn",
  setup(bundler) {
    const replaced = new Set()
    bundler.onLoad({ filter: /ink[\\/]build[\\/]output\.js$/ }, () => {
      replaced.add("output")
      return {
        contents: `
          export default class Output {
            #lines
            constructor({ height }) { this.#lines = Array.from({ length: height }, () => "") }
            write(_, top, text) {
              for (const [at, line] of text.split("\\n").entries())
                if (top + at < this.#lines.length) this.#lines[top + at] = line.trimEnd()
            }
            clip() {}
            unclip() {}
            get() { return { output: this.#lines.join("\\n"), height: this.#lines.length } }
          }`
      }
    })
    // Lines are safe to draw before they come here, and have no sequences but those of the painter.
    bundler.onLoad({ filter: /ink[\\/]build[\\/]sanitize-ansi\.js$/ }, () => {
      replaced.add("sanitize-ansi")
      return { contents: "export default (text) => text" }
    })
    bundler.onEnd(() => (replaced.size === 2 ? undefined : { errors: [{ text: "Ink has other files than before" }] }))
  }
}

/** The plugins of esbuild that a bundle with the terminal UI needs. */
export const plugins = [builtInByName, noFetchForYoga, noDevtools, oneMeasure, linesAsDrawn]

/** The constants of a production bundle. */
export const define = { "process.env.NODE_ENV": '"production"', "process.env.DEV": '"false"' }

const { engines, version } = JSON.parse(readFileSync(join(import.meta.dirname, "package.json"), "utf8"))

/** How esbuild bundles the terminal UI itself. */
export const bundle = {
  absWorkingDir: import.meta.dirname,
  entryPoints: ["src/main.ts"],
  bundle: true,
  splitting: true,
  chunkNames: "[name]-[hash]",
  platform: "node",
  format: "esm",
  target: "node22",
  minify: true,
  jsx: "automatic",
  legalComments: "none",
  metafile: true,
  define: {
    ...define,
    __SIGNALBOX_VERSION__: JSON.stringify(version),
    __SIGNALBOX_NODE__: JSON.stringify(engines.node)
  },
  plugins
}
