/** Marks messages as read; `false` if the service did not accept it. */
export const markRead = async ({ apiKey, baseUrl, fetch }, subscriberId, messageId) => {
  const response = await fetch(`${baseUrl}/v1/subscribers/${encodeURIComponent(subscriberId)}/messages/mark-as`, {
    method: "POST",
    headers: { authorization: `ApiKey ${apiKey}`, "content-type": "application/json" },
    body: JSON.stringify({ messageId, markAs: "read" })
  })
  return response.ok
}
