import type { CredentialField } from "@signalbox/operator/diagnosis/Rule"
import * as Command from "effect/cli/Command"
import * as Flag from "effect/cli/Flag"
import { connectionFlag, yesFlag } from "../../connection/ConnectionFlags.ts"
import { subscriberId, switchFlag, textFlag } from "../../flags/Flags.ts"
import { outputFlags } from "../../output/OutputFlags.ts"
import { type FieldFlag, fieldFlags } from "./FieldFlags.ts"
import { handledBy } from "../HandledBy.ts"

const secretForms = "Give @FILE, - for stdin or env:NAME; without it, it is asked for."

const text = ({ description, name }: FieldFlag) => textFlag(name, "TEXT", description)

const secret = ({ description, name }: FieldFlag) =>
  Flag.String(name).pipe(Flag.withMetavar("SECRET"), Flag.withDescription(`${description} ${secretForms}`))

/** A new field of credentials does not compile until it has a flag. */
const fields = {
  webhookUrl: Flag.optional(secret(fieldFlags.webhookUrl)),
  deviceTokens: Flag.atLeast(secret(fieldFlags.deviceTokens), 0),
  channel: text(fieldFlags.channel),
  alertUid: text(fieldFlags.alertUid),
  title: text(fieldFlags.title),
  imageUrl: text(fieldFlags.imageUrl),
  state: text(fieldFlags.state),
  externalUrl: text(fieldFlags.externalUrl)
} satisfies Readonly<Record<CredentialField, Flag.Flag<unknown>>>

const upsertFlags = {
  subscriber: subscriberId("The subscriber that gets the credentials."),
  provider: Flag.String("provider").pipe(
    Flag.withAlias("p"),
    Flag.withMetavar("ID"),
    Flag.withDescription("The chat or push provider, for example slack or fcm.")
  ),
  integration: textFlag("integration", "ID", "The integration, where the environment has several of the provider."),
  ...fields,
  dryRun: switchFlag("dry-run", "Print the request with its secrets redacted, and send nothing."),
  ...yesFlag,
  ...connectionFlag,
  ...outputFlags
}

/** The input of `credentials upsert`. */
export type UpsertInput = Command.Command.Config.Infer<typeof upsertFlags>

const upsert = Command.make(
  "upsert",
  upsertFlags,
  handledBy(() => import("./Upsert.ts"), "upsert")
).pipe(
  Command.withDescription(
    "Create or update the credentials of a subscriber for one provider. Device tokens are added to those that exist."
  ),
  Command.withExamples([
    {
      command:
        "signalbox credentials upsert --subscriber u_1 --provider slack --webhook-url @webhook-url.txt --dry-run",
      description: "See the request first"
    },
    {
      command: "signalbox credentials upsert --subscriber u_1 --provider slack --webhook-url env:SLACK_WEBHOOK --yes",
      description: "In a script"
    },
    {
      command: "signalbox credentials upsert --subscriber u_1 --provider fcm --device-token - --yes < token.txt",
      description: "From stdin"
    }
  ])
)

/** Changing credentials of subscribers. */
export const credentials = Command.make("credentials").pipe(
  Command.withDescription("Change the provider credentials of subscribers."),
  Command.withSubcommands([upsert])
)
