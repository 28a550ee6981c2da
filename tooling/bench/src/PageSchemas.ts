import * as KnownValues from "@signalbox/core/internal/contract/KnownValues"
import * as zod from "zod"

const record = zod.record(zod.string(), zod.unknown())
const unit = zod.enum(KnownValues.timeUnits)
const jobType = zod.enum(KnownValues.jobTypes)
const jobProvider = zod.enum(KnownValues.jobProviderIds)
const variable = zod.object({ name: zod.string() })
const trigger = zod.object({
  type: zod.enum(["event"]),
  identifier: zod.string(),
  variables: zod.array(variable),
  subscriberVariables: zod.optional(zod.array(variable))
})
const filter = zod.object({
  isNegated: zod.boolean(),
  type: zod.enum(KnownValues.filterTypes),
  value: zod.enum(KnownValues.filterValues),
  children: zod.array(
    zod.object({
      field: zod.string(),
      value: zod.string(),
      operator: zod.enum(KnownValues.filterOperators),
      on: zod.enum(KnownValues.filterSources)
    })
  )
})
const step = zod.object({
  _id: zod.string(),
  active: zod.boolean(),
  filters: zod.array(filter),
  _templateId: zod.optional(zod.string()),
  replyCallback: zod.optional(record),
  controlVariables: zod.optional(record),
  metadata: zod.optional(record),
  issues: zod.optional(record),
  template: zod.optional(record),
  get variants() {
    return zod.optional(zod.array(step))
  },
  name: zod.optional(zod.string()),
  _parentId: zod.optional(zod.nullable(zod.string()))
})
const executionDetail = zod.object({
  _id: zod.string(),
  createdAt: zod.optional(zod.string()),
  status: zod.enum(KnownValues.executionDetailStatuses),
  detail: zod.string(),
  isRetry: zod.boolean(),
  isTest: zod.boolean(),
  providerId: zod.optional(jobProvider),
  raw: zod.optional(zod.nullable(zod.string())),
  source: zod.enum(KnownValues.executionDetailSources)
})
const weekday = zod.enum(KnownValues.weekDays)
const digest = zod.object({
  type: zod.enum(KnownValues.digestTypes),
  digestKey: zod.optional(zod.string()),
  amount: zod.optional(zod.number()),
  unit: zod.optional(unit),
  events: zod.optional(zod.array(record)),
  backoff: zod.optional(zod.boolean()),
  backoffAmount: zod.optional(zod.number()),
  backoffUnit: zod.optional(unit),
  updateMode: zod.optional(zod.boolean()),
  timed: zod.optional(
    zod.object({
      atTime: zod.optional(zod.string()),
      weekDays: zod.optional(zod.array(weekday)),
      monthDays: zod.optional(zod.array(zod.number())),
      ordinal: zod.optional(zod.literal(KnownValues.ordinals)),
      ordinalValue: zod.optional(zod.enum(KnownValues.ordinalValues)),
      monthlyType: zod.optional(zod.enum(KnownValues.monthlyTypes)),
      cronExpression: zod.optional(zod.string()),
      untilDate: zod.optional(zod.string())
    })
  )
})
const job = zod.object({
  _id: zod.string(),
  type: jobType,
  digest: zod.optional(digest),
  executionDetails: zod.array(executionDetail),
  step,
  overrides: zod.optional(record),
  payload: zod.optional(record),
  providerId: jobProvider,
  status: zod.string(),
  updatedAt: zod.optional(zod.string()),
  scheduleExtensionsCount: zod.optional(zod.number())
})
const notification = zod.object({
  _id: zod.optional(zod.string()),
  _environmentId: zod.string(),
  _organizationId: zod.string(),
  _subscriberId: zod.string(),
  transactionId: zod.string(),
  _templateId: zod.optional(zod.string()),
  _digestedNotificationId: zod.optional(zod.string()),
  createdAt: zod.optional(zod.string()),
  updatedAt: zod.optional(zod.string()),
  channels: zod.optional(zod.array(jobType)),
  subscriber: zod.optional(
    zod.object({
      subscriberId: zod.string(),
      _id: zod.string(),
      firstName: zod.optional(zod.string()),
      lastName: zod.optional(zod.string()),
      email: zod.optional(zod.string()),
      phone: zod.optional(zod.string())
    })
  ),
  template: zod.optional(
    zod.object({
      name: zod.string(),
      triggers: zod.array(trigger),
      _id: zod.optional(zod.string()),
      origin: zod.optional(zod.enum(KnownValues.workflowOrigins))
    })
  ),
  jobs: zod.optional(zod.array(job)),
  payload: zod.optional(record),
  tags: zod.optional(zod.array(zod.string())),
  controls: zod.optional(record),
  to: zod.optional(record),
  topics: zod.optional(zod.array(zod.object({ _topicId: zod.string(), topicKey: zod.string() }))),
  severity: zod.optional(zod.enum(KnownValues.severities)),
  critical: zod.optional(zod.boolean()),
  contextKeys: zod.optional(zod.array(zod.string()))
})
/** A page of the event listing in zod 4, field for field what the contract schema of this repository says. */
export const zodEventPage = zod.object({
  hasMore: zod.boolean(),
  data: zod.array(notification),
  pageSize: zod.number(),
  page: zod.number()
})
