// How the terminal UI is bundled, here and in programs that carry it.
import { readFileSync } from "node:fs"
import { isBuiltin } from "node:module"
import { dirname, join } from "node:path"

// Ink styles and wraps text with these, and connects to its devtools. The lines of this program are complete (see
// `linesAsDrawn`).
const unusedPackages =
  /^(react-devtools-core|wrap-ansi|cli-truncate|widest-line|chalk|cli-boxes|indent-string|@alcalzone\/ansi-tokenize)$/

const noStyles = {
  name: "no-styles",
  setup(bundler) {
    bundler.onResolve({ filter: unusedPackages }, ({ importer, path }) =>
      /[\\/]ink[\\/]build[\\/]/u.test(importer) ? { path, namespace: "unused" } : undefined
    )
    // CommonJS, so that any name can be imported. Text without styles needs no wrapping.
    bundler.onLoad({ filter: /.*/, namespace: "unused" }, () => ({ contents: "module.exports = (text) => text" }))
  }
}

// Needed without a terminal, for the pager, compressed responses or long listings only: they are loaded at the first use.
const seldomUsed = new Set(["child_process", "os", "v8", "zlib"])

// An imported module of Node is read to its last property, and some of those load a dozen others (`process.stdin`,
// `fs.promises`). Here each import reads the property that it names; only `require` gets the whole module.
const builtInByName = {
  name: "built-in-by-name",
  setup(bundler) {
    bundler.onResolve({ filter: /./ }, ({ importer, kind, path: given }) => {
      if (!isBuiltin(given) || kind === "dynamic-import") return undefined
      const path = given.replace(/^node:/u, "")
      // Its only use is to check that Ink passes a function.
      if (path === "assert" && /[\\/]signal-exit[\\/]/u.test(importer)) return { path, namespace: "unchecked" }
      return { path, namespace: kind === "require-call" || seldomUsed.has(path) ? "required" : "imported" }
    })
    bundler.onLoad({ filter: /.*/, namespace: "unchecked" }, () => ({ contents: "export const equal = () => {}" }))
    const moduleOf = (path) => `process.getBuiltinModule(${JSON.stringify(path)})`
    const namesOf = (path) => Object.keys(process.getBuiltinModule(path)).map((name) => JSON.stringify(name))
    bundler.onLoad({ filter: /.*/, namespace: "imported" }, ({ path }) => {
      const names = namesOf(path)
      return {
        contents: `
          const named = (name) => ${moduleOf(path)}[name]
          const later = (name) => new Proxy({}, { get: (_, key) => named(name)[key] })
          ${names.map((name, at) => `const n${at} = /* @__PURE__ */ ${name === '"promises"' ? "later" : "named"}(${name})`).join("\n")}
          export { ${names.map((name, at) => `n${at} as ${name}`).join()} }
          export default /* @__PURE__ */ ${moduleOf(path)}`
      }
    })
    bundler.onLoad({ filter: /.*/, namespace: "required" }, ({ path }) => ({
      contents: seldomUsed.has(path)
        ? `module.exports = { ${namesOf(path)
            .map((name) => `get ${name}() { return ${moduleOf(path)}[${name}] }`)
            .join()} }`
        : `module.exports = ${moduleOf(path)}`
    }))
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

// Ink lays out boxes with an engine in WebAssembly, measures every line, and takes it apart into one object per cell to lay
// boxes over each other. Here a frame is a column of lines that never overlap, already in the form that Ink would write:
// joining them is all there is to do. It saves half of the time of a frame, and a tenth of the time to the first one.
const linesAsDrawn = {
  name: "lines-as-drawn",
  setup(bundler) {
    // The version whose renderer and uses of the engine were compared with these.
    const compared = "8.0.0"
    const versionOf = (path) => JSON.parse(readFileSync(join(dirname(path), "../package.json"), "utf8")).version
    const replaced = []
    const replace = (filter, contents) =>
      bundler.onLoad({ filter }, ({ path }) => {
        const found = typeof contents === "string" ? contents : contents(readFileSync(path, "utf8"))
        if (found !== undefined) replaced.push(path)
        return { contents: found }
      })
    replace(
      /ink[\\/]build[\\/]renderer\.js$/,
      `
      const linesOf = (node) =>
        node.nodeName === "ink-text"
          ? node.childNodes.map(({ nodeValue }) => nodeValue).join("").split("\\n")
          : node.internal_static ? [] : node.childNodes.flatMap(linesOf)
      export default (root) => {
        const lines = linesOf(root)
        const added = root.staticNode?.childNodes.flatMap(linesOf) ?? []
        return {
          output: lines.join("\\n"),
          outputHeight: lines.length,
          staticOutput: added.map((line) => line + "\\n").join("")
        }
      }`
    )
    // Ink skips the layout of elements for which the engine makes no node.
    replace(/yoga-layout[\\/]dist[\\/]src[\\/]index\.js$/, "export default { Node: { create() {} } }")
    // This program shows its errors itself; formatting them would load the packages of Ink's own page.
    replace(/ink[\\/]build[\\/]components[\\/]ErrorOverview\.js$/, "export default () => null")
    // Most lines have characters that `isPlain` knows and Ink does not; to segment the others takes longer than to compare
    // them. The first segmenter takes V8 as long as the rest of Ink: it is made when a line first needs one.
    const segmenter = "new Intl.Segmenter(undefined, { granularity: 'grapheme' })"
    const ascii = "const printableAscii = /^[ -~]*$/u;"
    bundler.onResolve({ filter: /^plain-cells$/ }, () =>
      bundler.resolve("@signalbox/operator/text/PlainCells", {
        kind: "import-statement",
        resolveDir: import.meta.dirname
      })
    )
    replace(/ink[\\/]build[\\/]line-update\.js$/, (file) =>
      file.includes(`const segmenter = ${segmenter};`) && file.includes(ascii)
        ? file
            .replace(segmenter, `{ segment: (text) => (made ??= ${segmenter}).segment(text) }; let made`)
            .replace(ascii, `import { isPlain } from "plain-cells"; const printableAscii = { test: isPlain };`)
        : undefined
    )
    bundler.onEnd(() => {
      const [version] = replaced.filter((path) => path.endsWith("renderer.js")).map(versionOf)
      return replaced.length === 4 && version === compared
        ? undefined
        : { errors: [{ text: `Ink ${version} is not Ink ${compared}: compare the files that are replaced here` }] }
    })
  }
}

/** The plugins of esbuild that a bundle with the terminal UI needs. */
export const plugins = [builtInByName, noStyles, oneMeasure, linesAsDrawn]

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
