/**
 * The three operations as pure functions: state, context and input give a new state and a response.
 */
export {
  type OperationResponse,
  type OperationContext,
  type OperationResult,
  type Rejection,
  errorResponse
} from "./OperationResponse.ts"
export { upsertCredentials } from "./CredentialsUpsert.ts"
export { listEvents } from "./EventsList.ts"
export { markMessagesAs } from "./MessagesMarkAs.ts"
