import { readFileSync } from "node:fs"
import {
  type CauseChange,
  changed,
  type KnownCauses,
  knownCausesPath,
  knownCausesJson,
  noKnownCauses,
  parseKnownCauses
} from "@signalbox/operator/connections/KnownCauses"
import { replaceStateFile } from "./StateFile.ts"

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
  const causes = knownCausesJson(changed(readCauses(environment, connection), change))
  return replaceStateFile(knownCausesPath(environment, connection), causes)
}
