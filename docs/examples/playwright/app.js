import { createServer } from "node:http"

/** A web application that shows the number of events of the day; it gets them from the notification service. */
export const makeApp = ({ apiKey, serviceUrl }) =>
  createServer(async (_request, response) => {
    const headers = { authorization: `ApiKey ${apiKey}` }
    const page = await fetch(`${serviceUrl}/v1/notifications?limit=50`, { headers }).catch(() => undefined)
    if (page?.ok !== true) return void response.writeHead(502).end("<p>The service is not available.</p>")
    const { data } = await page.json()
    response.writeHead(200, { "content-type": "text/html" }).end(`<p>Events: ${data.length}</p>`)
  })
