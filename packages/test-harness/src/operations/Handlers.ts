// Generated from the names of the operations by `pnpm --filter @signalbox/core run readers`; a test compares the two.
import type { OperationName } from "@signalbox/core/Operations"
import type { Operate } from "./OperationResponse.ts"
import { operate as CredentialsUpsert } from "./CredentialsUpsert.ts"
import { operate as MessagesMarkAs } from "./MessagesMarkAs.ts"
import { operate as EventsList } from "./EventsList.ts"

/** The handler of each operation. */
export const handlers: { readonly [Name in OperationName]: Operate } = {
  "credentials.upsert": CredentialsUpsert,
  "messages.markAs": MessagesMarkAs,
  "events.list": EventsList
}
