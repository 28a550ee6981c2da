/**
 * A process that starts or resumes an import and may be killed at any moment.
 */
import * as Effect from "effect/Effect"
import { resume, startImport } from "../../src/index.ts"
import { clientLayer } from "../TestService.ts"

const [mode, input = "", baseUrl, apiKey = "", keys] = process.argv.slice(2)
const options = { concurrency: 16, serviceHonoursKeys: keys === "honoured" }
const run = mode === "resume" ? resume(input, options) : startImport({ input, ...options })

await Effect.runPromise(run.pipe(Effect.provide(clientLayer(apiKey, undefined, baseUrl))))
