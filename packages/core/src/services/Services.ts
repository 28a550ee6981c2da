// Generated from the names of the operations by `pnpm --filter @signalbox/core run readers`; a test compares the two.
import { Credentials } from "./Credentials.ts"
import { Messages } from "./Messages.ts"
import { Events } from "./Events.ts"

/** The services of all groups of operations. */
export type Services = Credentials | Messages | Events

/** Their layers. */
export const layers = [Credentials.layer, Messages.layer, Events.layer] as const
