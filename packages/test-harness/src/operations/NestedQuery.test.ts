import { expect, it } from "vitest"
import { parseForm } from "./NestedQuery.ts"

it.each<readonly [string, string, object]>([
  ["names and values", "a=1&b=2", { a: "1", b: "2" }],
  ["a name without a value", "a&b=&c=1=2", { a: "", b: "", c: "1=2" }],
  ["nothing between two marks", "&a=1&&b=2&", { a: "1", b: "2" }],
  ["spaces and encoded characters", "a+b=c+d%26&e%5Bf%5D=%C3%A4", { "a b": "c d&", e: { f: "ä" } }],
  ["what is not encoded as it should be", "a=5%+of%zz", { a: "5% of%zz" }],
  ["a name twice", "a=1&a=2", { a: ["1", "2"] }],
  ["a list", "a[]=1&a[]=2&b[]=3", { a: ["1", "2"], b: ["3"] }],
  ["a list by index, in any order", "a[10]=x&a[2]=y", { a: ["y", "x"] }],
  ["an index that is a name", "a[1]=x&a[one]=y&b[1x]=z", { a: { 1: "x", one: "y" }, b: { "1x": "z" } }],
  ["fields", "a[b]=1&a[c]=2", { a: { b: "1", c: "2" } }],
  ["fields of the elements of a list", "a[0][b]=1&a[0][c]=2&a[1][b]=3", { a: [{ b: "1", c: "2" }, { b: "3" }] }],
  ["brackets at the start, or without an end", "[]=1&a[=2&a]=3", { "[]": "1", "a[": "2", "a]": "3" }],
  ["more after the brackets", "a[b]c=1&a[b]c]=2", { "a[b]c": "1", "a[b]c]": "2" }],
  ["five levels", "a[b][c][d][e][f]=1", { a: { b: { c: { d: { e: { f: "1" } } } } } }],
  ["more than five levels", "a[b][c][d][e][f][g][h]=1", { a: { b: { c: { d: { e: { f: { "g][h": "1" } } } } } } }],
  ["no prototype", "__proto__[a]=1&b[__proto__]=2&c=3", { b: {}, c: "3" }]
])("a form has %s", (_what, text, read) => {
  expect(parseForm(text)).toEqual(read)
})
