import { filterKeyNames } from "@signalbox/operator/filter/FilterKey"
import * as Command from "effect/cli/Command"
import * as Flag from "effect/cli/Flag"
import { connectionFlag } from "../../connection/ConnectionFlags.ts"
import { filterArgument, idArgument, sinceFlag, switchFlag, textFlag, wholeNumber } from "../../flags/Flags.ts"
import { outputFlags } from "../../output/OutputFlags.ts"
import { handledBy } from "../HandledBy.ts"
import { list as listEvents } from "./List.ts"

const filter = filterArgument(
  `Conditions as key:value, for example status:failed after:24h; all must match, repeated keys are alternatives. Keys: ${filterKeyNames.join(", ")}.`
)

const list = Command.make(
  "list",
  {
    filter,
    limit: wholeNumber("limit", { minimum: 1, maximum: 1_000_000 }).pipe(
      Flag.optional,
      Flag.withDescription("Events to print (50 by default).")
    ),
    all: switchFlag("all", "Print all events."),
    follow: switchFlag(
      "follow",
      "Keep printing events as they arrive, and again when their result changes; of more than 5,000 unfinished events, those of the newest."
    ).pipe(Flag.withAlias("f")),
    since: sinceFlag("Print only events since then, such as 24h; the same as the condition after:24h."),
    cursor: textFlag("cursor", "CURSOR", "Continue where an earlier listing of the same filter stopped."),
    ...connectionFlag,
    ...outputFlags
  },
  listEvents
).pipe(
  Command.withDescription("List events, newest first."),
  Command.withExamples([
    { command: "signalbox events list", description: "The newest events" },
    { command: "signalbox events list status:failed after:24h", description: "Failures of the last day" },
    { command: "signalbox events list channel:email -status:ok --csv", description: "A minus negates a condition" },
    { command: "signalbox events list --all --fields time,subscriber,cause | head -3", description: "For scripts" }
  ])
)

const showFlags = {
  id: idArgument("A transaction id, or the _id of an event."),
  searchPages: wholeNumber("search-pages", { minimum: 0, maximum: 10_000 }).pipe(
    Flag.withDefault(20),
    Flag.withDescription(
      "Pages of 50 events to search for an _id, newest first (20 by default); the API cannot look one up."
    )
  ),
  ...connectionFlag,
  ...outputFlags
}

/** The input of `events show`. */
export type ShowInput = Command.Command.Config.Infer<typeof showFlags>

const show = Command.make(
  "show",
  showFlags,
  handledBy(() => import("./Show.ts"), "show")
).pipe(
  Command.withDescription("Show the events of a transaction: steps, cause of a failure, what to do."),
  Command.withExamples([
    { command: "signalbox events show txn_86c704670079", description: "By transaction" },
    { command: "signalbox events show txn_86c704670079 --json", description: "The whole record" }
  ])
)

const diagnoseFlags = {
  filter,
  limit: wholeNumber("limit", { minimum: 1, maximum: 1_000_000 }).pipe(
    Flag.optional,
    Flag.withDescription("Events to read, newest first (by default 1000, or all with after in the filter).")
  ),
  all: switchFlag("all", "Read all events."),
  since: sinceFlag("Read all events since then, such as 24h; parts of the time are read in parallel."),
  failOnFailures: switchFlag(
    "fail-on-failures",
    "Exit with 1 where an event failed or could not be read, or --limit left out a part of the filter's time."
  ),
  ...connectionFlag,
  ...outputFlags
}

/** The input of `events diagnose`. */
export type DiagnoseInput = Command.Command.Config.Infer<typeof diagnoseFlags>

const diagnose = Command.make(
  "diagnose",
  diagnoseFlags,
  handledBy(() => import("./Diagnose.ts"), "diagnose")
).pipe(
  Command.withDescription("Group failures by cause: how many, since when, why, what to do."),
  Command.withExamples([
    { command: "signalbox events diagnose", description: "What fails now" },
    { command: "signalbox events diagnose --since 24h", description: "All of the last day" },
    { command: "signalbox events diagnose after:1h channel:chat --json", description: "For scripts" },
    {
      command: "signalbox events diagnose after:15m --fail-on-failures",
      description: "As a check: exit code 1 on failures"
    }
  ])
)

/** Reading and diagnosing events. */
export const events = Command.make("events").pipe(
  Command.withDescription("List, show and diagnose events."),
  Command.withSubcommands([list, show, diagnose])
)
