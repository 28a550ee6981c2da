import { mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs"
import { dirname } from "node:path"
import {
  type CauseChange,
  changed,
  type KnownCauses,
  knownCausesPath,
  knownCausesText,
  noKnownCauses,
  parseKnownCauses
} from "@signalbox/operator/connections/KnownCauses"
import { systemReason } from "@signalbox/operator/text/SystemReason"

type Environment = Readonly<Record<string, string | undefined>>

/** The known causes of a connection; nothing where the file does not exist or cannot be read. */
export const readCauses = (environment: Environment, connection: string): KnownCauses => {
  try {
    return parseKnownCauses(readFileSync(knownCausesPath(environment, connection), "utf8"))
  } catch {
    return noKnownCauses
  }
}

/** Changes the file, which another session may have changed meanwhile; returns why it could not. */
export const keepCauses = (environment: Environment, connection: string, change: CauseChange): string | undefined => {
  const path = knownCausesPath(environment, connection)
  if (path.startsWith("~")) return "HOME is not set"
  const part = `${path}.${process.pid}`
  try {
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 })
    writeFileSync(part, knownCausesText(changed(readCauses(environment, connection), change)), { mode: 0o600 })
    renameSync(part, path)
    return undefined
  } catch (error) {
    return `${path}: ${systemReason(error)}`
  }
}
