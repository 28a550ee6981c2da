import { execFileSync } from "node:child_process"
import { mkdirSync, readdirSync, symlinkSync } from "node:fs"
import { createRequire } from "node:module"
import { dirname, join, sep } from "node:path"
import { fileURLToPath } from "node:url"

const root = fileURLToPath(new URL("../../..", import.meta.url))
const require = createRequire(import.meta.url)

/** The folder an installed package lives in, for a link to it. */
const installedFolder = (name: string): string => {
  const found = require.resolve(name)
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

/** Fills `folder/node_modules` with our packages as they are published, and with links to what they and the peers need. */
export const installPacked = (folder: string, linked: ReadonlyArray<string>): void => {
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
