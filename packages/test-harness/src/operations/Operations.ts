/**
 * The three operations as pure functions: state, context and input give a new state and an answer.
 */
export { type Answer, type OperationContext, type Outcome, type Refusal, refusalAnswer } from "./Answer.ts"
export { upsertCredentials } from "./CredentialsUpsert.ts"
export { listEvents } from "./EventsList.ts"
export { markMessagesAs } from "./MessagesMarkAs.ts"
