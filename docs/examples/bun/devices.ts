interface Service {
  readonly baseUrl: string
  readonly apiKey: string
  readonly fetch: typeof globalThis.fetch
}

/** Stores a device token; throws if the service did not confirm it. */
export const storeToken = async ({ apiKey, baseUrl, fetch }: Service, user: string, token: string): Promise<void> => {
  const response = await fetch(`${baseUrl}/v1/subscribers/${encodeURIComponent(user)}/credentials`, {
    method: "PATCH",
    headers: { authorization: `ApiKey ${apiKey}`, "content-type": "application/json" },
    body: JSON.stringify({ providerId: "expo", credentials: { deviceTokens: [token] } })
  })
  if (!response.ok) throw new Error(`the service responded with ${response.status}`)
}
