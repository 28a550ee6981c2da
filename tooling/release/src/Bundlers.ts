import { build } from "esbuild"
import { promisify } from "node:util"
import { rolldown } from "rolldown"
import { build as viteBuild } from "vite"
import webpack from "webpack"

/** Bundles `entry` of a folder as the module `outfile` of the same folder. */
export type Bundler = (folder: string, entry: string, outfile: string) => Promise<void>

/** The bundlers that the libraries are tested with, as neutral as each of them can be. */
export const bundlers: Readonly<Record<"esbuild" | "rolldown" | "vite" | "webpack", Bundler>> = {
  esbuild: async (folder, entry, outfile) => {
    await build({
      absWorkingDir: folder,
      entryPoints: [entry],
      outfile,
      bundle: true,
      minify: true,
      format: "esm",
      platform: "neutral",
      logLevel: "silent"
    })
  },
  rolldown: async (folder, entry, outfile) => {
    const bundle = await rolldown({ cwd: folder, input: entry, platform: "neutral", logLevel: "silent" })
    await bundle.write({ file: `${folder}/${outfile}`, format: "esm", minify: true })
    await bundle.close()
  },
  vite: async (folder, entry, outfile) => {
    await viteBuild({
      root: folder,
      configFile: false,
      logLevel: "silent",
      build: {
        lib: { entry, formats: ["es"], fileName: () => outfile },
        outDir: ".",
        emptyOutDir: false,
        target: "es2022"
      }
    })
  },
  webpack: async (folder, entry, outfile) => {
    const compiler = webpack({
      context: folder,
      entry: `./${entry}`,
      mode: "production",
      // Minifying would take 20 s and show nothing that esbuild's does not.
      optimization: { minimize: false },
      target: "es2022",
      experiments: { outputModule: true },
      output: { path: folder, filename: outfile, module: true }
    })
    const stats = await promisify(compiler.run.bind(compiler))()
    const problems = stats?.toJson({ all: false, errors: true }).errors ?? []
    if (problems.length > 0) throw new Error(problems.map(({ message }) => message).join("\n"))
  }
}
