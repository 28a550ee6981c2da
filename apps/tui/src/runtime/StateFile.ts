import { mkdirSync, renameSync, writeFileSync } from "node:fs"
import { dirname } from "node:path"
import { outlet } from "@signalbox/operator/outlet/Outlet"
import { systemReason } from "@signalbox/operator/text/SystemReason"

/** Replaces a JSON file that only its owner can read, whole or not at all; returns why that failed. */
export const replaceStateFile = (path: string, content: unknown): string | undefined => {
  if (path.startsWith("~")) return "HOME is not set"
  const part = `${path}.${process.pid}`
  try {
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 })
    writeFileSync(part, outlet("files").json(content), { mode: 0o600 })
    renameSync(part, path)
    return undefined
  } catch (error) {
    return `${path}: ${systemReason(error)}`
  }
}
