/**
 * The wire form of a workflow and its steps.
 */
import type { EnvironmentState } from "../state/EnvironmentState.ts"
import * as Random from "../state/Random.ts"
import type { StepRecord, WorkflowRecord } from "../state/Records.ts"
import type { Switches } from "../switches/Switches.ts"
import { present } from "./WireRecord.ts"

/** The triggers of a workflow. */
export const triggersWire = (workflow: WorkflowRecord): ReadonlyArray<object> => [
  {
    type: "event",
    identifier: workflow.identifier,
    variables: workflow.variables.map((name) => ({ name })),
    subscriberVariables: []
  }
]

/** Conditions of a step. */
export const filtersWire = (switches: Switches, step: StepRecord): ReadonlyArray<object> =>
  step.filters.map(({ isNegated, type, value, children }) => ({
    ...(switches["step.filters"] === "complete" ? { isNegated, type } : {}),
    value,
    children:
      switches["enum.values"] === "known" ? children : children.map((child) => ({ ...child, on: "previousStep" }))
  }))

/** Waiting time of a step; `undefined` if it does not wait. */
export const metadataWire = (step: StepRecord): object | undefined => {
  if (step.wait === undefined || !["digest", "delay"].includes(step.type)) return undefined
  const { amount, unit } = step.wait
  return step.type === "digest"
    ? present({ type: "regular", amount, unit, digestKey: step.digestKey })
    : { type: "regular", amount, unit }
}

/** Template of a step, as complete as the switches select. */
export const templateWire = (switches: Switches, step: StepRecord): object | undefined => {
  switch (switches["step.template"]) {
    case "absent":
      return undefined
    case "stub":
      return { type: step.type }
    case "full":
      return present({
        type: step.type,
        name: step.name,
        subject: step.subject,
        content: step.content ?? "",
        contentType: step.type === "email" ? "customHtml" : "editor",
        variables: []
      })
  }
}

/** The wire form of a workflow, as messages embed it. */
export const workflowWire = (state: EnvironmentState, switches: Switches, workflow: WorkflowRecord): object => {
  const group = Random.objectId(state.idSeed, "notification-group", 1)
  const channels = new Set(workflow.steps.map(({ type }) => type))
  return {
    _id: workflow.id,
    name: workflow.name,
    description: workflow.description,
    active: workflow.active,
    draft: false,
    critical: workflow.critical,
    tags: workflow.tags,
    preferenceSettings: Object.fromEntries(
      (["email", "sms", "in_app", "chat", "push"] as const).map((channel) => [channel, channels.has(channel)])
    ),
    steps: workflow.steps.map((step) =>
      present({
        _id: step.id,
        uuid: Random.uuid(state.idSeed, step.id),
        name: step.name,
        _templateId: step.templateId,
        active: step.active,
        shouldStopOnFail: step.stopOnFail,
        filters: filtersWire(switches, step),
        metadata: metadataWire(step),
        template: templateWire(switches, step)
      })
    ),
    triggers: triggersWire(workflow),
    _organizationId: state.organizationId,
    _environmentId: state.environmentId,
    _creatorId: Random.objectId(state.idSeed, "member", 1),
    _notificationGroupId: group,
    notificationGroup: {
      _id: group,
      name: "General",
      _organizationId: state.organizationId,
      _environmentId: state.environmentId
    },
    deleted: false,
    // The document makes both required, even for workflows that were not deleted.
    deletedAt: "",
    deletedBy: ""
  }
}
