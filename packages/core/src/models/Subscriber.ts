/**
 * Subscribers and their credentials, as the service sends them.
 *
 * **When to use**: for the response of `Credentials.upsert`, and for the subscriber inside of a message. Callers send a
 * `CredentialsInput`.
 *
 * @since 0.1.0
 */
export type { ChannelCredentials, ChannelSettings, Subscriber } from "./Records.ts"
