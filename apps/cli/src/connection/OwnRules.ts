import { existsSync } from "node:fs"
import { configFilePath } from "@signalbox/operator/connections/ConfigPath"
import { useOwnRules } from "@signalbox/operator/diagnosis/OwnRule"
import * as Effect from "effect/Effect"
import { Process } from "../process/Process.ts"
import { readConnections } from "./Connection.ts"

/** Adds the causes of the configuration file, if there is one, to the diagnosis of this process. */
export const loadOwnRules = Effect.gen(function* () {
  const { environment } = yield* Process
  const hasFile = existsSync(configFilePath(environment))
  useOwnRules(hasFile ? (yield* readConnections(environment)).rules : [])
})
