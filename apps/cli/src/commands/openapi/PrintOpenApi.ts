import { outlet } from "@signalbox/operator/outlet/Outlet"
import * as Effect from "effect/Effect"
import document from "../../../../../openapi.json" with { type: "json" }
import { Process } from "../../process/Process.ts"

/** Prints the document of the repository, unchanged. */
export const printOpenApi = Effect.flatMap(Process, ({ write }) =>
  write(outlet("own").text(`${JSON.stringify(document, null, 2)}\n`))
)
