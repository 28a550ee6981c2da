import * as Effect from "effect/Effect"
import * as Command from "effect/cli/Command"

/** Prints the API document. */
export const openApi = Command.make("openapi", {}, () =>
  Effect.flatMap(
    Effect.promise(() => import("./PrintOpenApi.ts")),
    ({ printOpenApi }) => printOpenApi
  )
).pipe(
  Command.withDescription("Print the OpenAPI document of the service."),
  Command.withExamples([{ command: "signalbox openapi > openapi.json" }])
)
