import * as Effect from "effect/Effect"
import * as Command from "effect/cli/Command"
import * as Flag from "effect/cli/Flag"
import { connectionFlag, yesFlag } from "../../connection/ConnectionFlags.ts"
import { subscriberId } from "../../flags/Flags.ts"
import { outputFlags } from "../../output/OutputFlags.ts"
import { fieldFlags } from "./FieldFlags.ts"

const secretForms = "Give @FILE, - for stdin or env:NAME; without it, it is asked for."

const textField = ({ description, name }: { readonly name: string; readonly description: string }) =>
  Flag.String(name).pipe(Flag.withMetavar("TEXT"), Flag.optional, Flag.withDescription(description))

const upsert = Command.make(
  "upsert",
  {
    subscriber: subscriberId("The subscriber that gets the credentials."),
    provider: Flag.String("provider").pipe(
      Flag.withAlias("p"),
      Flag.withMetavar("ID"),
      Flag.withDescription("The chat or push provider, for example slack or fcm.")
    ),
    integration: Flag.String("integration").pipe(
      Flag.withMetavar("ID"),
      Flag.optional,
      Flag.withDescription("The integration, where the environment has several of the provider.")
    ),
    webhookUrl: Flag.String(fieldFlags.webhookUrl.name).pipe(
      Flag.withMetavar("SECRET"),
      Flag.optional,
      Flag.withDescription(`${fieldFlags.webhookUrl.description} ${secretForms}`)
    ),
    deviceTokens: Flag.String(fieldFlags.deviceTokens.name).pipe(
      Flag.withMetavar("SECRET"),
      Flag.atLeast(0),
      Flag.withDescription(`${fieldFlags.deviceTokens.description} ${secretForms}`)
    ),
    channel: textField(fieldFlags.channel),
    alertUid: textField(fieldFlags.alertUid),
    title: textField(fieldFlags.title),
    imageUrl: textField(fieldFlags.imageUrl),
    state: textField(fieldFlags.state),
    externalUrl: textField(fieldFlags.externalUrl),
    dryRun: Flag.Boolean("dry-run").pipe(
      Flag.withDefault(false),
      Flag.withDescription("Print the request with its secrets redacted, and send nothing.")
    ),
    ...yesFlag,
    ...connectionFlag,
    ...outputFlags
  },
  (input) =>
    Effect.flatMap(
      Effect.promise(() => import("./Upsert.ts")),
      ({ upsert }) => upsert(input)
    )
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
