import type { CallDeclared, SendRequest } from "./Calls.ts"
import type { GroupsClient } from "./WholeClient.ts"

/** A client of the service, made by `createClient`. */
export interface Client extends GroupsClient {
  /** Calls operations that the program declares. */
  readonly call: CallDeclared
  /** Sends one-off requests. */
  readonly request: SendRequest
}
