import { shellWord } from "@signalbox/operator/report/Curl"
import { addressOf, type Connection } from "./Connection.ts"

/** A command of this program on the same connection, in whichever shell it is pasted. */
export const commandOn = ({ baseUrl, isConfigured, kind, name }: Connection, command: string, words: string): string =>
  isConfigured || kind === "demo"
    ? `signalbox ${command} -c ${name} ${words}`
    : `SIGNALBOX_BASE_URL=${shellWord(addressOf(baseUrl ?? "").replace(/\/$/u, ""))} signalbox ${command} ${words}`
