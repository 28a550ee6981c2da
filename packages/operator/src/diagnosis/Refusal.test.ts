import { assert, it } from "@effect/vitest"
import { detailOf, jobOf } from "../../test/Records.ts"
import { gather } from "./Evidence.ts"
import { mailCause } from "./Refusal.ts"

const causeOf = (command: string, response: string): string | undefined => {
  const raw = JSON.stringify({ response, responseCode: Number(response.slice(0, 3)), command })
  return mailCause(gather(jobOf("email", []), detailOf("Unexpected provider error", { raw })))
}

/** Responses of mail servers, with the command that they refused. */
const responses: Readonly<Record<string, string>> = {
  "delivery-delayed": `
    RCPT TO: 450 4.7.1 <a@b.test>: Recipient address rejected: Greylisted
    CONN: 421 4.7.0 Too many connections, slow down.
    AUTH PLAIN: 454 4.7.0 Temporary authentication failure`,
  "provider-unauthorized": `
    AUTH PLAIN: 535 5.7.8 Sorry.
    MAIL FROM: 530 5.7.57 Client not authenticated to send mail.
    MAIL FROM: 530 Authentication Required.
    MAIL FROM: 530 5.7.0 Must issue a STARTTLS command first`,
  "provider-rate-limit": "RCPT TO: 550 5.1.1 <a@b.test> has sent to too many recipients this hour.",
  "taken-for-spam": `
    DATA: 550 5.7.1 Message content rejected, UBE
    DATA: 554 5.7.0 Reject - SPAM`,
  "sender-refused": `
    MAIL FROM: 553 Odd
    DATA: 501 5.1.8 Odd
    RCPT TO: 550 5.7.1 IP address blacklisted by recipient
    RCPT TO: 554 5.7.1 Service unavailable; Client host [192.0.2.4] blocked using zen.spamhaus.org
    RCPT TO: 550 relay not permitted
    RCPT TO: 553 sorry, that domain isn't in my list of allowed rcpthosts
    RCPT TO: 550 Verification failed for <a@b.test>: Sender verify failed
    DATA: 550 5.7.708 Service unavailable. Access denied, traffic not accepted from this IP.
    EHLO: 550 Access denied - Invalid HELO name
    RCPT TO: 550 5.1.0 <a@b.test> sender rejected.
    RCPT TO: 550 domain [b.test] mismatches client ip 192.0.2.225.
    DATA: 550 5.7.26 Unauthenticated email from b.test is not accepted due to domain's DMARC policy.
    DATA: 554 5.2.252 SendAsDenied; a@b.test not allowed to send as c@b.test
    DATA: 554 Message rejected: Email address is not verified.
    CONN: 554 Your access has been rejected due to the sending MTA's poor reputation.`,
  "provider-refused-message": `
    MAIL FROM: 552 5.3.4 Odd
    DATA: 552-5.7.0 This message was blocked because its content presents a potential security issue.
    DATA: 550 5.7.1 Our system has detected that this message is not RFC 5322 compliant
    DATA: 554 Transaction failed`,
  "recipient-refused": `
    RCPT TO: 550 5.1.1 Odd
    DATA: 550 5.1.10 Odd
    DATA: 452 4.2.2 Odd
    RCPT TO: 552 Error: disk quota exceeded
    RCPT TO: 550 Mailbox quota exceeded
    RCPT TO: 550 Unrouteable address
    RCPT TO: 550 5.7.1 <a@b.test>: Recipient address rejected: User unknown
    RCPT TO: 550 Host unknown
    RCPT TO: 550 'a@b.test' is not a registered gateway user
    RCPT TO: 550 5.4.1 Recipient address rejected: Access denied.
    DATA: 554 5.2.1 Inactive user`,
  "provider-error": `
    RCPT TO: 550 Rejected
    RCPT TO: 550 Access denied...7d39d529`,
  "provider-limit": "DATA: 550 5.4.5 Daily user sending limit exceeded.",
  "provider-unavailable": `
    DATA: 554 Service currently unavailable
    RCPT TO: 554 5.3.0 <a@b.test>: Recipient address rejected: Internal system error.
    RCPT TO: 554 5.4.6 Too many hops
    CONN: 554 mx.b.test ESMTP not accepting connections`
}

it.each(Object.entries(responses))("reads %s in the responses of mail servers", (rule, lines) => {
  const others = lines
    .trim()
    .split("\n")
    .map((line) => line.trim().split(": "))
    .filter(([command = "", ...response]) => causeOf(command, response.join(": ")) !== rule)
  assert.deepStrictEqual(others, [])
})

it("reads nothing where no mail server responded", () => {
  assert.isUndefined(
    mailCause(gather(jobOf("email", []), detailOf("odd", { raw: '{"code":"EDNS","command":"CONN"}' })))
  )
})
