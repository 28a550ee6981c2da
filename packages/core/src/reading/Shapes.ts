// Generated from the schemas by `pnpm --filter @signalbox/core run readers`; a test compares the two.
import { credentialsUpsertPositions, eventsListPositions, messagesMarkAsPositions } from "../contract/Positions.ts"
import type { Fields, Known, OneOf, OperationWire } from "../contract/Shape.ts"
import type { EventPage, Message, Subscriber } from "../models/Records.ts"

const credentialsUpsertParams: Fields = {
  fields: {
    subscriberId: { of: "string", checks: [{ expected: "a subscriber id that is not \"\", \".\" or \"..\"", not: ["", ".", ".."] }] }
  }
}

const credentialsUpsertPayloadProviderId: OneOf = { oneOf: ["slack", "discord", "msteams", "mattermost", "ryver", "zulip", "grafana-on-call", "getstream", "rocket-chat", "whatsapp-business", "chat-webhook", "service-slack", "fcm", "apns", "expo", "one-signal", "pushpad", "push-webhook", "pusher-beams", "appio"] }

const channelCredentials: Fields = {
  name: "ChannelCredentials",
  fields: {
    webhookUrl: ["string"],
    channel: ["string"],
    deviceTokens: [{ items: "string" }],
    alertUid: ["string"],
    title: ["string"],
    imageUrl: ["string"],
    state: ["string"],
    externalUrl: ["string"]
  }
}

const credentialsUpsertPayload: Fields = {
  name: "CredentialsUpsertPayload",
  fields: {
    providerId: credentialsUpsertPayloadProviderId,
    integrationIdentifier: ["string"],
    credentials: channelCredentials
  }
}

const channelSettingsProviderId: Known = { known: ["slack", "discord", "msteams", "mattermost", "ryver", "zulip", "grafana-on-call", "getstream", "rocket-chat", "whatsapp-business", "chat-webhook", "service-slack", "fcm", "apns", "expo", "one-signal", "pushpad", "push-webhook", "pusher-beams", "appio"] }

const channelSettings: Fields = {
  fields: {
    providerId: channelSettingsProviderId,
    integrationIdentifier: ["string"],
    credentials: channelCredentials,
    _integrationId: "string"
  }
}

const subscriber: Fields = {
  fields: {
    _id: ["string"],
    firstName: [{ anyOf: ["string", "null"] }],
    lastName: [{ anyOf: ["string", "null"] }],
    email: [{ anyOf: ["string", "null"] }],
    phone: [{ anyOf: ["string", "null"] }],
    avatar: [{ anyOf: ["string", "null"] }],
    locale: [{ anyOf: ["string", "null"] }],
    channels: [{ anyOf: [{ items: channelSettings }, "null"], nullIsDrift: true }],
    topics: [{ items: "string" }],
    isOnline: [{ anyOf: ["boolean", "null"] }],
    lastOnlineAt: [{ anyOf: ["string", "null"] }],
    __v: ["number"],
    data: [{ anyOf: ["record", "null"] }],
    timezone: [{ anyOf: ["string", "null"] }],
    subscriberId: "string",
    _organizationId: "string",
    _environmentId: "string",
    deleted: "boolean",
    createdAt: "string",
    updatedAt: "string"
  }
}

/** The wire of the operation `credentials.upsert`. */
export const credentialsUpsertWire: OperationWire<Subscriber, "credentials.upsert"> = {
  name: "credentials.upsert",
  method: "PATCH",
  path: "/v1/subscribers/:subscriberId/credentials",
  positions: credentialsUpsertPositions,
  params: credentialsUpsertParams,
  payload: credentialsUpsertPayload,
  read: subscriber
}

const messagesMarkAsPayloadMarkAs: OneOf = { oneOf: ["read", "seen", "unread", "unseen"] }

const messagesMarkAsPayload: Fields = {
  name: "MessagesMarkAsPayload",
  fields: {
    messageId: { anyOf: ["string", { items: "string" }] },
    markAs: messagesMarkAsPayloadMarkAs
  }
}

const subscriberPreferenceChannels: Fields = {
  name: "SubscriberPreferenceChannels",
  fields: {
    email: ["boolean"],
    sms: ["boolean"],
    in_app: ["boolean"],
    chat: ["boolean"],
    push: ["boolean"]
  }
}

const stepFilterType: Known = { known: ["BOOLEAN", "TEXT", "DATE", "NUMBER", "STATEMENT", "LIST", "MULTI_LIST", "GROUP"] }

const stepFilterValue: Known = { known: ["AND", "OR"] }

const fieldFilterPartOperator: Known = { known: ["LARGER", "SMALLER", "LARGER_EQUAL", "SMALLER_EQUAL", "EQUAL", "NOT_EQUAL", "ALL_IN", "ANY_IN", "NOT_IN", "BETWEEN", "NOT_BETWEEN", "LIKE", "NOT_LIKE", "IN"] }

const fieldFilterPartOn: Known = { known: ["subscriber", "payload"] }

const fieldFilterPart: Fields = {
  fields: {
    field: ["string", { requiredWhere: { field: "on", in: ["subscriber", "payload"] } }],
    value: ["string", { requiredWhere: { field: "on", in: ["subscriber", "payload"] } }],
    operator: [fieldFilterPartOperator, { requiredWhere: { field: "on", in: ["subscriber", "payload"] } }],
    on: fieldFilterPartOn
  }
}

const stepFilter: Fields = {
  fields: {
    isNegated: ["boolean", {  }],
    type: [stepFilterType, {  }],
    value: stepFilterValue,
    children: { items: fieldFilterPart }
  }
}

const stepMetadataType: Known = { known: ["regular", "backoff", "timed", "scheduled"] }

const stepMetadataUnit: Known = { known: ["seconds", "minutes", "hours", "days", "weeks", "months"] }

const timedConfigWeekDay: Known = { known: ["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"] }

const timedConfigOrdinal: Known = { known: [1, 2, 3, 4, 5, "last"], numbers: true }

const timedConfigOrdinalValue: Known = { known: ["day", "weekday", "weekend", "sunday", "monday", "tuesday", "wednesday", "thursday", "friday", "saturday"] }

const timedConfigMonthlyType: Known = { known: ["each", "on"] }

const timedConfig: Fields = {
  fields: {
    atTime: ["string"],
    weekDays: [{ items: timedConfigWeekDay }],
    monthDays: [{ items: "string" }],
    ordinal: [timedConfigOrdinal],
    ordinalValue: [timedConfigOrdinalValue],
    monthlyType: [timedConfigMonthlyType]
  }
}

const stepMetadata: Fields = {
  fields: {
    type: stepMetadataType,
    amount: ["number"],
    unit: [stepMetadataUnit],
    digestKey: ["string"],
    backoff: ["boolean"],
    backoffAmount: ["number"],
    backoffUnit: [stepMetadataUnit],
    updateMode: ["boolean"],
    timed: [timedConfig],
    delayPath: ["string", { requiredWhere: { field: "type", in: ["scheduled"] } }]
  }
}

const replyCallback: Fields = {
  name: "ReplyCallback",
  fields: {
    active: ["boolean"],
    url: ["string"]
  }
}

const notificationStepVariant: Fields = {
  fields: {
    _id: ["string"],
    uuid: ["string"],
    name: ["string"],
    _templateId: ["string"],
    active: ["boolean"],
    shouldStopOnFail: ["boolean"],
    template: ["record"],
    filters: [{ items: stepFilter }],
    _parentId: ["string"],
    metadata: [stepMetadata],
    replyCallback: [replyCallback]
  }
}

const notificationStep: Fields = {
  fields: {
    _id: ["string"],
    uuid: ["string"],
    name: ["string"],
    _templateId: ["string"],
    active: ["boolean"],
    shouldStopOnFail: ["boolean"],
    template: ["record"],
    filters: [{ items: stepFilter }],
    _parentId: ["string"],
    metadata: [stepMetadata],
    replyCallback: [replyCallback],
    variants: [{ items: notificationStepVariant }]
  }
}

const notificationTriggerType: Known = { known: ["event"] }

const triggerVariable: Fields = {
  name: "TriggerVariable",
  fields: {
    name: "string"
  }
}

const notificationTrigger: Fields = {
  fields: {
    type: notificationTriggerType,
    identifier: "string",
    variables: { items: triggerVariable },
    subscriberVariables: [{ items: triggerVariable }]
  }
}

const notificationGroup: Fields = {
  name: "NotificationGroup",
  fields: {
    name: "string",
    _environmentId: "string",
    _organizationId: "string",
    _id: ["string"],
    _parentId: ["string"]
  }
}

const workflow: Fields = {
  fields: {
    name: "string",
    description: "string",
    active: "boolean",
    draft: "boolean",
    preferenceSettings: subscriberPreferenceChannels,
    critical: "boolean",
    tags: { items: "string" },
    steps: { items: notificationStep },
    _organizationId: "string",
    _creatorId: "string",
    _environmentId: "string",
    triggers: { items: notificationTrigger },
    _notificationGroupId: "string",
    deleted: "boolean",
    deletedAt: "string",
    deletedBy: "string",
    _id: ["string"],
    _parentId: ["string"],
    notificationGroup: [notificationGroup],
    data: ["record"],
    workflowIntegrationStatus: ["record"]
  }
}

const emailBlockType: Known = { known: ["button", "text"] }

const emailBlockStylesTextAlign: Known = { known: ["center", "left", "right"] }

const emailBlockStyles: Fields = {
  fields: {
    textAlign: emailBlockStylesTextAlign
  }
}

const emailBlock: Fields = {
  fields: {
    type: emailBlockType,
    content: "string",
    url: ["string"],
    styles: [emailBlockStyles]
  }
}

const messageChannel: Known = { known: ["in_app", "email", "sms", "chat", "push"] }

const messageCTAType: Known = { known: ["redirect"] }

const messageCTAData: Fields = {
  name: "MessageCTAData",
  fields: {
    url: ["string"]
  }
}

const messageActionStatus: Known = { known: ["pending", "done"] }

const messageButtonType: Known = { known: ["primary", "secondary"] }

const messageButton: Fields = {
  fields: {
    type: messageButtonType,
    content: "string",
    resultContent: ["string"]
  }
}

const messageActionResult: Fields = {
  fields: {
    payload: ["record"],
    type: [messageButtonType]
  }
}

const messageAction: Fields = {
  fields: {
    status: [messageActionStatus],
    buttons: [{ items: messageButton }],
    result: [messageActionResult]
  }
}

const messageCTA: Fields = {
  fields: {
    type: [messageCTAType],
    data: [messageCTAData],
    action: [messageAction]
  }
}

const messageStatus: Known = { known: ["sent", "error", "warning"] }

const message: Fields = {
  fields: {
    _id: ["string"],
    _templateId: [{ anyOf: ["string", "null"] }],
    _environmentId: "string",
    _messageTemplateId: [{ anyOf: ["string", "null"] }],
    _organizationId: "string",
    _notificationId: "string",
    _subscriberId: "string",
    subscriber: [subscriber],
    template: [workflow],
    templateIdentifier: ["string"],
    createdAt: "string",
    deliveredAt: [{ items: "string" }],
    lastSeenDate: ["string"],
    lastReadDate: ["string"],
    content: [{ anyOf: [{ items: emailBlock }, "string", "null"], nullIsDrift: true }],
    transactionId: "string",
    subject: ["string"],
    channel: messageChannel,
    read: "boolean",
    seen: "boolean",
    snoozedUntil: ["string"],
    email: ["string"],
    phone: ["string"],
    directWebhookUrl: ["string"],
    providerId: ["string"],
    deviceTokens: [{ items: "string" }],
    title: ["string"],
    cta: [messageCTA, {  }],
    _feedId: [{ anyOf: ["string", "null"] }],
    status: messageStatus,
    errorId: ["string"],
    errorText: ["string"],
    payload: ["record"],
    overrides: ["record"],
    contextKeys: [{ items: "string" }]
  }
}

/** The wire of the operation `messages.markAs`. */
export const messagesMarkAsWire: OperationWire<ReadonlyArray<Message>, "messages.markAs"> = {
  name: "messages.markAs",
  method: "POST",
  path: "/v1/subscribers/:subscriberId/messages/mark-as",
  positions: messagesMarkAsPositions,
  params: credentialsUpsertParams,
  payload: messagesMarkAsPayload,
  read: { items: message }
}

const eventsListQuery: Fields = {
  fields: {
    channels: [{ items: "string" }],
    templates: [{ anyOf: ["string", { items: "string" }] }],
    emails: [{ anyOf: ["string", { items: "string" }] }],
    search: ["string"],
    subscriberIds: [{ anyOf: ["string", { items: "string" }] }],
    severity: [{ anyOf: ["string", { items: "string" }] }],
    page: [{ of: "number", checks: [{ expected: "an integer", integer: true }, { expected: "a value greater than or equal to 0", minimum: 0 }] }],
    limit: [{ of: "number", checks: [{ expected: "an integer", integer: true }, { expected: "a value between 1 and 50", minimum: 1, maximum: 50 }] }],
    transactionId: ["string"],
    topicKey: ["string"],
    contextKeys: [{ items: "string", emptyMeansNone: true }],
    after: ["string"],
    before: ["string"],
    subscriptionId: ["string"]
  }
}

const activityNotificationChannel: Known = { known: ["in_app", "email", "sms", "chat", "push", "digest", "trigger", "delay", "throttle", "custom"] }

const activitySubscriber: Fields = {
  name: "ActivitySubscriber",
  fields: {
    subscriberId: "string",
    _id: "string",
    firstName: ["string"],
    lastName: ["string"],
    email: ["string"],
    phone: ["string"]
  }
}

const activityTemplateOrigin: Known = { known: ["service-cloud", "service-cloud-v1", "external"] }

const activityTemplate: Fields = {
  fields: {
    name: "string",
    triggers: { items: notificationTrigger },
    _id: ["string"],
    origin: [activityTemplateOrigin]
  }
}

const digestMetadataType: Known = { known: ["regular", "backoff", "timed"] }

const digestTimedConfig: Fields = {
  fields: {
    atTime: ["string"],
    weekDays: [{ items: timedConfigWeekDay }],
    monthDays: [{ items: "number" }],
    ordinal: [timedConfigOrdinal],
    ordinalValue: [timedConfigOrdinalValue],
    monthlyType: [timedConfigMonthlyType],
    cronExpression: ["string"],
    untilDate: ["string"]
  }
}

const digestMetadata: Fields = {
  fields: {
    type: digestMetadataType,
    digestKey: ["string"],
    amount: ["number"],
    unit: [stepMetadataUnit],
    events: [{ items: { anyOf: ["record", "null"], nullIsDrift: true } }],
    backoff: ["boolean"],
    backoffAmount: ["number"],
    backoffUnit: [stepMetadataUnit],
    updateMode: ["boolean"],
    timed: [digestTimedConfig]
  }
}

const executionDetailStatus: Known = { known: ["Success", "Warning", "Failed", "Pending", "Queued", "ReadConfirmation"] }

const executionDetailProviderId: Known = { known: ["emailjs", "mailgun", "mailjet", "mandrill", "nodemailer", "postmark", "sendgrid", "sendinblue", "ses", "netcore", "infobip-email", "resend", "plunk", "mailersend", "mailtrap", "clickatell", "outlook365", "service-email", "sparkpost", "email-webhook", "braze", "nexmo", "plivo", "sms77", "sms-central", "sns", "telnyx", "twilio", "gupshup", "firetext", "infobip-sms", "burst-sms", "bulk-sms", "isend-sms", "forty-six-elks", "kannel", "maqsam", "termii", "africas-talking", "service-sms", "sendchamp", "generic-sms", "clicksend", "bandwidth", "messagebird", "simpletexting", "azure-sms", "ring-central", "brevo-sms", "eazy-sms", "mobishastra", "afro-message", "unifonic", "smsmode", "imedia", "sinch", "fcm", "apns", "expo", "one-signal", "pushpad", "push-webhook", "pusher-beams", "appio", "service", "slack", "discord", "msteams", "mattermost", "ryver", "zulip", "grafana-on-call", "getstream", "rocket-chat", "whatsapp-business", "chat-webhook", "service-slack"] }

const executionDetailSource: Known = { known: ["Credentials", "Internal", "Payload", "Webhook"] }

const executionDetail: Fields = {
  fields: {
    _id: "string",
    createdAt: ["string"],
    status: executionDetailStatus,
    detail: "string",
    isRetry: "boolean",
    isTest: "boolean",
    providerId: [executionDetailProviderId],
    raw: [{ anyOf: ["string", "null"] }],
    source: executionDetailSource
  }
}

const activityStep: Fields = {
  fields: {
    _id: "string",
    active: "boolean",
    filters: { items: stepFilter },
    _templateId: "string",
    replyCallback: ["record"],
    controlVariables: ["record"],
    metadata: ["record"],
    issues: ["record"],
    template: ["record"],
    name: ["string"],
    _parentId: [{ anyOf: ["string", "null"] }],
    variants: [{ items: { nested: () => activityStep } }]
  }
}

const activityJob: Fields = {
  fields: {
    _id: "string",
    type: activityNotificationChannel,
    digest: [digestMetadata],
    executionDetails: { items: executionDetail },
    step: activityStep,
    overrides: ["record"],
    payload: ["record"],
    providerId: [executionDetailProviderId, { expectedWhere: { field: "type", in: ["digest", "delay", "throttle", "custom"] } }],
    status: "string",
    updatedAt: ["string"],
    scheduleExtensionsCount: ["number"]
  }
}

const activityTopic: Fields = {
  name: "ActivityTopic",
  fields: {
    _topicId: "string",
    topicKey: "string"
  }
}

const activityNotificationSeverity: Known = { known: ["high", "medium", "low", "none"] }

const activityNotification: Fields = {
  fields: {
    _id: ["string"],
    _environmentId: "string",
    _organizationId: "string",
    _subscriberId: "string",
    transactionId: "string",
    _templateId: ["string"],
    _digestedNotificationId: ["string"],
    createdAt: ["string"],
    updatedAt: ["string"],
    channels: [{ items: activityNotificationChannel }],
    subscriber: [activitySubscriber],
    template: [activityTemplate],
    jobs: [{ items: activityJob }],
    payload: ["record"],
    tags: [{ items: "string" }],
    controls: ["record"],
    to: ["record"],
    topics: [{ items: activityTopic }],
    severity: [activityNotificationSeverity],
    critical: ["boolean"],
    contextKeys: [{ items: "string" }]
  }
}

const eventPage: Fields = {
  fields: {
    hasMore: "boolean",
    data: { items: activityNotification },
    pageSize: "number",
    page: "number"
  }
}

/** The wire of the operation `events.list`. */
export const eventsListWire: OperationWire<EventPage, "events.list"> = {
  name: "events.list",
  method: "GET",
  path: "/v1/notifications",
  positions: eventsListPositions,
  query: eventsListQuery,
  read: eventPage
}

/** The wire of every operation, by its name. */
export const wires = {
  "credentials.upsert": credentialsUpsertWire,
  "messages.markAs": messagesMarkAsWire,
  "events.list": eventsListWire
} as const

const anyProviderPayload: Fields = {
  fields: {
    providerId: { of: "string", checks: [{ expected: "a value with a length of at least 1", not: [""] }] },
    integrationIdentifier: ["string"],
    credentials: channelCredentials
  }
}

/** The payload of an upsert for a provider that this version need not know. */
export const anyProviderShape: Fields = anyProviderPayload
