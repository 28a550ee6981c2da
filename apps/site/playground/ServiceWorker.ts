/// <reference lib="webworker" />
/**
 * Keeps what runs programs, and the pages that a reader has seen, for readers without a connection. With a connection,
 * everything comes from the site.
 */

/** The files that run programs, which the build fills in, and a name that changes with them. */
declare const __STORED__: { readonly cache: string; readonly files: ReadonlyArray<string> }

// The global object here; elsewhere on the site it is a window.
declare const self: ServiceWorkerGlobalScope

const store = async (): Promise<void> => {
  const cache = await caches.open(__STORED__.cache)
  await cache.addAll([...__STORED__.files])
  for (const name of await caches.keys()) if (name !== __STORED__.cache) await caches.delete(name)
}

const unavailable = (request: Request): Response =>
  request.mode === "navigate"
    ? new Response(
        '<!doctype html><html lang="en"><meta charset="utf-8"><title>No connection</title><main><h1>No connection</h1><p>This page was not stored on this machine. The <a href="/playground/">playground</a> and the pages that you have seen work without a connection.</p></main>',
        { status: 503, headers: { "content-type": "text/html; charset=utf-8" } }
      )
    : Response.error()

const respond = async (request: Request): Promise<Response> => {
  const cache = await caches.open(__STORED__.cache)
  try {
    const response = await fetch(request)
    if (response.ok) await cache.put(request, response.clone())
    return response
  } catch {
    return (await cache.match(request, { ignoreSearch: true })) ?? unavailable(request)
  }
}

self.addEventListener("install", (event) => event.waitUntil(store()))
self.addEventListener("activate", (event) => event.waitUntil(self.clients.claim()))
self.addEventListener("fetch", (event) => {
  const { method, url } = event.request
  if (method === "GET" && new URL(url).origin === location.origin) event.respondWith(respond(event.request))
})
