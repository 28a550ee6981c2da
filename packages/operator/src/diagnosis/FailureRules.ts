/**
 * The causes of failures. Their patterns, from the most specific to the most general, recognise what is not in the
 * catalogue: the responses of providers and endpoints, and wordings of other services.
 */
import type { Evidence } from "./Evidence.ts"
import { refusal } from "./Refusal.ts"
import { type FailureRule, mentions, mentionsInOneSentence, ofIntegration } from "./Rule.ts"

const channel = ({ job }: Pick<Evidence, "job">): string => (job.type === "in_app" ? "in-app" : job.type)

const named = ({ channelProvider, provider }: Evidence): string | undefined => channelProvider ?? provider

const provider = (evidence: Evidence): string => named(evidence) ?? `the ${channel(evidence)} provider`

/** The provider as the first word of a sentence. */
const theProvider = (evidence: Evidence): string => named(evidence) ?? `The ${channel(evidence)} provider`

/** Names an integration: of the provider, or else of the channel. */
const integration = (evidence: Evidence): string => `the ${named(evidence) ?? channel(evidence)} integration`

/** The same as the first words of a sentence. */
const integrationFirst = (evidence: Evidence): string => `The ${named(evidence) ?? channel(evidence)} integration`

/** The provider, with its integration where the service names it. */
const entry = (evidence: Evidence): string => `${provider(evidence)}${ofIntegration(evidence.integration)}`

const quotedMessage = (evidence: Evidence): string =>
  evidence.providerMessage === undefined ? "" : ` It said: "${evidence.providerMessage}"`

const statusOf = ({ status }: Evidence): string => (status === undefined ? "" : ` (${status})`)

const hasStatus = (evidence: Evidence, ...statuses: ReadonlyArray<number>): boolean =>
  evidence.status !== undefined && statuses.includes(evidence.status)

/** The chat providers that are reached by a key of the integration; all others by a webhook URL of the subscriber. */
const byAccount: ReadonlySet<string> = new Set(["whatsapp-business", "getstream"])

const isWebhookChat = ({ job, channelProvider }: Evidence): boolean =>
  job.type === "chat" && channelProvider !== undefined && !byAccount.has(channelProvider)

/** Steps that hand a message to a provider; in others, no provider can be the cause. */
const withoutProvider: ReadonlySet<string> = new Set([
  "digest",
  "delay",
  "throttle",
  "http_request",
  "custom",
  "trigger"
])

const sends = ({ job }: Evidence): boolean => !withoutProvider.has(job.type)

/** Steps whose messages go to addresses in the subscriber's credentials. */
const takesCredentials = ({ job }: Evidence): boolean => job.type === "chat" || job.type === "push"

/** Whether the integration calls an endpoint of yours. The chat webhooks belong to subscribers. */
const isOwnEndpoint = ({ job, provider }: Evidence): boolean =>
  job.type !== "chat" && provider !== undefined && /(?:^|-)webhook$/u.test(provider)

/** Whether the settings of the integration name the host; the other providers have one for all customers. */
const hasOwnHost = (evidence: Evidence): boolean =>
  isOwnEndpoint(evidence) ||
  evidence.mail !== undefined ||
  evidence.provider === "nodemailer" ||
  evidence.provider === "generic-sms"

const mentionsBridge = mentionsInOneSentence(/\bbridge\b/u)

const conditionsOf = ({ job }: Evidence) => job.step.filters.flatMap(({ children }) => children)

/** Whether the service ended the job as failed and wrote nothing about it: it does so if a condition cannot be evaluated. */
const failedSilently = ({ detail, job }: Evidence): boolean => detail === undefined && job.status === "failed"

/** Whether the overrides of the trigger choose the integration. */
const namesIntegration = ({ detail, job }: Evidence): boolean =>
  [job.overrides, job.overrides?.[job.type]].some(
    (part) => typeof part === "object" && part !== null && "integrationIdentifier" in part
  ) || detail?.raw?.includes('"integrationIdentifier"') === true

/** The service also tries WhatsApp if the subscriber has a phone number; the detail names no entry of the subscriber then. */
export const triedPhone = (evidence: Evidence): boolean =>
  evidence.job.type === "chat" && mentions(/\nintegration is either deleted or not active/u)(evidence)

const mailStatusOf = ({ mail }: Evidence): string => (mail?.status === undefined ? "" : ` (${mail.status})`)

const isPush = ({ job }: Evidence): boolean => job.type === "push"

const missing =
  /\bmissing\b|\bnot (?:set|found|provided|defined|configured)\b|does(?: not|n't) have|\bno\b|\bwithout\b|\bempty\b/u

const triggerAgain = "then trigger the event again"

/** Why a message was not sent, unless it was sent in another way. */
const unlessSent = ({ isSent }: Evidence, consequence: string): string =>
  isSent ? ". The message was sent in another way." : `, so ${consequence}.`

/** The advice for a message that was sent in another way: without the clauses that would send it twice. */
export const adviceIfSent = (advice: string): string => {
  const rest = advice
    .replace(`, ${triggerAgain}`, "")
    .replace(/^(?:Wait and t|T)rigger the event again; (.)/u, (_, next: string) => next.toUpperCase())
  return rest === advice ? advice : `${rest} Do not trigger the event again: the message was sent.`
}

/** Tokens of an account or a session, which are no device tokens. */
const accountToken = /(?:access|auth\w*|bearer|api|application|provider|oauth|id|refresh) ?token/u

/** The rules, in order. */
export const failureRules: ReadonlyArray<FailureRule> = [
  {
    id: "earlier-result-invalid",
    owner: "endpoint",
    title: () => "result of an earlier step invalid",
    matches: (evidence) => mentionsBridge(evidence) && mentions(/result invalid|invalid result/u)(evidence),
    cause: (evidence) =>
      `An earlier step of this event has a result that this step cannot use, so the message was never created.${quotedMessage(evidence)}`,
    advice: () => `Let the endpoint of the earlier step return an object with the expected fields, ${triggerAgain}.`
  },
  {
    id: "workflow-invalid",
    owner: "workflow",
    title: () => "workflow or payload invalid",
    matches: (evidence) =>
      mentionsBridge(evidence) &&
      mentions(
        /(?:control|compilation|payload|output) (?:invalid|failed) error|invalid (?:\w+ ){0,2}(?:controls?|payload|output|template)/u
      )(evidence),
    cause: (evidence) =>
      `The content of the step could not be computed: its template, its settings or the payload of this event is invalid. Nothing was sent.${quotedMessage(evidence)}`,
    advice: () => `Correct the step or the payload of the trigger, ${triggerAgain}.`
  },
  {
    id: "bridge-failed",
    owner: "endpoint",
    title: () => "bridge endpoint failed",
    matches: mentionsBridge,
    cause: (evidence) =>
      `The service called your bridge endpoint for this step and got no usable response${statusOf(evidence)}. The message was never created, so nothing was sent.${quotedMessage(evidence)}`,
    advice: () => `Look at the logs of your bridge application at the time of this step, fix it, ${triggerAgain}.`
  },
  {
    id: "step-code-failed",
    owner: "endpoint",
    title: () => "code of the step failed",
    cause: (evidence) =>
      `Your code for this step failed or took too long, so the message was never created.${quotedMessage(evidence)}`,
    advice: () => `Look at the logs of the code of this step, fix it, ${triggerAgain}.`
  },
  {
    id: "http-request-invalid",
    owner: "workflow",
    title: () => "http request not possible",
    matches: (evidence) =>
      evidence.job.type === "http_request" &&
      (evidence.network === "host-unknown" ||
        mentions(/missing a url|invalid url|not allowed|\bprivate\b|unsupported protocol|resolve hostname/u)(evidence)),
    cause: (evidence) =>
      `The request of this step could not be sent: its URL is missing or invalid, its host does not exist, or the service does not send to it.${quotedMessage(evidence)}`,
    advice: () => `Correct the URL in the settings of the step, ${triggerAgain}.`
  },
  {
    id: "http-response-invalid",
    owner: "endpoint",
    title: () => "http response unusable",
    cause: (evidence) =>
      `Your endpoint responded, but not with the JSON object that this step expects. Later steps that use the response may fail.${quotedMessage(evidence)}`,
    advice: () => `Let the endpoint respond with a JSON object that fits the schema of the step, ${triggerAgain}.`
  },
  {
    id: "http-request-failed",
    owner: "endpoint",
    title: () => "http request failed",
    matches: ({ detail, job }) => job.type === "http_request" && detail !== undefined,
    cause: (evidence) =>
      `Your endpoint, which this step calls, failed or did not respond${statusOf(evidence)}.${quotedMessage(evidence)}`,
    advice: () => `Look at the logs of your endpoint at the time of this step, fix it, ${triggerAgain}.`
  },
  {
    id: "condition-webhook-failed",
    owner: "endpoint",
    title: () => "webhook of a condition failed",
    matches: (evidence) => failedSilently(evidence) && conditionsOf(evidence).some(({ on }) => on === "webhook"),
    cause: () => "Your webhook for a condition of this step failed, so the service could not decide whether to send.",
    advice: () => `Look at the logs of the webhook at the time of this step, fix it, ${triggerAgain}.`
  },
  {
    id: "conditions-failed",
    owner: "workflow",
    title: () => "conditions not evaluated",
    matches: (evidence) => failedSilently(evidence) && conditionsOf(evidence).length > 0,
    cause: (evidence) =>
      `The conditions of the step could not be evaluated, for example because one uses a field that the payload lacks. The step failed.${quotedMessage(evidence)}`,
    advice: () =>
      `Compare the conditions of the step with the payload, correct the conditions or the trigger, ${triggerAgain}.`
  },
  {
    id: "time-invalid",
    owner: "workflow",
    title: ({ job }) => `time of the ${channel({ job })} invalid`,
    cause: (evidence) =>
      `The time that the ${channel(evidence)} step takes from its settings or the payload is missing, invalid or past. The steps after it do not run.${quotedMessage(evidence)}`,
    advice: () => `Correct the date or duration in the payload or in the settings of the step, ${triggerAgain}.`
  },
  {
    id: "wait-too-long",
    owner: "plan",
    title: ({ job }) => `${channel({ job })} longer than the plan allows`,
    cause: (evidence) =>
      `The ${channel(evidence)} step waits longer than the plan of the service allows.${quotedMessage(evidence)}`,
    advice: () => `Shorten the wait or raise the plan of the service, ${triggerAgain}.`
  },
  {
    id: "demo-provider-limit",
    owner: "plan",
    title: () => "limit of the demo provider reached",
    cause: ({ job }) => `The quota of the demo provider of the service for ${channel({ job })} is used up.`,
    advice: () => `Add an integration of your own provider, ${triggerAgain}.`
  },
  {
    id: "demo-provider",
    owner: "environment",
    title: () => "demo provider in use",
    cause: () => "The environment uses the demo provider of the service, which sends only to the owner of the account.",
    advice: () => `Add an integration of your own provider and make it the primary one, ${triggerAgain}.`
  },
  {
    id: "digest-unreadable",
    owner: "service",
    title: () => "events of the digest unreadable",
    cause: () => "The digest ended, but the service could not read the events that it collected.",
    advice: () => `Report it to the operator of the service with the transaction id, ${triggerAgain}.`
  },
  {
    id: "unsnooze-failed",
    owner: "service",
    title: () => "snoozed message not returned",
    cause: () => "The service could not return the message that the subscriber had snoozed.",
    advice: () => "Report it to the operator of the service with the transaction id."
  },
  {
    id: "reply-address-missing",
    owner: "environment",
    title: () => "replies by mail not set up",
    cause: () =>
      "The step asks for replies by mail, but the environment is not set up to receive them. The message itself is sent.",
    advice: () =>
      "Set up domain, MX record and callback URL for inbound mail in the settings of the service, or switch replies off in the step."
  },
  {
    id: "layout-missing",
    owner: "workflow",
    title: () => "layout not found",
    cause: () => "The layout that the step names does not exist, so the message was never created.",
    advice: () => `Choose an existing layout in the step, ${triggerAgain}.`
  },
  {
    id: "tenant-missing",
    owner: "workflow",
    title: () => "tenant not found",
    cause: () => "The tenant that the trigger names does not exist.",
    advice: () => `Create the tenant or correct its identifier in the trigger, ${triggerAgain}.`
  },
  {
    id: "webhook-address-wrong",
    owner: "subscriber",
    title: (evidence) => `${provider(evidence)} webhook address wrong`,
    credentials: "cause",
    fields: ["webhookUrl"],
    matches: (evidence) =>
      isWebhookChat(evidence) &&
      (evidence.network === "host-unknown" ||
        mentionsInOneSentence(/\binvalid url\b|unsupported protocol|^\w+ webhook error$/u)(evidence)),
    cause: (evidence) =>
      `The webhook URL of the subscriber does not lead to ${provider(evidence)}: it is not a URL, its host does not exist, or something else responds there.${quotedMessage(evidence)}`,
    advice: (evidence) => `Create a webhook in ${provider(evidence)}, store its URL, ${triggerAgain}.`
  },
  {
    id: "integration-address-wrong",
    owner: "environment",
    title: (evidence) => `host of ${provider(evidence)} unreachable`,
    matches: (evidence) => hasOwnHost(evidence) && (evidence.network === "host-unknown" || evidence.network === "tls"),
    cause: (evidence) =>
      `${integrationFirst(evidence)} names a host that does not exist, or whose certificate or encryption does not match.${quotedMessage(evidence)}`,
    advice: (evidence) =>
      `Correct host, port and encryption in ${integration(evidence)} in the settings of the service, ${triggerAgain}.`
  },
  {
    id: "service-cannot-reach-provider",
    owner: "service",
    title: (evidence) => `${provider(evidence)} not reachable from the service`,
    matches: (evidence) => sends(evidence) && (evidence.network === "host-unknown" || evidence.network === "dns"),
    cause: (evidence) =>
      `The service could not resolve a host name of ${provider(evidence)}: its network or its DNS fails.${quotedMessage(evidence)}`,
    advice: () => `Ask the operator of the service to check its access to the internet, ${triggerAgain}.`
  },
  {
    id: "endpoint-failed",
    owner: "endpoint",
    title: (evidence) => `${provider(evidence)} endpoint failed`,
    matches: (evidence) =>
      isOwnEndpoint(evidence) &&
      evidence.detail !== undefined &&
      (evidence.status !== undefined || evidence.network !== undefined),
    cause: (evidence) =>
      `Your own endpoint behind ${provider(evidence)} failed or did not respond${statusOf(evidence)}.${quotedMessage(evidence)}`,
    advice: () => `Look at the logs of your endpoint at the time of this step, fix it, ${triggerAgain}.`
  },
  {
    id: "webhook-url-missing",
    owner: "subscriber",
    title: (evidence) => `${provider(evidence)} webhook missing`,
    credentials: "cause",
    fields: ["webhookUrl"],
    matches: mentions(/webhook ?url/u, missing),
    cause: (evidence) =>
      `The subscriber has no webhook URL for ${entry(evidence)}${unlessSent(evidence, "the chat step had nowhere to send the message")}`,
    advice: (evidence) => `Store the webhook URL for ${entry(evidence)}, ${triggerAgain}.`
  },
  {
    id: "device-token-of-another-app",
    owner: "subscriber",
    title: (evidence) => `${provider(evidence)} token of another app`,
    credentials: "cause",
    fields: ["deviceTokens"],
    matches: (evidence) =>
      isPush(evidence) &&
      mentions(
        /sender ?id ?mismatch|mismatch(?:ed)? (?:sender id|credential)|token not for topic|package name.{0,20} not match|vapid.{0,40}mismatch|bad device token.{0,80}environment|credentials?.{0,120}\b(?:device|subscriptions?)\b/u
      )(evidence),
    cause: (evidence) =>
      `A device token of the subscriber was issued for a different app or sandbox than ${integration(evidence)} uses.`,
    advice: () =>
      `Store a token of the app that this environment sends for. If every subscriber fails like this, the integration points to the wrong app.`
  },
  {
    id: "device-token-rejected",
    owner: "subscriber",
    title: (evidence) => `${provider(evidence)} token unregistered`,
    credentials: "cause",
    fields: ["deviceTokens"],
    matches: (evidence) =>
      isPush(evidence) &&
      !mentions(accountToken)(evidence) &&
      (mentions(refusal.deviceToken)(evidence) ||
        hasStatus(evidence, 410) ||
        (hasStatus(evidence, 404) && mentions(/token/u)(evidence))),
    cause: (evidence) =>
      `${theProvider(evidence)} no longer accepts a device token of the subscriber: the app was uninstalled, or the token was replaced.`,
    advice: () =>
      `Store the token of a current installation. This API adds tokens and never removes them, so the old token may keep failing.`
  },
  {
    id: "device-token-missing",
    owner: "subscriber",
    title: (evidence) => `${provider(evidence)} token missing`,
    credentials: "cause",
    fields: ["deviceTokens"],
    matches: (evidence) =>
      !mentions(accountToken)(evidence) && mentions(/(?:device|push) ?tokens?/u, missing)(evidence),
    cause: (evidence) =>
      `The subscriber has no device token for ${entry(evidence)}${unlessSent(evidence, "there is no device to reach")}`,
    advice: (evidence) => `Store a device token for ${entry(evidence)}, ${triggerAgain}.`
  },
  {
    id: "channel-not-configured",
    owner: "subscriber",
    title: (evidence) => `no ${channel(evidence)} channel configured`,
    credentials: "cause",
    matches: (evidence) =>
      triedPhone(evidence) ||
      (mentions(
        /(?:configured|active|valid) (?:chat |push )?channels?|channels? (?:is |are |was )?(?:not|un) ?configured/u,
        missing
      )(evidence) &&
        !mentions(/all (?:chat )?channels/u)(evidence)),
    cause: (evidence) =>
      `No ${channel(evidence)} channel is configured for the subscriber${mentions(/given context/u)(evidence) ? " in the context of this event" : ""}: the service has no credentials to reach them with.${triedPhone(evidence) ? " It tried WhatsApp with their phone number, for which the environment has no integration." : ""}`,
    advice: (evidence) => `Store ${channel(evidence)} credentials for the subscriber, ${triggerAgain}.`
  },
  {
    id: "integration-of-trigger-unknown",
    owner: "workflow",
    title: () => "integration of the trigger unknown",
    matches: namesIntegration,
    cause: ({ job }) =>
      `The trigger names an integration for ${channel({ job })} that does not exist or is switched off in this environment.`,
    advice: () => `Correct integrationIdentifier in the overrides of the trigger, ${triggerAgain}.`
  },
  {
    id: "integration-switched-off",
    owner: "environment",
    title: (evidence) => `${channel(evidence)} integration switched off`,
    matches: (evidence) =>
      takesCredentials(evidence) &&
      mentions(/subscriber does not have an active integration|deleted or not active/u)(evidence),
    cause: (evidence) =>
      `The ${channel(evidence)} integration that the stored credentials of the subscriber belong to was switched off or deleted. This affects every subscriber with credentials for it.`,
    advice: (evidence) =>
      `Switch the ${channel(evidence)} integration on again in the settings of the service, or store credentials for an active one, ${triggerAgain}.`
  },
  {
    id: "integration-config-invalid",
    owner: "environment",
    title: (evidence) => `${provider(evidence)} integration incomplete`,
    matches: mentions(
      /config(?:uration)? (?:is |was )?(?:not valid|invalid)|(?:parse|invalid|malformed) (?:\w+ )?(?:private key|pem|service account)/u
    ),
    cause: (evidence) =>
      `${integrationFirst(evidence)} is incomplete or its settings are invalid; every message of this integration fails.${quotedMessage(evidence)}`,
    advice: (evidence) => `Complete ${integration(evidence)} in the settings of the service, ${triggerAgain}.`
  },
  {
    id: "environment-without-integration",
    owner: "environment",
    title: (evidence) => `no active ${channel(evidence)} integration`,
    matches: mentionsInOneSentence(
      /(?:active|primary) integration|integration (?:\S+ ){0,3}(?:not found|missing|inactive|disabled|deactivated|deleted)|provider (?:\S+ ){0,3}(?:not found|inactive|disabled)|(?:no|without) integration/u
    ),
    cause: (evidence) =>
      `The environment has no active integration for ${channel(evidence)}, so the service had no provider to send with. This affects every subscriber.`,
    advice: (evidence) =>
      `Activate an integration for ${channel(evidence)} in the settings of the service, ${triggerAgain}.`
  },
  {
    id: "taken-for-spam",
    owner: "workflow",
    title: () => "taken for spam",
    matches: (evidence) => sends(evidence) && mentionsInOneSentence(refusal.spam)(evidence),
    cause: (evidence) => `The content of the message was taken for spam.${quotedMessage(evidence)}`,
    advice: () => "Change the content of the step: fewer links, no misleading subject, a way to unsubscribe."
  },
  {
    id: "sender-refused",
    owner: "environment",
    title: () => "sender refused",
    matches: (evidence) => sends(evidence) && mentions(refusal.sender)(evidence),
    cause: (evidence) =>
      `${evidence.mail === undefined ? theProvider(evidence) : "The mail server"} refused the sender${mailStatusOf(evidence)}${statusOf(evidence)}: the sender of the integration is not allowed or not verified there, or its server is not trusted. The subscriber is not the cause.${quotedMessage(evidence)}`,
    advice: (evidence) =>
      `Correct the sender address in ${integration(evidence)}, or the records of its domain, ${triggerAgain}.`
  },
  {
    id: "recipient-opted-out",
    owner: "subscriber",
    title: () => "recipient opted out",
    matches: mentions(
      /unsubscribed|opted out|opt out|spam complaint|suppress(?:ed|ion)|stop message|marked as inactive|block(?:ed|list).{0,30}recipient|blacklist rule|recipient.{0,30}block|(?:user|address|recipient|number)\w* (?:\w+ ){0,3}black ?list|do not disturb|blocked by the user|(?:phone|user|recipient) has blocked/u
    ),
    cause: (evidence) =>
      `The recipient opted out: ${provider(evidence)} lists them as unsubscribed or suppressed.${quotedMessage(evidence)}`,
    advice: () =>
      "Nothing to fix here. Only the recipient, or the suppression list at the provider, can allow messages again."
  },
  {
    id: "email-missing",
    owner: "subscriber",
    title: () => "email address missing",
    matches: (evidence) =>
      mentions(/\b(?:no|zero) recipients\b/u)(evidence) ||
      mentionsInOneSentence(/\be ?mail\b/u, /address|subscriber/u, missing)(evidence),
    cause: () => "The subscriber has no email address. It belongs to their profile, not to their credentials.",
    advice: () =>
      `Set the email address where your system keeps the subscriber (no operation of this API does), ${triggerAgain}.`
  },
  {
    id: "recipient-refused",
    owner: "subscriber",
    title: () => "email address bounced",
    matches: (evidence) =>
      evidence.job.type === "email" &&
      (mentions(refusal.recipient)(evidence) ||
        mentionsInOneSentence(
          /bounced?\b|recipient (?:address )?(?:rejected|refused)|invalid e ?mail|(?:invalid|illegal) address|not (?:contain )?a valid (?:e ?mail )?address/u
        )(evidence)),
    cause: (evidence) => `The address of the recipient does not accept mail.${quotedMessage(evidence)}`,
    advice: () => `Check the address in the subscriber's profile; a mistyped or closed mailbox keeps bouncing.`
  },
  {
    id: "phone-missing",
    owner: "subscriber",
    title: () => "phone number missing",
    matches: mentionsInOneSentence(/\bphone\b/u, missing),
    cause: () => "The subscriber has no phone number. It belongs to their profile, not to their credentials.",
    advice: () =>
      `Set the phone number where your system keeps the subscriber (no operation of this API does), ${triggerAgain}.`
  },
  {
    id: "phone-invalid",
    owner: "subscriber",
    title: () => "phone number invalid",
    matches: (evidence) =>
      mentionsInOneSentence(refusal.phone)(evidence) ||
      (evidence.job.type === "sms" && mentions(refusal.number)(evidence)),
    cause: (evidence) =>
      `${theProvider(evidence)} cannot send to the phone number of the subscriber.${quotedMessage(evidence)}`,
    advice: () => `Correct the phone number in the subscriber's profile (with country code), ${triggerAgain}.`
  },
  {
    id: "content-not-generated",
    owner: "workflow",
    title: () => "content not generated",
    matches: (evidence) =>
      mentions(
        /content (?:\w+ ){0,3}(?:generated|rendered|compiled|built|empty|syntax)|(?:generat|render|compil)\w* (?:\w+ ){0,3}(?:content|template|subject|layout)|(?:template|subject|layout|liquid|handlebars) (?:\w+ ){0,3}(?:error|invalid|failed|syntax)|(?:variable|payload)s? (?:\S+ ){0,3}(?:missing|required|undefined|not (?:found|provided|defined))|missing (?:\S+ ){0,2}(?:variable|payload)|syntax error/u
      )(evidence) ||
      (evidence.detail?.source === "Payload" && evidence.status === undefined),
    cause: (evidence) =>
      `The content of the message could not be rendered from the template and the payload of this event.${quotedMessage(evidence)}`,
    advice: () =>
      `Compare the payload with the variables that the step uses, correct the trigger or the template, ${triggerAgain}.`
  },
  {
    id: "delivery-delayed",
    owner: "provider",
    title: (evidence) => `${provider(evidence)} delayed the message`,
    cause: (evidence) =>
      `The server of the provider or of the recipient asks to send later${mailStatusOf(evidence)}.${quotedMessage(evidence)}`,
    advice: () => "Wait; if the message does not arrive, trigger the event again."
  },
  {
    id: "message-dropped",
    owner: "provider",
    title: (evidence) => `${provider(evidence)} dropped the message`,
    cause: (evidence) =>
      `${theProvider(evidence)} accepted the message and then did not deliver it: it was rejected, blocked or dropped.${quotedMessage(evidence)}`,
    advice: (evidence) =>
      `Look up the message at ${provider(evidence)}, which records why; a suppression list is a common reason.`
  },
  {
    id: "provider-limit",
    owner: "plan",
    title: (evidence) => `${provider(evidence)} plan limit reached`,
    matches: (evidence) =>
      sends(evidence) &&
      (hasStatus(evidence, 402) || (!mentions(refusal.rate)(evidence) && mentions(refusal.limit)(evidence))),
    cause: (evidence) =>
      `The account at ${provider(evidence)} has reached the limit of its plan${statusOf(evidence)}. The subscriber is not the cause.`,
    advice: () => `Raise the plan or balance of the account, or switch to another provider, ${triggerAgain}.`
  },
  {
    id: "provider-rate-limit",
    owner: "provider",
    title: (evidence) => `${provider(evidence)} rate limit`,
    matches: (evidence) => sends(evidence) && (hasStatus(evidence, 429) || mentions(refusal.rate)(evidence)),
    cause: (evidence) =>
      `${theProvider(evidence)} limits the sending rate, and the limit was exceeded${statusOf(evidence)}. The subscriber is not the cause.`,
    advice: () =>
      "Wait and trigger the event again; if it happens again, send more slowly or raise the rate at the provider."
  },
  {
    id: "webhook-refused",
    owner: "subscriber",
    title: (evidence) => `${provider(evidence)} refused the webhook`,
    credentials: "cause",
    fields: ["webhookUrl"],
    matches: (evidence) =>
      (isWebhookChat(evidence) || (evidence.job.type === "chat" && mentions(/web ?hook/u)(evidence))) &&
      (hasStatus(evidence, 401, 403, 404, 410) || mentions(refusal.webhook)(evidence)),
    cause: (evidence) =>
      `${theProvider(evidence)} refused the webhook URL of the subscriber${statusOf(evidence)}: it was revoked, or its channel was deleted.${quotedMessage(evidence)}`,
    advice: (evidence) => `Create a new webhook in ${provider(evidence)}, store its URL, ${triggerAgain}.`
  },
  {
    id: "chat-app-not-allowed",
    owner: "environment",
    title: (evidence) => `${provider(evidence)} app not allowed`,
    matches: (evidence) =>
      evidence.job.type === "chat" &&
      mentions(
        /not in channel|missing (?:permissions?|access|scope)|restricted action|\b(?:bot|app) (?:was|is) (?:kicked|not)\b/u
      )(evidence),
    cause: (evidence) =>
      `The app of ${integration(evidence)} is not installed where the message goes, or lacks the permission or consent to send there.${quotedMessage(evidence)}`,
    advice: () => `Let an administrator install the app and consent to its permissions, ${triggerAgain}.`
  },
  {
    id: "chat-recipient-not-found",
    owner: "subscriber",
    title: (evidence) => `${provider(evidence)} recipient not found`,
    credentials: "unknown",
    matches: (evidence) => evidence.job.type === "chat" && mentions(refusal.chat)(evidence),
    cause: (evidence) =>
      `The channel or user that is stored for the subscriber does not exist at ${provider(evidence)}.${quotedMessage(evidence)}`,
    advice: () => `Store the current channel or user of the subscriber, ${triggerAgain}.`
  },
  {
    id: "provider-unauthorized",
    owner: "environment",
    title: (evidence) => `${provider(evidence)} refused the key`,
    matches: (evidence) => sends(evidence) && (hasStatus(evidence, 401) || mentions(refusal.login)(evidence)),
    cause: (evidence) =>
      `${theProvider(evidence)} refused the key of the integration${statusOf(evidence)}: it is wrong, expired or revoked. The subscriber is not the cause; every message of this integration fails.${quotedMessage(evidence)}`,
    advice: (evidence) => `Set a valid key in ${integration(evidence)} in the settings of the service, ${triggerAgain}.`
  },
  {
    id: "provider-forbidden",
    owner: "environment",
    title: (evidence) => `${provider(evidence)} forbids sending`,
    matches: (evidence) => sends(evidence) && (hasStatus(evidence, 403) || mentions(refusal.permission)(evidence)),
    cause: (evidence) =>
      `${theProvider(evidence)} accepted the key of the integration but does not allow this message${statusOf(evidence)}: a permission is missing, or the account is restricted.${quotedMessage(evidence)}`,
    advice: (evidence) =>
      `Check the permissions and the state of the account at ${provider(evidence)}, ${triggerAgain}.`
  },
  {
    id: "provider-unavailable",
    owner: "provider",
    title: (evidence) => `${provider(evidence)} unavailable`,
    matches: (evidence) =>
      sends(evidence) &&
      ((evidence.status !== undefined && (evidence.status >= 500 || evidence.status === 408)) ||
        evidence.network !== undefined ||
        mentions(
          /(?:service|provider|temporarily|currently|server|recipient) (?:is )?(?:currently )?(?:unavailable|down|overloaded)|bad gateway|internal (?:server )?error|not accepting connections|\bin time\b|idle timeout|upstream connect|communication failed/u
        )(evidence)),
    cause: (evidence) =>
      `${theProvider(evidence)} failed or did not respond${statusOf(evidence)}.${quotedMessage(evidence)}`,
    advice: (evidence) =>
      hasOwnHost(evidence)
        ? `Trigger the event again; if it happens again, check host and port in ${integration(evidence)}, and whether its server runs.`
        : `Trigger the event again; if it happens again, check the status page of ${provider(evidence)}.`
  },
  {
    id: "provider-refused-message",
    owner: "workflow",
    title: (evidence) => `${provider(evidence)} refused the message`,
    matches: (evidence) =>
      sends(evidence) && (hasStatus(evidence, 400, 413, 415, 422) || mentions(refusal.content)(evidence)),
    cause: (evidence) =>
      `${theProvider(evidence)} refused this message${statusOf(evidence)}.${quotedMessage(evidence)}`,
    advice: () =>
      `Compare content, sender and overrides of the step with what the provider says, fix them, ${triggerAgain}.`
  },
  {
    id: "subscriber-missing",
    owner: "subscriber",
    title: () => "subscriber deleted",
    matches: mentionsInOneSentence(/subscriber (?:\S+ ){0,2}(?:not found|does not exist|was deleted|is deleted)/u),
    cause: () => "The subscriber no longer exists in the service.",
    advice: () => `Create the subscriber (no operation of this API does), ${triggerAgain}.`
  },
  {
    id: "all-chat-channels-failed",
    owner: "unknown",
    title: (evidence) => `all ${channel(evidence)} channels failed`,
    credentials: "unknown",
    weak: true,
    matches: mentions(/all (?:\w+ )?channels/u),
    cause: (evidence) =>
      `No ${channel(evidence)} channel of the subscriber accepted the message. The earlier execution details say why, channel by channel.`,
    advice: () =>
      "Look at the first failed execution detail of this job; fixing one channel is enough for a message to arrive."
  },
  {
    id: "provider-error",
    owner: "unknown",
    title: (evidence) =>
      `${provider(evidence)} error${evidence.providerMessage === undefined ? "" : `: ${evidence.providerMessage}`}`,
    credentials: "unknown",
    weak: true,
    matches: mentions(
      /unexpected provider error|provider (?:\w+ )?(?:error|failed|failure)|sending (?:\w+ ){0,2}failed|failed to send/u
    ),
    cause: (evidence) =>
      `${theProvider(evidence)} failed in a way that the service did not expect, without a recognised reason.${quotedMessage(evidence)}`,
    advice: () => "Read the raw response of the execution detail. It does not say whether credentials are involved."
  }
]
