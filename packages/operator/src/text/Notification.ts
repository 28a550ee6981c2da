import { cleanLine, type Outgoing, outlet } from "../outlet/Outlet.ts"

/**
 * Notifies through the terminal and rings its bell: OSC 9 for some terminals, OSC 777 for others; each ignores the other.
 */
export const notification = (text: string): Outgoing => {
  const shown = cleanLine(text)
  return outlet("own").text(
    `\u001B]9;${shown}\u0007\u001B]777;notify;Signalbox;${shown.replaceAll(";", ",")}\u0007\u0007`
  )
}
