/** `docs/fake-command.md`, with the help of each command as the parser prints it. */
export const commandPage = (help: {
  readonly serve: string
  readonly check: string
  readonly record: string
}): string => `# signalbox-fake

\`signalbox-fake\` is the executable of \`@signalbox/test-harness\`. It serves the fake, checks a client, and records a service.
\`npx -p @signalbox/test-harness signalbox-fake\` runs it on Node 20 or newer, in a folder without the package, too.
[\`signalbox fake\`](cli/fake.md) of the command line takes the same options to serve; it adds
\`--like\`, and \`exec\`, which runs a program against the fake.

## Serve

\`\`\`text
${help.serve.trimEnd()}
\`\`\`

The server has a [control API](testing/http.md) and an [inspector](testing/inspector.md). The JSON of each fault is in
[Faults of the fake](fake-faults.md), and the values of each switch are in [Switches of the fake](fake-switches.md).

## Check a client

\`\`\`text
${help.check.trimEnd()}
\`\`\`

[Check a client](testing/check.md) has a command in Python, and explains the rules.

## Record and replay

\`\`\`text
${help.record.trimEnd()}
\`\`\`

\`--upstream\` forwards requests to a service, such as staging. It writes each request and its response to a new file when the
response arrives. When it is stopped, it writes the [switches](testing/switches.md) that they show to a file for \`--preset\`,
\`service.preset.json\` next to \`service.json\`. Names, e-mail addresses and the content of messages are not removed: record with
test data if the file goes into a repository. A recording shows eight of the switches: the envelope, the format of times,
rejected keys, the headers of rate limits and of responses.
\`signalbox doctor --calibrate\` asks a service about all of them.

\`--replay\` responds to equal requests, with any key, and with 400 to others; the message names the nearest recorded request.
The order of query parameters does not count. Equal requests get the recorded responses in their order, then the last one
again. A response 401 or 403 to a key is replayed only if the recording has no other response to this request.

\`--drift\` compares a recording with the fake. It lists each switch whose recorded value differs from the preset, and how
records differ from the API document: missing and unknown fields, unknown values and unreadable parts, as
[the client reports them](sdk/drift.md), without those that the preset has on purpose.

## In CI

A job of GitHub Actions that checks a client, runs the tests of a Python service against the fake, and compares a recording:

\`\`\`yaml
jobs:
  notifications:
    runs-on: ubuntu-latest
    steps:
      - uses: actions/checkout@v5
      - uses: actions/setup-node@v5
        with:
          node-version: 24
      - run: npm ci
      - run: npx -p @signalbox/test-harness signalbox-fake check --runs 150 -- python3 client.py
      - run: npx -p @signalbox/test-harness signalbox-fake record --drift service.json --preset observed
      - run: pip install pytest ./node_modules/@signalbox/test-harness/python
      - run: python3 -m pytest
\`\`\`

The plugin of pytest starts the fake itself. For other languages, start it in the background and wait for its line of JSON,
as in [Tests in other languages](testing/http.md).
`
