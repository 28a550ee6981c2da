import { execFileSync } from "node:child_process"
import { mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync } from "node:fs"
import { createRequire } from "node:module"
import { tmpdir } from "node:os"
import { dirname, join, sep } from "node:path"
import { fileURLToPath } from "node:url"

const root = fileURLToPath(new URL("../../..", import.meta.url))
const require = createRequire(import.meta.url)

const resolved = (name: string): string | undefined => {
  try {
    return require.resolve(name)
  } catch {
    return undefined
  }
}

/** The folder an installed package lives in, for a link to it. */
const installedFolder = (name: string): string => {
  // Not every package has a main module, and not every one exports its manifest.
  const found = resolved(name) ?? require.resolve(`${name}/package.json`)
  const marker = `${sep}node_modules${sep}${name.replace("/", sep)}`
  const end = found.lastIndexOf(marker)
  if (end === -1) throw new Error(`${name} is not installed below a node_modules folder: ${found}`)
  return found.slice(0, end + marker.length)
}

const pack = (folder: string, destination: string): string => {
  execFileSync(join(root, "node_modules", ".bin", "pnpm"), ["pack", "--pack-destination", destination], {
    cwd: join(root, folder),
    stdio: "ignore"
  })
  const name = folder.replace("packages/", "signalbox-")
  const tarball = readdirSync(destination).find((file) => file.startsWith(`${name}-`) && file.endsWith(".tgz"))
  if (tarball === undefined) throw new Error(`pnpm pack left no tarball of ${folder}`)
  return join(destination, tarball)
}

/** Fills `folder/node_modules` with our packages as published, and with links to other packages. */
const installPacked = (folder: string, linked: ReadonlyArray<string>): void => {
  for (const name of ["core", "sdk"]) {
    const target = join(folder, "node_modules", "@signalbox", name)
    mkdirSync(target, { recursive: true })
    execFileSync("tar", ["-xzf", pack(`packages/${name}`, folder), "--strip-components", "1", "-C", target])
  }
  for (const name of linked) {
    const target = join(folder, "node_modules", name)
    mkdirSync(dirname(target), { recursive: true })
    symlinkSync(installedFolder(name), target, "dir")
  }
}

/** Packages that programs of the suites import, besides ours. */
const peers = ["effect", "@knocklabs/node", "stripe", "@novu/api", "@types/node", "undici"]

/** Uses a temporary folder in which our packages are installed as published, next to those of the peers. */
export const withPacked = async <A>(use: (folder: string) => Promise<A>): Promise<A> => {
  const folder = mkdtempSync(join(tmpdir(), "signalbox-bench-"))
  try {
    installPacked(folder, peers)
    return await use(folder)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
