import { assert, describe, it } from "@effect/vitest"
import * as Redacted from "effect/Redacted"
import { protectKey } from "../connections/OwnKeys.ts"
import { crashMessage, crashReport } from "./CrashReport.ts"

protectKey(Redacted.make("crash-key-4711"))

describe("the report of a crash", () => {
  it("reports in one line what happened, then where", () => {
    const error = new TypeError("rows is\nundefined\u001B[2J")
    error.stack = `TypeError: rows is\nundefined\u001B[2J\n    at draw (/app/main.js:4:2)\n    at run (/app/main.js:9:1)`
    assert.strictEqual(
      crashReport(error),
      "signalbox: internal error: TypeError: rows is undefined^[[2J. Please report it.\n    at draw (/app/main.js:4:2)\n    at run (/app/main.js:9:1)\n"
    )
  })
  it("shows no key, token or webhook URL that an error quotes", () => {
    const token = "dGhpcy1pcy1hLXRva2Vu:of_a-device"
    const error = new Error(`"crash-key-4711" ${btoa("crash-key-4711")} ${token} https://hooks.example.test/T0/abcd`)
    const report = crashReport(error)
    for (const secret of ["crash-key-4711", btoa("crash-key-4711"), token, "T0/abcd"]) assert.notInclude(report, secret)
    assert.include(report, "    at ")
  })
  it("reports what is thrown and is no error", () => {
    assert.strictEqual(crashMessage("no rows"), "internal error: no rows. Please report it.")
    assert.strictEqual(crashReport(undefined), "signalbox: internal error: undefined. Please report it.\n")
  })
})
