/**
 * The sidebar of the API reference: the exports of one entry point instead of all guides. There are too many exports for
 * the sidebar of every page.
 */
import { defineRouteMiddleware, type StarlightRouteData } from "@astrojs/starlight/route-data"
import type { ReferenceSidebar } from "../generate/Reference.ts"
import data from "./reference.json"

const sidebars: ReadonlyArray<ReferenceSidebar> = data

const sidebarByRoute = new Map(
  sidebars.flatMap((sidebar) =>
    [sidebar, ...sidebar.groups.flatMap(({ exports }) => exports)].map(({ route }) => [route, sidebar] as const)
  )
)

export const onRequest = defineRouteMiddleware((context) => {
  const { starlightRoute } = context.locals
  const current = starlightRoute.id
  const sidebar = sidebarByRoute.get(current)
  if (sidebar === undefined) return
  const link = (label: string, route: string): StarlightRouteData["sidebar"][number] => ({
    type: "link",
    label,
    href: `/${route}/`,
    isCurrent: route === current,
    badge: undefined,
    attrs: {}
  })
  const library = sidebar.specifier.split("/").slice(0, 2).join("/")
  starlightRoute.sidebar = [
    link("All documentation", "start/library"),
    ...(library === sidebar.specifier ? [] : [link(library, `reference/${library.slice("@signalbox/".length)}`)]),
    link(sidebar.specifier, sidebar.route),
    ...sidebar.groups.map(({ exports, heading }): StarlightRouteData["sidebar"][number] => ({
      type: "group",
      label: heading,
      collapsed: false,
      badge: undefined,
      entries: exports.map(({ name, route }) => link(name, route))
    }))
  ]
  starlightRoute.pagination = { prev: undefined, next: undefined }
})
