export { createFake, type Environment, type EnvironmentOptions, type Fake } from "./Fake.ts"
export type { EnvironmentState } from "./state/EnvironmentState.ts"
export type { Preset } from "./switches/Switches.ts"
export type { TriggerInput } from "./trigger/Trigger.ts"
