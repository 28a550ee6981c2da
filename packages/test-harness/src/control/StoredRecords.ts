import { isSecretName } from "@signalbox/core/Redaction"
import type { JournalEntry } from "../journal/JournalEntry.ts"
import { sentBy } from "../journal/OpenEntry.ts"
import type { EnvironmentRecords } from "../state/EnvironmentRecords.ts"
import { isMarkedAs } from "../state/Records.ts"
import { isJsonObject, type JsonObject } from "@signalbox/core/internal/reading/JsonObject"

export interface ComparedField {
  readonly field: string
  readonly sent: string
  readonly stored: string
  readonly isEqual: boolean
}

/** A value for people; of a secret only how many values it has. */
const shown = (name: string, value: unknown): string => {
  if (value === undefined) return "nothing"
  if (!isSecretName(name)) return JSON.stringify(value)
  return Array.isArray(value) ? `${value.length} × <redacted>` : "<redacted>"
}

const field = (name: string, sent: unknown, stored: unknown): ComparedField => ({
  field: name,
  sent: shown(name, sent),
  stored: shown(name, stored),
  isEqual: JSON.stringify(sent) === JSON.stringify(stored)
})

const credentialFields = (
  { subscribers }: EnvironmentRecords,
  subscriberId: string | undefined,
  { credentials, integrationIdentifier, providerId }: JsonObject
): ReadonlyArray<ComparedField> => {
  const channel = subscribers
    .find((one) => one.subscriberId === subscriberId)
    ?.channels.find(
      (one) =>
        one.providerId === providerId &&
        (integrationIdentifier === undefined || one.integrationIdentifier === integrationIdentifier)
    )
  const stored: Readonly<Record<string, unknown>> = { ...channel?.credentials }
  return [
    field("providerId", providerId, channel?.providerId),
    ...Object.entries(isJsonObject(credentials) ? credentials : {}).map(([name, value]) =>
      field(name, value, stored[name])
    )
  ]
}

const messageFields = (
  { messages }: EnvironmentRecords,
  { markAs, messageId }: JsonObject
): ReadonlyArray<ComparedField> =>
  [messageId].flat().map((id) => {
    const message = messages.find((one) => one.id === id)
    return {
      field: `message ${String(id)}`,
      sent: String(markAs),
      stored:
        message === undefined
          ? "no such message"
          : `${message.read ? "read" : "unread"}, ${message.seen ? "seen" : "unseen"}`,
      isEqual: message !== undefined && isMarkedAs(markAs, message)
    }
  })

/** The fields of a write next to what is stored now; empty for a read, and where the journal does not keep the body. */
export const comparedWithStored = (records: EnvironmentRecords, entry: JournalEntry): ReadonlyArray<ComparedField> => {
  const { body } = sentBy(entry)
  if (body._tag === "Omitted" || !isJsonObject(body.value)) return []
  switch (entry.operation) {
    case "credentials.upsert":
      return credentialFields(records, entry.subscriberId, body.value)
    case "messages.markAs":
      return messageFields(records, body.value)
    default:
      return []
  }
}
