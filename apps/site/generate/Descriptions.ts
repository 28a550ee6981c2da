/**
 * One written description of each page, for search engines, link previews, `llms.txt` and agents; and the words that people
 * search for and that the page does not use.
 */

/** The description of a page. */
export interface Description {
  /** One sentence, at most 160 characters. */
  readonly text: string
  /** Other words for the subject of the page. */
  readonly keywords?: string
}

const described = (text: string, keywords?: string): Description => ({
  text,
  ...(keywords === undefined ? {} : { keywords })
})

/** The descriptions by route. A decision record has its first paragraph instead. */
export const descriptions: Readonly<Record<string, Description>> = {
  api: described(
    "The service's API as Signalbox understands it: three operations, their records, and what the document leaves open.",
    "rest api, http api, endpoints, trigger a notification, send a notification, get subscriber, list messages, api document, send an sms, send an email, delete a subscriber, archive a message, mark as archived, snooze, digest"
  ),
  architecture: described(
    "The packages, how a request travels through them, the glossary, and where to make ten common changes."
  ),
  causes: described(
    "Every reason for a message that was not delivered: how to recognise it, who can fix it, and what to do.",
    "sent but not delivered, why did the user not get the message, push not received, invalid token, unregistered token, webhook missing"
  ),
  comparison: described(
    "Signalbox next to the generated client and other ways to call such a service: size, start, behaviour in failures.",
    "alternatives, novu, knock, stripe, bundle size, comparison"
  ),
  connections: described(
    "Name services in config.toml, choose one with -c or SIGNALBOX_CONNECTION, set a default, and find the vendor.",
    "config file, config.toml, profile, api key of the command line, staging and production, environment variable, vendor, brand, change base url, self hosted, own server, switch environments, multiple environments, read-only connection, production"
  ),
  delivery: described(
    "Whether a request without a response may have been applied, for each way in which a connection can fail.",
    "econnreset, socket hang up, fetch failed, was my request processed, network error, connection refused, dns error, enotfound"
  ),
  errors: described(
    "Every reason for which a call can fail: its status, its facts, what it means for a write, and what to do.",
    "error codes, status codes, 401, 403, 404, 409, 422, 429, 500, 503, error list, service returned html, 4xx, 5xx, 400 bad request, internal server error, invalid api key, what does 409 mean"
  ),
  "fake-command": described(
    "The options of signalbox-fake: serve the fake, check a client, record and replay a service, and a job for CI.",
    "signalbox-fake, flags, github actions, continuous integration, record and replay, contract test, record real traffic"
  ),
  "fake-faults": described(
    "Every failure that the fake can produce: resets, delays, statuses, garbage; and what each looks like on Node.",
    "list of faults, simulate error"
  ),
  "fake-switches": described(
    "Every behaviour that the API document leaves open, its values, and what it says in the document.",
    "undocumented behaviour, fake options, list of switches"
  ),
  "mcp-security": described(
    "What signalbox mcp returns for records full of secrets, escape sequences and hidden text, and in how many tokens.",
    "prompt injection, ai agent safety, model context protocol"
  ),
  measurements: described(
    "Figures from this repository's benchmarks: speed, size, memory, scale, and mutation scores.",
    "performance, benchmarks, fast, latency, throughput, memory"
  ),
  support: described(
    "Supported versions of Node, browsers, TypeScript and Effect, and what a new version may change.",
    "node version, semver, browsers, deno, bun, cloudflare workers, edge, lambda, runtimes, requirements, typescript version, commonjs, require, react native, windows, macos, expo, changelog, release notes, upgrade guide, breaking changes, version, esm, node 18, node 20"
  ),
  bulk: described(
    "Import, mark or export whole files in runs that survive a crash and report one outcome for each line.",
    "csv import, million records, batch, migrate users, resume after crash, jsonl, ndjson, import fails half way, memory usage, excel"
  ),
  "bulk/survival": described(
    "The states of a line and of a bulk run, and what each failure costs.",
    "crash, kill -9, power loss, full disk, durability"
  ),
  "bulk/cluster": described(
    "Run one import on many machines that share a PostgreSQL database.",
    "kubernetes, workers, scale out"
  ),
  cli: described(
    "Every command of signalbox, with a page for each group.",
    "cli commands, terminal command, list of commands, debug http traffic, --debug, json output, pipe output, jq, csv, table"
  ),
  "cli/api": described("Send a request to any endpoint of the service from the command line."),
  "cli/bulk": described("Flags of signalbox bulk: import, mark and export files, resume runs, print reports."),
  "cli/completions": described(
    "Complete commands, flags, filters and names in bash, zsh, fish and PowerShell.",
    "tab completion, autocomplete"
  ),
  "cli/connections": described("List, add and check the connections of config.toml."),
  "cli/credentials": described(
    "Store device tokens and webhook URLs of a subscriber, without a secret in the arguments.",
    "upsert from the shell, set webhook url, set token"
  ),
  "cli/doctor": described(
    "Check a deployment: address, TLS, proxy, key, rate limit, paging, vendor and differences from the API document.",
    "health check, check api key, diagnose connection, self-hosted"
  ),
  "cli/events": described(
    "List, follow, show and diagnose events from the command line, with filters.",
    "list failed notifications, filter events, tail logs, watch events, activity feed, search events, export events csv, events of the last 24 hours, since, filter by workflow, filter by date, time zone of times"
  ),
  "cli/exit-codes": described(
    "What each exit code of signalbox means to a script, and which error has which.",
    "return code, ci script"
  ),
  "cli/fake": described(
    "Serve the fake from the command line, or run a test suite against one.",
    "start the fake, mock server, local server, github actions"
  ),
  "cli/help": described("Show the help of a command."),
  "cli/mcp": described(
    "Give an agent tools to diagnose events, and with your permission to write, over MCP.",
    "claude, ai agent, model context protocol, llm, cursor, copilot"
  ),
  "cli/messages": described("Mark messages of a subscriber as read, unread, seen or unseen from the command line."),
  "cli/openapi": described("Print the OpenAPI document of the service.", "swagger, schema, generate client"),
  "cli/ui": described("Open the terminal UI from the command line."),
  "cli/watch": described(
    "Watch failures and report causes that are new, more frequent, or over.",
    "alert, monitor, notify on failure, watch, alert when messages fail"
  ),
  "cli/version": described("Print the versions of Signalbox, Node and the platform."),
  decisions: described("Why Signalbox is built the way it is: one record for each decision."),
  examples: described(
    "Small complete programs: Hono, Next.js, Bun, Jest, Playwright, msw, OpenTelemetry, pino, Effect.",
    "express, fastify, nestjs, sample code, template, recipes, lambda, server"
  ),
  howto: described("Answers to the questions that users ask most, one page each.", "faq, recipes, questions"),
  "howto/which-id": described(
    "What each id is for: subscriberId, transactionId, _id of a message or an event, integration, trigger.",
    "subscriber id, transaction id, message id, external id, identifier, _id, objectid"
  ),
  "howto/remove-a-token": described(
    "This API adds device tokens and never removes them: how to replace one, and what an expired one does.",
    "delete token, unregister device, replace token, token expired, expired token, logout, uninstall, stale token, refresh token, user changed phone, new phone, unsubscribe a device, token valid, token invalid"
  ),
  "howto/duplicates": described(
    "How duplicate tokens and messages come about, and how to write each token once.",
    "duplicate tokens, duplicate notifications, message twice, user got the notification twice, double push"
  ),
  "howto/mark-all-as-read": described(
    "Mark many messages of a subscriber with one call, by their ids.",
    "mark all as read, mark everything read, clear notifications, mark as seen, mark message as read by transaction id"
  ),
  "howto/unread-count": described(
    "Where an unread count comes from, since this API cannot count or list messages.",
    "unread count, badge, number of unread messages, inbox, get messages, check if a message was read"
  ),
  "howto/list-failed": described(
    "Walk the events and keep those that failed, in a program or from the command line.",
    "list failed notifications, find failures, failed messages, errors of today"
  ),
  "howto/sent-but-not-delivered": described(
    "Find out why a person did not get a message that was sent.",
    "sent but not delivered, user did not get the message, push not received, email not arriving, debug a notification, not delivered, push not arriving on iphone or android, why an email failed"
  ),
  "howto/rotate-a-key": described(
    "Replace an API key without a restart: pass a function.",
    "rotate api key, change key, revoke key, secret manager, vault"
  ),
  "howto/vendor": described(
    "Set the name that your service writes in identifiers, such as acme-email.",
    "vendor, brand, branded provider id, white label"
  ),
  "howto/timeouts": described(
    "Limit an attempt and a call, or cancel it with a signal.",
    "timeout, deadline, abort, cancel a request, slow service, abortsignal"
  ),
  "howto/servers": described(
    "Where the client goes in Express, Fastify, NestJS, Next.js and Hono, and where to close it.",
    "express, fastify, nestjs, koa, node server, singleton, where to put the client, close the client, dispose"
  ),
  "howto/workers-and-lambda": described(
    "Use the client in Cloudflare Workers, AWS Lambda and other functions.",
    "cloudflare workers, aws lambda, serverless, vercel functions, edge, durable objects, cold start"
  ),
  "howto/browsers": described(
    "Why a page must not call this API, and the route of your own that it calls instead.",
    "cors, browser, access-control-allow-origin, react app, frontend, client side, react native, mobile app, react"
  ),
  "operations/credentials-upsert": described(
    "Store device tokens and webhook URLs of a subscriber: request, response, errors, retries, every way to call it.",
    "register push token, register a device, upsert credentials, patch subscriber credentials, set webhook url, integrationIdentifier, provider id list, providers, device tokens append, slack webhook url, discord, msteams, apns, expo, store fcm token, android push, ios push, firebase"
  ),
  "operations/messages-mark-as": described(
    "Mark messages as read, unread, seen or unseen: request, response, errors, retries, every way to call it.",
    "mark as read, mark as seen, mark as unread, post mark-as, mark as unseen, undo, seen or read, seen and read, seen vs read"
  ),
  "operations/events-list": described(
    "List triggered notifications with filters: request, response, errors, retries, every way to call it.",
    "get notifications, activity feed, filters, query parameters, list events, filter by date, filter by workflow, after and before, page size, maximum limit, more than 50 per page, topic, context keys, severity, email"
  ),
  "sdk/bulk": described(
    "Write or mark many records with one call: concurrency, rate limits, one outcome for each input.",
    "mark all as read, many subscribers, batch upsert, markManyAs, upsertMany, mark multiple messages, concurrency, parallel requests"
  ),
  "sdk/drift": described(
    "Responses that differ from the API document: unknown values and parts that cannot be read.",
    "unknown enum value, schema change, validation error of a response, strict mode, unexpected field"
  ),
  "sdk/effect": described(
    "Use the services, layers and typed errors that the Promise client is built on.",
    "effect-ts, layer, service"
  ),
  "sdk/endpoints": described(
    "Declare endpoints of your own service and call them with the same retries and errors.",
    "custom endpoint, other operation, raw request"
  ),
  "sdk/errors": described(
    "Handle a failed call: narrow by reason, decide whether to retry, log it without secrets.",
    "try catch, error handling, instanceof, log errors, user message, isSignalboxError, request id for support"
  ),
  "sdk/moving": described(
    "Replace the generated client, @novu/api, call by call.",
    "migrate from novu, @novu/api, @novu/node, switch client, migration guide"
  ),
  "sdk/node": described(
    "Send with undici: HTTP/2, proxies, custom certificates, and proof that a request was not sent.",
    "proxy, corporate proxy, self-signed certificate, tls, ca, http2, keep-alive, dispatcher, undici, ssl certificate error"
  ),
  "sdk/opentelemetry": described(
    "Spans and metrics for each call, with the names of OpenTelemetry.",
    "tracing, traces, observability, monitoring, metrics, log requests, logging, prometheus, datadog, grafana, debug http traffic"
  ),
  "sdk/pagination": described(
    "Read long listings page by page or event by event, resume after a crash, find the failures.",
    "next page, cursor, list all events, list failed notifications, iterate, infinite scroll, hasMore"
  ),
  sdk: described(
    "The client for TypeScript: a call of each operation, every option, where it runs, and the pages of this guide.",
    "options, configuration, timeout, abort, cancel a request, cors, browser, base url, api key, authentication, rotate api key, headers, user agent, vendor, cloudflare workers, install the sdk, change base url, custom headers, custom fetch, logger"
  ),
  "sdk/retries-and-idempotency": described(
    "What is retried and when, rate limits, deadlines, and how a write is applied once.",
    "retry policy, idempotency key, rate limit, 429, too many requests, backoff, retry-after, exactly once, duplicate tokens, duplicate notifications, throttle, timeout, disable retries, maxRetries, turn off retries, no retry, number of retries, service is down, is it safe to retry a write, how many requests per second"
  ),
  "start/library": described(
    "From an empty folder to a call that handles its errors, without an account.",
    "getting started, install, first call, tutorial, hello world, register push token, register a device, mark as read, sdk, how do i install the sdk"
  ),
  "start/terminal": described(
    "See what failed, look at one event, and fix it from the command line, with demo data.",
    "getting started, install cli, demo, user did not get the message, debug a notification"
  ),
  "start/tests": described(
    "From an empty folder to a test that finds a bug, without a network.",
    "getting started, mock, stub, test without network, unit test, first test"
  ),
  testing: described(
    "The guides of the fake service, and what to do when a test surprises you.",
    "mock service, fake server, test double, stub, test fails in ci, flaky tests, integration test"
  ),
  "testing/check": described(
    "Test a client in any language against generated faults, and get the rules that it breaks.",
    "conformance, go client, compliance"
  ),
  "testing/clock": described(
    "Move the fake's time by hand: delays, expiry, retention and rate limits without waiting.",
    "fake timers, time travel, wait, token expiry, ttl, freeze time in tests, mock date, advance time"
  ),
  "testing/connect": described(
    "Point the code under test at the fake, whatever client it uses.",
    "base url in tests, intercept fetch, axios, dependency injection, nock, interceptor"
  ),
  "testing/data": described(
    "Give the fake subscribers, integrations, workflows, events and messages, and read them back.",
    "seed data, fixtures, add subscriber, trigger workflow, sample data"
  ),
  "testing/effect": described("Use the fake as an Effect layer that obeys the test clock."),
  "testing/faults": described(
    "Fail on demand: at a chosen request, at a chosen point, in a chosen way.",
    "simulate timeout, simulate network error, simulate 500, lose the response, chaos, inject failure, rate limit in tests, 429 test, slow response, lost response, connection reset, timeout in tests, how to test retries, random failures"
  ),
  "testing/http": described(
    "Run the fake as a server and control it over HTTP, from any language.",
    "docker, curl, go, java, ruby, php, rest control api, ci service, docker compose"
  ),
  "testing/inspector": described(
    "Watch the fake's requests, records and faults in a browser.",
    "debug tests, see requests, dashboard"
  ),
  "testing/isolation": described(
    "Run tests in parallel: each API key has its own environment.",
    "parallel tests, shared state, reset between tests, leak, two api keys, multiple environments"
  ),
  "testing/limits": described(
    "What a test with the fake does not prove.",
    "limitations, difference to the real service"
  ),
  "testing/node-test": described(
    "Set up the fake in node:test, and in runners without an integration.",
    "mocha, ava, tap, node test runner"
  ),
  "testing/go-and-java": described(
    "Test a Go or Java program against the fake.",
    "go, java, junit, testcontainers, openapi"
  ),
  "testing/python": described("Test a Python program against the fake.", "python, pytest, unittest, django"),
  "testing/sweep": described(
    "Run one test with every fault at every request, and get the ones that break it.",
    "exhaustive, fuzz, resilience test"
  ),
  "testing/switches": described(
    "Choose what the fake does where the API document leaves it open, or take a preset.",
    "behave like production, calibrate, adversarial, preset"
  ),
  "testing/verdicts": described(
    "Assert what reached the fake, how often, and what was applied.",
    "expect request, assert called, journal, toHaveBeenCalled, spy"
  ),
  "testing/vitest": described("Fixtures of the fake for vitest.", "test fixture, beforeEach"),
  tui: described(
    "Operate from the keyboard: failures by cause, one event in detail, fixes, filters, several connections.",
    "dashboard, terminal ui, operator, on call, keyboard shortcuts, k9s, color theme, dark mode, light theme, undo mark as read, mouse"
  ),
  "tui/keys": described("Every key of the terminal UI, by screen.", "keyboard shortcuts, hotkeys, keybindings"),
  "examples/bun": described("Use the SDK and the fake with Bun."),
  "examples/effect-app": described("An Effect application with services, layers and typed errors."),
  "examples/hono-service": described(
    "A Hono service that registers phones and marks messages, with tests.",
    "express, fastify, web server, rest endpoint, where to put the client, nestjs"
  ),
  "examples/jest": described("Test with Jest and the fake.", "jest"),
  "examples/msw": described("Use the fake behind msw, next to mocks of other services.", "mock service worker"),
  "examples/nextjs-route": described(
    "A Next.js route handler that lists the latest notifications of a user, with tests.",
    "next, nextjs, react, app router, vercel, server action"
  ),
  "examples/nightly-report": described(
    "A nightly report of failures that survives a crash.",
    "cron job, list failed notifications, export failures, schedule"
  ),
  "examples/opentelemetry": described("Export spans and metrics of the SDK with OpenTelemetry."),
  "examples/pino-logging": described(
    "Log failed calls and warnings with pino, without secrets.",
    "winston, log requests, structured logging"
  ),
  "examples/playwright": described(
    "Run the fake in Playwright tests of a web application.",
    "end to end, e2e, browser test, cypress"
  ),
  "examples/trigger-and-wait": described(
    "Trigger an event with an endpoint of your own, wait until it ended, and explain a failure.",
    "trigger, poll, wait"
  ),
  contributing: described(
    "Set up the repository, run the tests, and the rules of a change.",
    "build from source, development, npm start, pull request"
  ),
  security: described(
    "Report a vulnerability, and how secrets are kept out of logs.",
    "vulnerability, disclosure, cve"
  ),
  core: described("The API contract, models, typed errors and the pipeline of a call, for Effect programs."),
  operator: described("Filters, diagnosis and reports for tools of operators.")
}
