/**
 * Who can fix what a diagnosis found.
 */

/** The short names of the owners, as tables and lists show them: "subscriber" alone would read as the person. */
export const ownerNames = {
  subscriber: "you: profile",
  environment: "you: settings",
  workflow: "you: workflow",
  provider: "provider",
  endpoint: "you: endpoint",
  plan: "you: plan",
  service: "service",
  "nothing-wrong": "nothing wrong",
  unknown: "unknown"
} as const

/**
 * Who can fix a cause, or where: the data of the subscriber, the settings of the environment, the workflow or the payload of
 * its trigger, the provider, your own endpoint, the plan, or the service itself. `nothing-wrong` if there is nothing to fix.
 */
export type Owner = keyof typeof ownerNames

/** The answer to "who can fix it?" in a few words. */
export const ownerNotes: Readonly<Record<Owner, string>> = {
  subscriber: "you, in the subscriber's profile or credentials",
  environment: "you, in the settings of the environment",
  workflow: "you, in the workflow or its payload",
  provider: "the provider",
  endpoint: "you, in your own endpoint",
  plan: "you, with a larger plan",
  service: "the operator of the service",
  "nothing-wrong": "no fix needed, nothing is wrong",
  unknown: "unknown"
}
