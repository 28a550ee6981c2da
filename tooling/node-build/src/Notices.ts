/**
 * Licence notices of the third-party code in a bundle: most licences demand that copies carry them.
 */
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs"
import { dirname, join, resolve } from "node:path"
import type { Metafile } from "esbuild"

/** The name of the notices in a published package. */
export const noticesFile = "THIRD-PARTY-NOTICES.txt"

/** The folder of the installed package that a module belongs to; `undefined` for a module of this repository. */
const packageFolder = (module: string): string | undefined => {
  const folder = dirname(module)
  if (folder === module) return undefined
  const isPackage = existsSync(join(folder, "package.json")) && /node_modules\/(?:@[^/]+\/)?[^/]+$/u.test(folder)
  return isPackage ? folder : packageFolder(folder)
}

interface Manifest {
  readonly name: string
  readonly version: string
  readonly license?: string
  readonly author?: string | { readonly name: string }
  readonly contributors?: ReadonlyArray<string | { readonly name: string }>
}

/** The MIT licence, for packages that declare it and have no file with its text. */
const mitText = (holder: string): string => `Copyright (c) ${holder}

Permission is hereby granted, free of charge, to any person obtaining a copy of this software and associated
documentation files (the "Software"), to deal in the Software without restriction, including without limitation the
rights to use, copy, modify, merge, publish, distribute, sublicense, and/or sell copies of the Software, and to permit
persons to whom the Software is furnished to do so, subject to the following conditions:

The above copyright notice and this permission notice shall be included in all copies or substantial portions of the
Software.

THE SOFTWARE IS PROVIDED "AS IS", WITHOUT WARRANTY OF ANY KIND, EXPRESS OR IMPLIED, INCLUDING BUT NOT LIMITED TO THE
WARRANTIES OF MERCHANTABILITY, FITNESS FOR A PARTICULAR PURPOSE AND NONINFRINGEMENT. IN NO EVENT SHALL THE AUTHORS OR
COPYRIGHT HOLDERS BE LIABLE FOR ANY CLAIM, DAMAGES OR OTHER LIABILITY, WHETHER IN AN ACTION OF CONTRACT, TORT OR
OTHERWISE, ARISING FROM, OUT OF OR IN CONNECTION WITH THE SOFTWARE OR THE USE OR OTHER DEALINGS IN THE SOFTWARE.`

/** Returns the standard licence text for a package that declares a licence but ships no licence file. */
const standardText = ({ license, ...manifest }: Manifest): string => {
  switch (license) {
    case "MIT":
      return mitText(holderOf(manifest))
    case "Apache-2.0":
      return `Copyright (c) ${holderOf(manifest)}\n\n${readFileSync(new URL("../licences/Apache-2.0.txt", import.meta.url), "utf8").trim()}`
    default:
      throw new Error(`${manifest.name} has no licence file`)
  }
}

const holderOf = ({ author, contributors = [], name }: Manifest): string => {
  const person = author ?? contributors[0]
  return (typeof person === "string" ? person : person?.name) ?? `the authors of ${name}`
}

const noticeOf = (folder: string): string => {
  const manifest: Manifest = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"))
  const file = readdirSync(folder).find((name) => /^(?:licen[cs]e|copying)(?:\.|$)/iu.test(name))
  const text = file === undefined ? standardText(manifest) : readFileSync(join(folder, file), "utf8").trim()
  return `${manifest.name} ${manifest.version} (${manifest.license ?? "no licence"})\n\n${text}\n`
}

/** The notices of modules by their paths, each package once; `undefined` when no module is third-party. */
export const noticesOf = (modules: Iterable<string>): string | undefined => {
  const folders = new Set(
    [...modules].filter((path) => path.includes("node_modules/")).flatMap((path) => packageFolder(resolve(path)) ?? [])
  )
  const notices = [...new Set([...folders].map(noticeOf))].toSorted()
  if (notices.length === 0) return undefined
  const line = `${"-".repeat(80)}\n`
  return `This package contains code of the following packages.\n\n${line}${notices.join(`\n${line}`)}`
}

/** The paths of the modules that an esbuild bundle has code of. */
export const modulesIn = ({ outputs }: Metafile): ReadonlyArray<string> =>
  Object.values(outputs).flatMap(({ inputs }) =>
    Object.entries(inputs).flatMap(([path, { bytesInOutput }]) => (bytesInOutput > 0 ? [path] : []))
  )

/** Writes the notices of an esbuild bundle into a folder. */
export const writeNotices = (metafile: Metafile, folder: string): void => {
  const notices = noticesOf(modulesIn(metafile))
  if (notices !== undefined) writeFileSync(join(folder, noticesFile), notices)
}
