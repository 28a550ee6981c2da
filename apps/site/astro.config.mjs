import { docsUrl } from "@signalbox/core/internal/errors/DocsUrl"
import starlight from "@astrojs/starlight"
import { defineConfig, passthroughImageService } from "astro/config"
import { existsSync } from "node:fs"
import linksValidator from "starlight-links-validator"
import { searchSettings } from "./src/SearchSettings.ts"

const hasPage = (route) =>
  [`${route}.md`, `${route}/index.md`].some((file) => existsSync(new URL(`src/content/docs/${file}`, import.meta.url)))

/** The pages of a group that exist: some arrive with the package that they describe. */
const existing = (...routes) => routes.filter(hasPage)

const folder = (directory) => ({ autogenerate: { directory } })

/** Marks the commands of a session, so that they differ from what they print. */
const sessionCommands = {
  name: "session-commands",
  hooks: {
    postprocessRenderedLine: ({ codeBlock, line, renderData }) => {
      if (codeBlock.language !== "console" || !line.text.startsWith("$ ")) return
      renderData.lineAst.properties.className.push("command")
    }
  }
}

/** A group that opens on its own pages only. */
const collapsed = (label, items) => ({ label, collapsed: true, items })

/** A page and the folder of its route as a group; nothing where neither exists. */
const pages = (label, route) => {
  const content = new URL(`src/content/docs/${route}`, import.meta.url)
  const items = [
    ...(existsSync(`${content.pathname}.md`) ? [route] : []),
    ...(existsSync(content) ? [folder(route)] : [])
  ]
  return items.length === 0 ? [] : [collapsed(label, items)]
}

export default defineConfig({
  // Without an address, pages have no canonical link and the site no map.
  site: docsUrl,
  image: { service: passthroughImageService() },
  integrations: [
    starlight({
      title: "Signalbox",
      description: "Typed SDK, fake service, terminal UI and command line for a subscriber notification service",
      logo: { src: "./src/logo.svg" },
      components: { SocialIcons: "./src/components/HeaderLinks.astro" },
      head: [
        { tag: "script", attrs: { type: "module", src: "/playground/main.js" } },
        // Without an address there is no image that a preview could load.
        ...(docsUrl === undefined
          ? [{ tag: "meta", attrs: { name: "twitter:card", content: "summary" } }]
          : [{ tag: "meta", attrs: { property: "og:image", content: new URL("/social.png", docsUrl).href } }])
      ],
      routeMiddleware: "./src/referenceSidebar.ts",
      customCss: ["./src/styles/site.css"],
      pagefind: searchSettings,
      // The frame of a terminal is an empty bar.
      expressiveCode: {
        plugins: [sessionCommands],
        // Commands and messages are read to their end; the tables of a session are not torn apart.
        defaultProps: {
          overridesByLang: { "bash,sh": { frame: "none", wrap: true }, console: { frame: "none" }, txt: { wrap: true } }
        }
      },
      // By reader: who uses the client, tests with the fake, operates, looks something up, or contributes.
      sidebar: [
        { label: "Start", items: [...existing("start/library", "start/tests", "start/terminal"), "playground"] },
        {
          label: "Use",
          items: [...pages("How to", "howto"), ...pages("SDK", "sdk"), ...pages("Examples", "examples")]
        },
        {
          label: "Test",
          items: [
            ...pages("Testing with the fake", "testing"),
            collapsed("Tables", existing("fake-command", "fake-switches", "fake-faults"))
          ]
        },
        {
          label: "Operate",
          items: [
            ...existing("causes", "connections"),
            ...pages("Command line", "cli"),
            ...pages("Terminal UI", "tui"),
            ...pages("Bulk runs", "bulk")
          ]
        },
        {
          label: "Reference",
          items: [
            ...existing(
              "operations/credentials-upsert",
              "operations/messages-mark-as",
              "operations/events-list",
              "api",
              "delivery",
              "support"
            ),
            ...pages("Errors", "errors"),
            collapsed(
              "Symbols",
              [
                "sdk",
                "sdk/node",
                "sdk/effect",
                "test-harness",
                "test-harness/vitest",
                "test-harness/server",
                "test-harness/effect",
                "bulk",
                "bulk/cluster",
                "core",
                "operator"
              ].map((entry) => ({ label: `@signalbox/${entry}`, slug: `reference/${entry}` }))
            )
          ]
        },
        {
          label: "Contribute",
          items: [
            ...existing("contributing", "architecture", "security", "comparison", "measurements"),
            collapsed("Decisions", [folder("decisions")])
          ]
        }
      ],
      plugins: [linksValidator()]
    })
  ]
})
