import * as Argument from "effect/cli/Argument"
import * as Command from "effect/cli/Command"
import * as Flag from "effect/cli/Flag"
import { connectionFlag, yesFlag } from "../../connection/ConnectionFlags.ts"
import { keyValue, oneOfArgument, switchFlag, textFlag } from "../../flags/Flags.ts"
import { outputFlags } from "../../output/OutputFlags.ts"
import { handledBy } from "../HandledBy.ts"

const apiFlags = {
  method: oneOfArgument("method", ["GET", "POST", "PUT", "PATCH", "DELETE"]).pipe(
    Argument.withDescription("GET, POST, PUT, PATCH or DELETE.")
  ),
  path: Argument.String("path").pipe(
    Argument.withDescription("The path below the base URL, such as /v1/topics; its identifiers are percent-encoded.")
  ),
  fields: keyValue("field").pipe(
    Flag.withAlias("f"),
    Flag.atLeast(0),
    Flag.withDescription(
      "A query parameter of a GET, and of a request with --input; a field of the JSON body otherwise, where to.id=u_1 is a field of an object. Give a name twice for a list. Values are strings."
    )
  ),
  input: textFlag(
    "input",
    "FILE",
    "The file with the JSON body, or - for stdin: for secrets, and for values that are not strings."
  ),
  paginate: switchFlag("paginate", "Request the pages that follow, as long as the response says hasMore."),
  ...yesFlag,
  ...connectionFlag,
  json: switchFlag("json", "Print errors as JSON, too."),
  quiet: outputFlags.quiet
}

/** The input of `api`. */
export type ApiInput = Command.Command.Config.Infer<typeof apiFlags>

/** Sends a request to any endpoint. */
export const api = Command.make(
  "api",
  apiFlags,
  handledBy(() => import("./CallEndpoint.ts"), "callEndpoint")
).pipe(
  Command.withDescription(
    "Send a request to any endpoint of the service, and print its response as NDJSON: the records of a list or a page line by line, every other response as one line. Secrets are redacted. A write is retried only where it was not applied."
  ),
  Command.withShortDescription("Send a request to any endpoint of the service."),
  Command.withExamples([
    {
      command: "signalbox api GET /v1/notifications -f channels=email --paginate",
      description: "Every record of a listing"
    },
    {
      command: "signalbox api POST /v1/events/trigger -f name=welcome -f to.subscriberId=u_1 --yes",
      description: "In a script"
    },
    { command: "signalbox api POST /v1/events/trigger --input event.json --yes", description: "A body from a file" }
  ])
)
