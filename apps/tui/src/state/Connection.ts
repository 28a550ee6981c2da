import type { KnownCauses } from "@signalbox/operator/connections/KnownCauses"
import type { SavedView } from "@signalbox/operator/node"

/** The facts about a connection that the screens need; its key is not among them. */
export interface ConnectionInfo {
  readonly name: string
  readonly kind: "demo" | "live" | "replay"
  /** The recording of a replay. */
  readonly file?: string
  readonly baseUrl: string
  readonly readOnly: boolean
  /** The vendor's name in wire identifiers, where it is not the neutral one of the document. */
  readonly vendor?: string
  /** The page of an event in the service's dashboard, with `{id}` or `{transactionId}` in it. */
  readonly dashboardUrl?: string
  /** The names that `:connect` takes. */
  readonly choices: ReadonlyArray<string>
  /** Its known causes; absent for the demo and a replay. */
  readonly known?: KnownCauses
  /** The saved views of the configuration file. */
  readonly views?: ReadonlyArray<SavedView>
}

/** Why nothing can be changed on a connection; absent where it can. */
export const whyReadOnly = ({ kind, name, readOnly }: ConnectionInfo): string | undefined =>
  readOnly ? (kind === "replay" ? "a replay is read-only" : `the connection ${name} is read-only`) : undefined
