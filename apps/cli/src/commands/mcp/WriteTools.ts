/**
 * The tools that write; each asks the user of the client first.
 */
import { messageMarks, phraseOf, subscriberPath } from "@signalbox/core/Operations"
import { Credentials, type CredentialsInput } from "@signalbox/core/Credentials"
import { Messages } from "@signalbox/core/Messages"
import { channelProviderIds, isKnownChannelProviderId } from "@signalbox/core/Records"
import { expectedOneOf } from "@signalbox/core/Nearest"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import type { Connection } from "../../connection/Connection.ts"
import { usage } from "../../failure/CommandError.ts"
import { Process } from "../../process/Process.ts"
import { fieldsOf } from "../credentials/FieldFlags.ts"
import { checkedToken, checkedUrl } from "../credentials/Secrets.ts"
import type { Confirmation } from "./Confirmation.ts"
import { addTool, cut, fitting } from "./McpTool.ts"

/** The options of the write tools. */
export interface WriteToolsOptions {
  readonly connection: Connection
  readonly confirmation: Confirmation
}

/** Variables that a tool may read: a model must not be able to name any other secret of the machine. */
const secretPrefix = "SIGNALBOX_SECRET_"

const secretName = new RegExp(`^${secretPrefix}\\w+$`, "u")

const longestId = 200

const hidden = String.raw`\p{Control}\p{Format}\p{Unassigned}\p{Surrogate}\p{Default_Ignorable_Code_Point}\p{Line_Separator}\p{Paragraph_Separator}`

/** With enough spaces, the text after them looks like another line. A braille pattern without dots is as empty as a space. */
const wideSpace = String.raw`(?! )[\p{White_Space}\u{2800}]| {2}`

const unclear = new RegExp(`[${hidden}]|${wideSpace}`, "u")

/** An id as a person can check it: no character that is invisible, or that changes what is read. */
const plainId = Schema.String.check(
  Schema.makeFilter((text) =>
    unclear.test(text)
      ? "must have no control character, no invisible character and no space other than single ones"
      : true
  ),
  // Last, since JSON Schema takes the description of an id from its last check.
  Schema.isBetweenLength(1, longestId)
)

const id = (description: string) => plainId.annotate({ description })

const subscriberField = id(`${phraseOf(subscriberPath.subscriberId)}.`)

const placeOf = ({ baseUrl = "the demo", name }: Connection): ReadonlyArray<readonly [string, string]> => [
  ["Connection", name],
  ["Address", baseUrl]
]

const addMarkMessages = ({ confirmation, connection }: WriteToolsOptions) =>
  addTool({
    name: "mark_messages",
    title: "Mark messages",
    description:
      "Marks messages of one subscriber. The user confirms. Safe to retry. notReturned has the ids of which the service returned no message: it has none with that id for this subscriber.",
    effects: "writes",
    input: {
      subscriberId: subscriberField,
      messageIds: Schema.Array(plainId).check(Schema.isBetweenLength(1, 100)),
      markAs: Schema.Literals(messageMarks)
    },
    output: { marked: Schema.Int, notReturned: Schema.Array(Schema.String), omitted: Schema.Int },
    handle: Effect.fnUntraced(function* ({ markAs, messageIds, subscriberId }) {
      const question = yield* confirmation.confirm({
        action: `mark messages as ${markAs}`,
        fields: [...placeOf(connection), ["Subscriber", subscriberId], ["Messages", messageIds]],
        request: { tool: "mark_messages", subscriberId, messageIds, markAs }
      })
      if (question !== undefined) return question
      const { messages, notReturned } = yield* Messages.use((service) =>
        service.markManyAs(subscriberId, messageIds, markAs)
      )
      const { items, omitted } = fitting(notReturned.map((one) => cut(one, 100)))
      return { marked: messages.length, notReturned: items, omitted }
    })
  })

const readSecret = Effect.fnUntraced(function* (variable: string) {
  const { environment } = yield* Process
  const value = environment[variable]?.trim() ?? ""
  return value === "" ? yield* usage(`secretVariable: ${cut(variable, 100)} is not set for the server`) : value
})

const addUpsertCredentials = ({ confirmation, connection }: WriteToolsOptions) =>
  addTool({
    name: "upsert_credentials",
    title: "Set credentials",
    description: `Replaces the webhook URL (chat) or adds the device token (push) of a subscriber; a token that is added twice may be stored twice. The secret comes from an environment variable of the server whose name starts with ${secretPrefix}, never from the call. The user confirms.`,
    effects: "adds",
    input: {
      subscriberId: subscriberField,
      providerId: id("For example slack or fcm."),
      secretVariable: plainId
        .check(Schema.isPattern(secretName, { expected: `a name that starts with ${secretPrefix}` }))
        .annotate({ description: `Name of the variable, for example ${secretPrefix}SLACK.` }),
      integrationIdentifier: Schema.optionalKey(id("Where the environment has several integrations of the provider."))
    },
    output: { subscriberId: Schema.String, providers: Schema.Array(Schema.String) },
    handle: Effect.fnUntraced(function* ({ integrationIdentifier, providerId, secretVariable, subscriberId }) {
      if (!isKnownChannelProviderId(providerId)) {
        const expected = expectedOneOf(providerId, channelProviderIds)
        return yield* usage(`providerId: unknown provider "${cut(providerId, 60)}"; ${expected}`)
      }
      const secret = yield* readSecret(secretVariable)
      const isPush = fieldsOf(providerId).includes("deviceTokens")
      const credentials = isPush
        ? { deviceTokens: [yield* checkedToken(secretVariable, secret, providerId)] }
        : { webhookUrl: yield* checkedUrl(secretVariable, secret) }
      const request = {
        providerId,
        credentials,
        ...(integrationIdentifier === undefined ? {} : { integrationIdentifier })
        // The provider is known and its field was chosen above; the type cannot follow that.
      } as CredentialsInput
      const question = yield* confirmation.confirm({
        action: isPush ? "add a device token to those stored" : "set the webhook URL, replacing the one stored",
        fields: [
          ...placeOf(connection),
          ["Subscriber", subscriberId],
          ["Provider", providerId],
          ["Integration", integrationIdentifier ?? "the provider's only one"],
          ["Secret from the variable", secretVariable]
        ],
        request: { tool: "upsert_credentials", subscriberId, request }
      })
      if (question !== undefined) return question
      const subscriber = yield* Credentials.use((service) => service.upsert(subscriberId, request))
      return {
        subscriberId: cut(subscriber.subscriberId, 100),
        providers: (subscriber.channels ?? []).slice(0, 30).map((channel) => cut(channel.providerId, 60))
      }
    })
  })

/** Registers the tools that write. */
export const addWriteTools = Effect.fnUntraced(function* (options: WriteToolsOptions) {
  yield* addMarkMessages(options)
  yield* addUpsertCredentials(options)
})
