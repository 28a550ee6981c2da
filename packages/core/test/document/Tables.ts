/**
 * The tables of the API document, copied from its text and not from the schemas: `field | type | required`.
 *
 * Types are written as in the document; a name is an enumeration or another table. An `object` is free-form, as are
 * fields that the document marks as "not shown".
 */
export const tables: Readonly<Record<string, string>> = {
  Subscriber: `
    _id | string | no
    firstName | string or null | no
    lastName | string or null | no
    email | string or null | no
    phone | string or null | no
    avatar | string or null | no
    locale | string or null | no
    channels | array of ChannelSettings | no
    topics | array of string | no
    isOnline | boolean or null | no
    lastOnlineAt | string or null | no
    __v | number | no
    data | object or null | no
    timezone | string or null | no
    subscriberId | string | yes
    _organizationId | string | yes
    _environmentId | string | yes
    deleted | boolean | yes
    createdAt | string | yes
    updatedAt | string | yes`,
  ChannelSettings: `
    providerId | ChannelProviderId | yes
    integrationIdentifier | string | no
    credentials | ChannelCredentials | yes
    _integrationId | string | yes`,
  ChannelCredentials: `
    webhookUrl | string | no
    channel | string | no
    deviceTokens | array of string | no
    alertUid | string | no
    title | string | no
    imageUrl | string | no
    state | string | no
    externalUrl | string | no`,
  Message: `
    _id | string | no
    _templateId | string or null | no
    _environmentId | string | yes
    _messageTemplateId | string or null | no
    _organizationId | string | yes
    _notificationId | string | yes
    _subscriberId | string | yes
    subscriber | Subscriber | no
    template | Workflow | no
    templateIdentifier | string | no
    createdAt | string | yes
    deliveredAt | array of string | no
    lastSeenDate | string | no
    lastReadDate | string | no
    content | array of EmailBlock or string | no
    transactionId | string | yes
    subject | string | no
    channel | Channel | yes
    read | boolean | yes
    seen | boolean | yes
    snoozedUntil | string | no
    email | string | no
    phone | string | no
    directWebhookUrl | string | no
    providerId | string | no
    deviceTokens | array of string | no
    title | string | no
    cta | MessageCTA | yes
    _feedId | string or null | no
    status | MessageStatus | yes
    errorId | string | no
    errorText | string | no
    payload | object | no
    overrides | object | no
    contextKeys | array of string | no`,
  Workflow: `
    name | string | yes
    description | string | yes
    active | boolean | yes
    draft | boolean | yes
    preferenceSettings | SubscriberPreferenceChannels | yes
    critical | boolean | yes
    tags | array of string | yes
    steps | array of NotificationStep | yes
    _organizationId | string | yes
    _creatorId | string | yes
    _environmentId | string | yes
    triggers | array of NotificationTrigger | yes
    _notificationGroupId | string | yes
    deleted | boolean | yes
    deletedAt | string | yes
    deletedBy | string | yes
    _id | string | no
    _parentId | string | no
    notificationGroup | NotificationGroup | no
    data | object | no
    workflowIntegrationStatus | object | no`,
  SubscriberPreferenceChannels: `
    email | boolean | no
    sms | boolean | no
    in_app | boolean | no
    chat | boolean | no
    push | boolean | no`,
  NotificationGroup: `
    name | string | yes
    _environmentId | string | yes
    _organizationId | string | yes
    _id | string | no
    _parentId | string | no`,
  NotificationTrigger: `
    type | TriggerType | yes
    identifier | string | yes
    variables | array of TriggerVariable | yes
    subscriberVariables | array of TriggerVariable | no`,
  TriggerVariable: `
    name | string | yes`,
  NotificationStepVariant: `
    _id | string | no
    uuid | string | no
    name | string | no
    _templateId | string | no
    active | boolean | no
    shouldStopOnFail | boolean | no
    template | object | no
    filters | array of StepFilter | no
    _parentId | string | no
    metadata | DigestRegularMetadata or DigestTimedMetadata or DelayRegularMetadata or DelayScheduledMetadata | no
    replyCallback | ReplyCallback | no`,
  NotificationStep: `
    _id | string | no
    uuid | string | no
    name | string | no
    _templateId | string | no
    active | boolean | no
    shouldStopOnFail | boolean | no
    template | object | no
    filters | array of StepFilter | no
    _parentId | string | no
    metadata | DigestRegularMetadata or DigestTimedMetadata or DelayRegularMetadata or DelayScheduledMetadata | no
    replyCallback | ReplyCallback | no
    variants | array of NotificationStepVariant | no`,
  ReplyCallback: `
    active | boolean | no
    url | string | no`,
  StepFilter: `
    isNegated | boolean | yes
    type | FilterType | yes
    value | FilterValue | yes
    children | array of FieldFilterPart | yes`,
  FieldFilterPart: `
    field | string | yes
    value | string | yes
    operator | FilterOperator | yes
    on | FilterSource | yes`,
  DigestRegularMetadata: `
    type | RegularOrBackoff | yes
    amount | number | no
    unit | Unit | no
    digestKey | string | no
    backoff | boolean | no
    backoffAmount | number | no
    backoffUnit | Unit | no
    updateMode | boolean | no`,
  DigestTimedMetadata: `
    type | Timed | yes
    amount | number | no
    unit | Unit | no
    digestKey | string | no
    timed | TimedConfig | no`,
  DelayRegularMetadata: `
    type | Regular | yes
    amount | number | no
    unit | Unit | no`,
  DelayScheduledMetadata: `
    type | Scheduled | yes
    delayPath | string | yes`,
  TimedConfig: `
    atTime | string | no
    weekDays | array of WeekDay | no
    monthDays | array of string | no
    ordinal | Ordinal | no
    ordinalValue | OrdinalValue | no
    monthlyType | MonthlyType | no`,
  EmailBlock: `
    type | EmailBlockType | yes
    content | string | yes
    url | string | no
    styles | EmailBlockStyles | no`,
  EmailBlockStyles: `
    textAlign | TextAlign | yes`,
  MessageCTA: `
    type | CallToActionType | no
    data | MessageCTAData | no
    action | MessageAction | no`,
  MessageCTAData: `
    url | string | no`,
  MessageAction: `
    status | ActionStatus | no
    buttons | array of MessageButton | no
    result | MessageActionResult | no`,
  MessageActionResult: `
    payload | object | no
    type | ButtonType | no`,
  MessageButton: `
    type | ButtonType | yes
    content | string | yes
    resultContent | string | no`,
  ActivityNotification: `
    _id | string | no
    _environmentId | string | yes
    _organizationId | string | yes
    _subscriberId | string | yes
    transactionId | string | yes
    _templateId | string | no
    _digestedNotificationId | string | no
    createdAt | string | no
    updatedAt | string | no
    channels | array of JobType | no
    subscriber | ActivitySubscriber | no
    template | ActivityTemplate | no
    jobs | array of ActivityJob | no
    payload | object | no
    tags | array of string | no
    controls | object | no
    to | object | no
    topics | array of ActivityTopic | no
    severity | Severity | no
    critical | boolean | no
    contextKeys | array of string | no`,
  ActivitySubscriber: `
    subscriberId | string | yes
    _id | string | yes
    firstName | string | no
    lastName | string | no
    email | string | no
    phone | string | no`,
  ActivityTemplate: `
    name | string | yes
    triggers | array of NotificationTrigger | yes
    _id | string | no
    origin | Origin | no`,
  ActivityTopic: `
    _topicId | string | yes
    topicKey | string | yes`,
  ActivityJob: `
    _id | string | yes
    type | JobType | yes
    digest | DigestMetadata | no
    executionDetails | array of ExecutionDetail | yes
    step | ActivityStep | yes
    overrides | object | no
    payload | object | no
    providerId | JobProviderId | yes
    status | string | yes
    updatedAt | string | no
    scheduleExtensionsCount | number | no`,
  DigestMetadata: `
    type | DigestType | yes
    digestKey | string | no
    amount | number | no
    unit | Unit | no
    events | array of object | no
    backoff | boolean | no
    backoffAmount | number | no
    backoffUnit | Unit | no
    updateMode | boolean | no
    timed | DigestTimedConfig | no`,
  DigestTimedConfig: `
    atTime | string | no
    weekDays | array of WeekDay | no
    monthDays | array of number | no
    ordinal | Ordinal | no
    ordinalValue | OrdinalValue | no
    monthlyType | MonthlyType | no
    cronExpression | string | no
    untilDate | string | no`,
  ExecutionDetail: `
    _id | string | yes
    createdAt | string | no
    status | ExecutionDetailStatus | yes
    detail | string | yes
    isRetry | boolean | yes
    isTest | boolean | yes
    providerId | JobProviderId | no
    raw | string or null | no
    source | ExecutionDetailSource | yes`,
  ActivityStep: `
    _id | string | yes
    active | boolean | yes
    filters | array of StepFilter | yes
    _templateId | string | yes
    replyCallback | object | no
    controlVariables | object | no
    metadata | object | no
    issues | object | no
    template | object | no
    variants | array of ActivityStep | no
    name | string | no
    _parentId | string or null | no`,
  EventPage: `
    hasMore | boolean | yes
    data | array of ActivityNotification | yes
    pageSize | number | yes
    page | number | yes`,
  CredentialsUpsertPayload: `
    providerId | ChannelProviderId | yes
    integrationIdentifier | string | no
    credentials | ChannelCredentials | yes`,
  MessagesMarkAsPayload: `
    messageId | string or array of string | yes
    markAs | MarkAs | yes`,
  EventsListQuery: `
    channels | array of string | no
    templates | array of string or string | no
    emails | array of string or string | no
    search | string | no
    subscriberIds | array of string or string | no
    severity | array of string or string | no
    page | page number | no
    limit | page size | no
    transactionId | string | no
    topicKey | string | no
    contextKeys | array of string | no
    after | string | no
    before | string | no`
}

/** The numbers that the document bounds, by the words of the tables. */
export const bounds: Readonly<Record<string, { readonly minimum: number; readonly maximum?: number }>> = {
  "page number": { minimum: 0 },
  "page size": { minimum: 1, maximum: 50 }
}
