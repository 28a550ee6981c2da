/**
 * Requests of the pages to the control API.
 */

/** Sends a request with the key of an environment; returns the body, or throws the message of the error. */
export const control = async (
  apiKey: string,
  method: "GET" | "POST",
  path: string,
  body?: unknown
): Promise<unknown> => {
  const response = await fetch(`/_fake/${path}`, {
    method,
    headers: { authorization: `ApiKey ${apiKey}`, "content-type": "application/json" },
    ...(body === undefined ? {} : { body: JSON.stringify(body) })
  })
  const value: unknown = await response.json()
  if (response.ok) return value
  const message = typeof value === "object" && value !== null && "message" in value ? value.message : response.status
  throw new Error(String(message))
}

/** Runs an action and shows its outcome: a notice when it is done, or the message of its error. */
export type Act = (done: string, action: () => Promise<unknown>) => void
