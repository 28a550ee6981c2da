import type { ChannelSettings, Subscriber } from "@signalbox/core/Records"
import type { EnvironmentState } from "../state/EnvironmentState.ts"
import type { ChannelRecord, SubscriberRecord } from "../state/Records.ts"
import type { Switches } from "../switches/Switches.ts"
import { extraFields, present, wireTime } from "./WireRecord.ts"

const channelWire = (switches: Switches, channel: ChannelRecord): ChannelSettings =>
  present<ChannelSettings>({
    _integrationId: channel.integrationId,
    integrationIdentifier:
      switches["credentials.integrationIdentifier"] === "returned" ? channel.integrationIdentifier : undefined,
    providerId: channel.providerId,
    credentials: channel.credentials
  })

export const subscriberWire = (
  state: EnvironmentState,
  switches: Switches,
  subscriber: SubscriberRecord
): Subscriber => {
  const unset = switches["subscriber.unset"] === "null" ? null : undefined
  const topics = switches["subscriber.topics"]
  return present<Subscriber>({
    _id: subscriber.id,
    ...(switches["subscriber.extraFields"] === "id" ? { id: subscriber.id } : {}),
    subscriberId: subscriber.subscriberId,
    _organizationId: state.organizationId,
    _environmentId: state.environmentId,
    firstName: subscriber.firstName ?? unset,
    lastName: subscriber.lastName ?? unset,
    email: subscriber.email ?? unset,
    phone: subscriber.phone ?? unset,
    avatar: subscriber.avatar ?? unset,
    locale: subscriber.locale ?? unset,
    timezone: subscriber.timezone ?? unset,
    data: subscriber.data ?? unset,
    channels: subscriber.channels.map((channel) => channelWire(switches, channel)),
    topics: topics === "absent" ? undefined : topics === "empty" ? [] : subscriber.topics,
    isOnline: subscriber.isOnline,
    lastOnlineAt: subscriber.lastOnlineAt === undefined ? unset : wireTime(switches, subscriber.lastOnlineAt),
    deleted: subscriber.deleted,
    createdAt: wireTime(switches, subscriber.createdAt),
    updatedAt: wireTime(switches, subscriber.updatedAt),
    __v: subscriber.version,
    ...extraFields(switches)
  })
}
