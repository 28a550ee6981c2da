import { docsUrl } from "@signalbox/core/DocsUrl"
import starlight from "@astrojs/starlight"
import { defineConfig, passthroughImageService } from "astro/config"
import { existsSync } from "node:fs"
import linksValidator from "starlight-links-validator"

const hasPage = (route) =>
  [`${route}.md`, `${route}/index.md`].some((file) => existsSync(new URL(`src/content/docs/${file}`, import.meta.url)))

/** The pages of a group that exist: some arrive with the package that they describe. */
const existing = (...routes) => routes.filter(hasPage)

const folder = (directory) => ({ autogenerate: { directory } })

/** A folder of pages as a sidebar group; nothing where the folder does not exist. */
const group = (label, directory) =>
  existsSync(new URL(`src/content/docs/${directory}`, import.meta.url)) ? [{ label, items: [folder(directory)] }] : []

export default defineConfig({
  // Without an address, pages have no canonical link and the site no map.
  site: docsUrl,
  image: { service: passthroughImageService() },
  integrations: [
    starlight({
      title: "Signalbox",
      description: "Typed SDK, fake service, terminal UI and command line for a subscriber notification service",
      head: [{ tag: "script", attrs: { type: "module", src: "/playground/main.js" } }],
      routeMiddleware: "./src/referenceSidebar.ts",
      customCss: ["./src/styles/site.css"],
      sidebar: [
        { label: "Start", items: [...existing("start/library", "start/tests", "start/terminal"), "playground"] },
        { label: "SDK", items: [folder("sdk")] },
        { label: "Testing with the fake", items: [folder("testing"), ...existing("fake-switches", "fake-faults")] },
        ...group("Examples", "examples"),
        ...group("Command line", "cli"),
        { label: "Terminal UI", items: existing("tui") },
        { label: "Bulk runs", items: existing("bulk") },
        { label: "Reference", items: existing("api", "errors", "causes", "delivery", "connections") },
        {
          label: "Project",
          items: existing("architecture", "comparison", "support", "security", "measurements", "contributing")
        },
        {
          label: "API reference",
          items: [
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
        },
        { label: "Decisions", collapsed: true, items: [folder("decisions")] }
      ],
      plugins: [linksValidator()]
    })
  ]
})
