/**
 * Bundles what runs in the page: the worker, and the modules that examples import.
 */
import { build } from "esbuild"
import { join } from "node:path"
import { modules } from "../playground/Modules.ts"

const entryOf = (home: string, specifier: string): string =>
  specifier === "@signalbox/test-harness" ? join(home, "playground", "Fake.ts") : specifier

/** Writes `playground/*.js` into `folder`; all of it shares its chunks, so there is one fake and one Effect. */
export const bundlePlayground = async (home: string, folder: string): Promise<void> => {
  const nameOf = (path: string): string => path.replace(/^\/playground\/|\.js$/g, "")
  await build({
    absWorkingDir: home,
    entryPoints: {
      main: join(home, "playground", "main.ts"),
      worker: join(home, "playground", "Worker.ts"),
      ...Object.fromEntries(Object.entries(modules).map(([name, path]) => [nameOf(path), entryOf(home, name)]))
    },
    outdir: folder,
    bundle: true,
    splitting: true,
    chunkNames: "chunks/[hash]",
    format: "esm",
    platform: "browser",
    target: "es2024",
    minify: true,
    keepNames: true,
    legalComments: "none"
  })
}
