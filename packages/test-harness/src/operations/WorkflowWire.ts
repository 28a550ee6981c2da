import type {
  NotificationGroup,
  NotificationStep,
  NotificationTrigger,
  StepFilter,
  StepMetadata,
  SubscriberPreferenceChannels,
  TriggerVariable,
  Workflow
} from "@signalbox/core/Records"
import type { JsonObject } from "@signalbox/core/internal/reading/JsonObject"
import { type EnvironmentState, layoutId } from "../state/EnvironmentState.ts"
import * as Random from "../random/Random.ts"
import type { StepRecord, WorkflowRecord } from "../state/Records.ts"
import type { Switches } from "../switches/Switches.ts"
import { notSent, partIds, present } from "./WireRecord.ts"

const subscriberVariables = { email: "email", sms: "phone" } as const

export const triggersWire = (
  state: EnvironmentState,
  switches: Switches,
  workflow: WorkflowRecord
): ReadonlyArray<NotificationTrigger> => {
  const ids = (kind: string, number: number) => () =>
    Random.objectId(Random.hash(state.idSeed, workflow.id), kind, number)
  const isObserved = switches["response.extraFields"] !== "none"
  const needed = Object.entries(subscriberVariables).filter(([channel]) =>
    workflow.steps.some(({ type }) => type === channel)
  )
  const variable = (kind: string, name: string, at: number): TriggerVariable =>
    Object.assign(
      { name },
      isObserved && kind === "variable" ? { type: "String" } : {},
      partIds(switches, ids(kind, at))
    )
  return [
    present<NotificationTrigger>({
      type: "event",
      identifier: workflow.identifier,
      variables: workflow.variables.map((name, at) => variable("variable", name, at)),
      ...(isObserved ? { reservedVariables: [] } : {}),
      subscriberVariables: needed.map(([, name], at) => variable("subscriber-variable", name, at)),
      ...partIds(switches, ids("trigger", 1))
    })
  ]
}

export const filtersWire = (switches: Switches, step: StepRecord): ReadonlyArray<StepFilter> =>
  step.filters.map(({ isNegated, type, value, children }, group) => ({
    ...(switches["step.filters"] === "complete" ? { isNegated, type } : {}),
    value,
    children: children.map((child, at) => ({
      ...child,
      ...(switches["enum.values"] === "known" ? {} : { on: "previousStep" }),
      ...partIds(switches, () => Random.objectId(Random.hash(step.id, group), "condition", at))
    }))
  }))

/** Waiting time of a step; `undefined` if it does not wait. */
export const metadataWire = (step: StepRecord): StepMetadata | undefined => {
  if (step.wait === undefined || !["digest", "delay"].includes(step.type)) return undefined
  const { amount, unit } = step.wait
  return present<StepMetadata>({
    amount,
    unit,
    digestKey: step.type === "digest" ? step.digestKey : undefined,
    type: "regular",
    backoff: notSent,
    backoffAmount: notSent,
    backoffUnit: notSent,
    updateMode: notSent,
    timed: notSent,
    delayPath: notSent
  })
}

/** The user who made all workflows of an environment. */
const creatorId = ({ idSeed }: EnvironmentState): string => Random.objectId(idSeed, "member", 1)

/** Template of a step, as complete as the switches select. */
export const templateWire = (state: EnvironmentState, switches: Switches, step: StepRecord): JsonObject | undefined => {
  switch (switches["step.template"]) {
    case "absent":
      return undefined
    case "stub":
      return { type: step.type }
    case "full": {
      const isEmail = step.type === "email"
      return present<JsonObject>({
        type: step.type,
        content: step.content ?? "",
        contentType: isEmail ? "customHtml" : undefined,
        variables: [],
        _feedId: null,
        _layoutId: isEmail ? layoutId(state) : null,
        [step.type === "push" ? "title" : "subject"]: step.subject,
        senderName: isEmail ? "" : undefined,
        _creatorId: creatorId(state)
      })
    }
  }
}

/** The wire form of a workflow, as messages embed it. */
export const workflowWire = (state: EnvironmentState, switches: Switches, workflow: WorkflowRecord): Workflow => {
  const group = Random.objectId(state.idSeed, "notification-group", 1)
  const channels = new Set(workflow.steps.map(({ type }) => type))
  return present<Workflow>({
    _id: workflow.id,
    name: workflow.name,
    description: workflow.description,
    active: workflow.active,
    draft: false,
    critical: workflow.critical,
    tags: workflow.tags,
    preferenceSettings: present<SubscriberPreferenceChannels>({
      email: channels.has("email"),
      sms: channels.has("sms"),
      in_app: channels.has("in_app"),
      chat: channels.has("chat"),
      push: channels.has("push")
    }),
    steps: workflow.steps.map((step) =>
      present<NotificationStep>({
        _id: step.id,
        uuid: Random.uuid(state.idSeed, step.id),
        name: step.name,
        _templateId: step.templateId,
        active: step.active,
        shouldStopOnFail: step.stopOnFail,
        filters: filtersWire(switches, step),
        metadata: metadataWire(step),
        template: templateWire(state, switches, step),
        _parentId: notSent,
        replyCallback: notSent,
        variants: notSent
      })
    ),
    triggers: triggersWire(state, switches, workflow),
    _organizationId: state.organizationId,
    _environmentId: state.environmentId,
    _creatorId: creatorId(state),
    _notificationGroupId: group,
    notificationGroup: present<NotificationGroup>({
      _id: group,
      name: "General",
      _organizationId: state.organizationId,
      _environmentId: state.environmentId,
      _parentId: notSent
    }),
    _parentId: notSent,
    data: notSent,
    workflowIntegrationStatus: notSent,
    deleted: false,
    // The document makes both required, even for workflows that were not deleted.
    deletedAt: "",
    deletedBy: ""
  })
}
