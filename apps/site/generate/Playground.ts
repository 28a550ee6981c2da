/**
 * Bundles what runs programs in the page: the worker, the modules that programs import, the inspector, the compiler with
 * our declarations, the scenarios, and the service worker that keeps all of them.
 */
import { build, type Plugin } from "esbuild"
import { createHash } from "node:crypto"
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs"
import { createRequire } from "node:module"
import { dirname, join } from "node:path"
import { modules } from "../playground/Modules.ts"
import type { Scenario } from "../playground/Workbench.ts"
import { entryFiles } from "./Declarations.ts"
import { repository } from "./Sources.ts"

const entryOf = (home: string, specifier: string): string =>
  specifier === "@signalbox/test-harness" ? join(home, "playground", "Fake.ts") : specifier

const require = createRequire(import.meta.url)

const entries = entryFiles()

const effectFolder = join(dirname(require.resolve("effect/package.json")), "dist")

const fakePages = join(repository, "packages", "test-harness", "src", "pages")

const compilerFolder = dirname(require.resolve("typescript-5"))

const imports = /(?:\bfrom|\bimport\(?)\s*"([^"]+)"/g

const references = /<reference lib="([^"]+)"/g

/** The declaration file that a module names, and where the compiler in the page finds it. */
const declarationOf = (specifier: string, from: string): string | undefined => {
  if (specifier.startsWith(".")) return join(from, "..", specifier.replace(/\.(?:js|ts)$/, ".d.ts"))
  if (specifier.startsWith("effect/")) {
    const [direct, index] = [`${specifier.slice(7)}.d.ts`, `${specifier.slice(7)}/index.d.ts`]
    return [direct, index].map((file) => join(effectFolder, file)).find(existsSync)
  }
  return entries.get(specifier)
}

/** The path of a declaration file in the page. */
const placeOf = (file: string): string => {
  if (file.startsWith(effectFolder)) return `/node_modules/effect/${file.slice(effectFolder.length + 1)}`
  return file.replace(join(repository, "packages"), "/node_modules/@signalbox").replace("/dist/", "/")
}

/** The declarations that specifiers need, by their paths in the page, without those that are known. */
const declarationsOf = (
  specifiers: ReadonlyArray<string>,
  known: Readonly<Record<string, string>> = {}
): Record<string, string> => {
  const found: Record<string, string> = {}
  const open = (file: string | undefined): void => {
    if (file === undefined || !existsSync(file) || placeOf(file) in found || placeOf(file) in known) return
    const text = readFileSync(file, "utf8")
    found[placeOf(file)] = file.startsWith(effectFolder) ? text.replaceAll(/\/\*\*[\s\S]*?\*\//g, "") : text
    for (const [, specifier = ""] of text.matchAll(imports)) open(declarationOf(specifier, file))
  }
  for (const specifier of specifiers) {
    const file = declarationOf(specifier, "")
    open(file)
    // The specifier, where the file has another name.
    const place = `/node_modules/${specifier}`
    if (file !== undefined && ![`${place}.d.ts`, `${place}/index.d.ts`].includes(placeOf(file))) {
      found[`${place}.d.ts`] = `export * from "${placeOf(file).replace(".d.ts", "")}"`
    }
  }
  return found
}

/** The declarations of the language and of a worker. */
const libraries = (): Record<string, string> => {
  const found: Record<string, string> = {}
  const open = (name: string): void => {
    const place = `/lib/lib.${name}.d.ts`
    if (place in found) return
    found[place] = readFileSync(join(compilerFolder, `lib.${name}.d.ts`), "utf8")
    for (const [, other = ""] of (found[place] ?? "").matchAll(references)) open(other)
  }
  for (const name of ["esnext", "webworker"]) open(name)
  return found
}

/** All declarations that the compiler in the page has: those of every program, and those of programs with Effect. */
export const declarations = (): { readonly own: Record<string, string>; readonly effect: Record<string, string> } => {
  const usesEffect = (specifier: string): boolean => /(?:^effect|\/effect)(?:$|\/)/.test(specifier)
  const specifiers = Object.keys(modules)
  const own = { ...libraries(), ...declarationsOf(specifiers.filter((specifier) => !usesEffect(specifier))) }
  return { own, effect: declarationsOf(specifiers.filter(usesEffect), own) }
}

/** The scenarios: the first line of each file is its title. */
export const scenarios = (home: string): ReadonlyArray<Scenario> =>
  readdirSync(join(home, "playground", "scenarios"))
    .sort()
    .map((file) => {
      const [title = "", ...lines] = readFileSync(join(home, "playground", "scenarios", file), "utf8").split("\n")
      return {
        name: file.replace(/^\d+-|\.ts$/g, ""),
        title: title.replace("// ", ""),
        code: lines.join("\n").trimEnd()
      }
    })

/** The inspector of the fake's server, which gets what it shows from the page instead. */
const withoutServer = (home: string): Plugin => ({
  name: "inspector without a server",
  setup: ({ onResolve }) => {
    onResolve({ filter: /\/ControlClient\.ts$/ }, () => ({ path: join(home, "playground", "ControlClient.ts") }))
  }
})

/** Modules of Node that the compiler imports and does not need in a page. */
const withoutNode: Plugin = {
  name: "no modules of Node",
  setup: ({ onLoad, onResolve }) => {
    onResolve({ filter: /^(?:fs|path|os|inspector|perf_hooks|module|source-map-support)$/ }, ({ path }) => ({
      path,
      namespace: "absent"
    }))
    onLoad({ filter: /./, namespace: "absent" }, () => ({ contents: "module.exports = {}" }))
  }
}

const inspectorPage = (style: string): string => `<!doctype html>
<html lang="en">
  <meta charset="utf-8">
  <title>Requests and state of the fake</title>
  <style>${style} body > header { padding: 6px 10px } header :is(h1, a, .live, .lost) { display: none } main { padding: 10px }</style>
  <script type="module" src="/playground/inspector.js"></script>
  <body></body>
</html>
`

/** Writes the playground into the folder of public files. All modules share their chunks, so there is one fake and one Effect. */
export const bundlePlayground = async (home: string, assets: string): Promise<void> => {
  const folder = join(assets, "playground")
  const shared = {
    absWorkingDir: home,
    bundle: true,
    format: "esm",
    platform: "browser",
    target: "es2024",
    minify: true,
    legalComments: "none",
    metafile: true
  } as const
  const nameOf = (path: string): string => path.replace(/^\/playground\/|\.js$/g, "")
  const { metafile } = await build({
    ...shared,
    entryPoints: {
      main: join(home, "playground", "main.ts"),
      worker: join(home, "playground", "Worker.ts"),
      ...Object.fromEntries(Object.entries(modules).map(([name, path]) => [nameOf(path), entryOf(home, name)]))
    },
    outdir: folder,
    splitting: true,
    chunkNames: "chunks/[hash]",
    keepNames: true
  })
  await build({
    ...shared,
    entryPoints: { inspector: join(fakePages, "Inspector.tsx") },
    outdir: folder,
    jsx: "automatic",
    jsxImportSource: "preact",
    plugins: [withoutServer(home)]
  })
  await build({
    ...shared,
    entryPoints: { types: join(home, "playground", "TypeWorker.ts") },
    outdir: folder,
    plugins: [withoutNode]
  })
  const { effect, own } = declarations()
  const style = readFileSync(join(fakePages, "style.css"), "utf8")
  const written = {
    "types.json": JSON.stringify(own),
    "types-effect.json": JSON.stringify(effect),
    "scenarios.json": JSON.stringify(scenarios(home)),
    "inspector.html": inspectorPage(style)
  }
  mkdirSync(folder, { recursive: true })
  for (const [file, text] of Object.entries(written)) writeFileSync(join(folder, file), text)

  // The compiler is large: it is stored once it was used.
  const files = [
    ...Object.keys(metafile.outputs).map((path) => `/playground/${path.slice(path.indexOf("playground/") + 11)}`),
    ...["inspector.js", "inspector.html", "scenarios.json"].map((file) => `/playground/${file}`),
    "/playground/"
  ]
  const digest = createHash("sha256")
  for (const file of files.slice(0, -1)) digest.update(readFileSync(join(assets, file)))
  await build({
    ...shared,
    entryPoints: { sw: join(home, "playground", "ServiceWorker.ts") },
    outdir: assets,
    define: { __STORED__: JSON.stringify({ cache: digest.digest("hex").slice(0, 16), files }) }
  })
}
