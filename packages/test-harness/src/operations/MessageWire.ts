import type { Message } from "@signalbox/core/Records"
import { type EnvironmentState, subscriberOf, workflowOf } from "../state/EnvironmentState.ts"
import * as Random from "../random/Random.ts"
import type { MessageRecord } from "../state/Records.ts"
import type { Switches } from "../switches/Switches.ts"
import { subscriberWire } from "./SubscriberWire.ts"
import { extraFields, present, stored, wireTime } from "./WireRecord.ts"
import { workflowWire } from "./WorkflowWire.ts"

export const messageWire = (state: EnvironmentState, switches: Switches, message: MessageRecord): Message => {
  const subscriber = subscriberOf(state, message.subscriberId)
  const workflow = message.workflowId === undefined ? undefined : workflowOf(state, message.workflowId)
  const embedded = switches["message.embedded"] === "present"
  const time = (at: number | undefined) => (at === undefined ? undefined : wireTime(switches, at))
  return present<Message>({
    _id: message.id,
    _templateId: message.workflowId,
    _messageTemplateId: message.templateId,
    _environmentId: state.environmentId,
    _organizationId: state.organizationId,
    _notificationId: message.eventId,
    _subscriberId: subscriber?.id ?? Random.objectId(state.idSeed, message.subscriberId, 0),
    subscriber: embedded && subscriber !== undefined ? subscriberWire(state, switches, subscriber) : undefined,
    template: embedded && workflow !== undefined ? workflowWire(state, switches, workflow) : undefined,
    templateIdentifier: workflow?.identifier,
    createdAt: wireTime(switches, message.createdAt),
    deliveredAt: message.deliveredAt?.map((at) => wireTime(switches, at)),
    lastSeenDate: time(message.lastSeenDate),
    lastReadDate: time(message.lastReadDate),
    snoozedUntil: time(message.snoozedUntil),
    content: message.content ?? (switches["message.noContent"] === "null" ? null : undefined),
    transactionId: message.transactionId,
    subject: message.subject,
    title: message.title,
    channel: message.channel,
    read: message.read,
    seen: message.seen,
    email: message.email,
    phone: message.phone,
    directWebhookUrl: message.directWebhookUrl,
    deviceTokens: message.deviceTokens ?? [],
    providerId: message.providerId,
    cta: message.cta ?? (switches["message.cta"] === "present" ? { action: { buttons: [] } } : undefined),
    _feedId: switches["message.feedId"] === "null" ? null : undefined,
    status: message.status,
    errorId: message.errorId,
    errorText: message.errorText,
    payload: stored(switches, message.payload),
    overrides: stored(switches, message.overrides),
    contextKeys: embedded ? message.contextKeys : undefined,
    ...extraFields(switches)
  })
}
