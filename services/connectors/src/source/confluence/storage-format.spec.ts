import { expect, it } from "@jest/globals";
import { findMentions, readStorage } from "./storage-format.ts";

const users = new Map([["5b10", "Ada Lovelace"]]);
const read = (body: string): string => readStorage(body, users, "https://a.example/wiki/x");
const macro = (name: string, contents: string): string =>
  `<ac:structured-macro ac:name="${name}" ac:schema-version="1">${contents}</ac:structured-macro>`;
const parameter = (name: string, value: string): string =>
  `<ac:parameter ac:name="${name}">${value}</ac:parameter>`;
const rich = (contents: string): string => `<ac:rich-text-body>${contents}</ac:rich-text-body>`;
const plain = (text: string): string =>
  `<ac:plain-text-body><![CDATA[${text}]]></ac:plain-text-body>`;
const adf = (type: string, attributes: string, contents: string): string =>
  `<ac:adf-node type="${type}">${attributes}<ac:adf-content>${contents}</ac:adf-content></ac:adf-node>`;

it.each([
  [
    "code, with what looks like markup in it",
    macro(
      "code",
      parameter("language", "ts") +
        parameter("title", "Example") +
        plain("if (a < b) {\n  c(`d`);\n}"),
    ),
    "**Example**\n\n```ts\nif (a < b) {\n  c(`d`);\n}\n```",
  ],
  [
    "code whose end of CDATA is split",
    macro("code", plain("a]]]]><![CDATA[>b")),
    "```\na]]>b\n```",
  ],
  ["noformat", macro("noformat", plain("  as\n  is")), "```\n  as\n  is\n```"],
  ["a note", macro("info", rich("<p>Be careful.</p>")), "> **Info**\n>\n> Be careful."],
  [
    "a warning with a title and a list",
    macro("warning", parameter("title", "Stop") + rich("<ul><li>one</li><li>two</li></ul>")),
    "> **Warning: Stop**\n>\n> - one\n> - two",
  ],
  [
    "a panel",
    macro(
      "panel",
      parameter("title", "Contact") + parameter("bgColor", "#fff") + rich("<p>HR</p>"),
    ),
    "> **Contact**\n>\n> HR",
  ],
  [
    "a status in a line",
    `<p>The plan is ${macro("status", parameter("colour", "Green") + parameter("title", "On track"))}.</p>`,
    "The plan is [On track].",
  ],
  ["a status without a title", macro("status", parameter("colour", "Red")), "[Red]"],
  [
    "sections and columns",
    macro(
      "section",
      rich(macro("column", rich("<p>Left</p>")) + macro("column", rich("<p>Right</p>"))),
    ),
    "Left\n\nRight",
  ],
  [
    "a layout",
    `<ac:layout><ac:layout-section ac:type="two_equal"><ac:layout-cell><h2>A</h2></ac:layout-cell>
      <ac:layout-cell><p>B</p></ac:layout-cell></ac:layout-section></ac:layout>`,
    "## A\n\nB",
  ],
  [
    "page properties",
    macro(
      "details",
      parameter("id", "meta") +
        rich(
          "<table><tbody><tr><th>Owner</th><td>Ada</td></tr><tr><th>Due</th><td>May</td></tr></tbody></table>",
        ),
    ),
    "|  |  |\n| --- | --- |\n| Owner | Ada |\n| Due | May |",
  ],
  [
    "an expandable text",
    macro("expand", parameter("title", "More") + rich("<p>Hidden text</p>")),
    "**More**\n\nHidden text",
  ],
  [
    "tasks with a person and a date",
    `<ac:task-list><ac:task><ac:task-id>1</ac:task-id><ac:task-status>complete</ac:task-status>
      <ac:task-body><span>Ask <ac:link><ri:user ri:account-id="5b10" /></ac:link></span></ac:task-body></ac:task>
      <ac:task><ac:task-id>2</ac:task-id><ac:task-status>incomplete</ac:task-status>
      <ac:task-body>Ship by <time datetime="2026-11-30" /></ac:task-body></ac:task></ac:task-list>`,
    "- [x] Ask @Ada Lovelace\n- [ ] Ship by 2026-11-30",
  ],
  ["a person who isn't known", '<p><ac:link><ri:user ri:userkey="x" /></ac:link></p>', "@someone"],
  [
    "links to pages and files",
    `<p><ac:link><ri:page ri:content-title="Travel" ri:space-key="HR" /></ac:link>,
      <ac:link><ri:page ri:content-title="Travel" /><ac:link-body>the <b>rules</b></ac:link-body></ac:link>,
      <ac:link><ri:attachment ri:filename="a.pdf" /><ac:plain-text-link-body><![CDATA[form]]></ac:plain-text-link-body></ac:link>,
      <a href="/wiki/y">away</a> <a href="javascript:alert(1)">bad</a></p>`,
    "Travel, the **rules** (Travel), form (a.pdf), [away](https://a.example/wiki/y) bad",
  ],
  [
    "pictures by name",
    `<ac:image ac:alt="Our office"><ri:attachment ri:filename="office.png" /><ac:caption><p>Berlin</p></ac:caption></ac:image>`,
    "[Image: Our office – Berlin – office.png]",
  ],
  [
    "emoticons",
    '<p><ac:emoticon ac:name="tick" /> <ac:emoticon ac:name="blue-star" ac:emoji-shortname=":rocket:" ac:emoji-fallback="🚀" /> <ac:emoticon ac:name="x-y" /></p>',
    "✅ 🚀 :x-y:",
  ],
  [
    "an included page by name",
    macro(
      "include",
      `<ac:parameter ac:name=""><ac:link><ri:page ri:content-title="Terms" /></ac:link></ac:parameter>`,
    ),
    "[Includes: Terms]",
  ],
  [
    "an included excerpt by name",
    macro(
      "excerpt-include",
      parameter("", '<ac:link><ri:page ri:content-title="Terms" /></ac:link>'),
    ),
    "[Includes an excerpt of: Terms]",
  ],
  ["an excerpt", macro("excerpt", rich("<p>In short</p>")), "In short"],
  [
    "a panel of the new editor, once",
    `<ac:adf-extension>${adf("panel", '<ac:adf-attribute key="panel-type">note</ac:adf-attribute>', "<p>New</p>")}
      <ac:adf-fallback><div><p>New</p></div></ac:adf-fallback></ac:adf-extension>`,
    "> **Note**\n>\n> New",
  ],
  [
    "decisions",
    `<ac:adf-extension>${`<ac:adf-node type="decision-list">${adf("decision-item", '<ac:adf-attribute key="state">DECIDED</ac:adf-attribute>', "We go.")}</ac:adf-node>`}</ac:adf-extension>`,
    "- Decided: We go.",
  ],
  [
    "an issue",
    `<p>See ${macro("jira", parameter("server", "Jira") + parameter("key", "AB-1"))}</p>`,
    "See [jira: AB-1]",
  ],
  [
    "a file",
    macro("viewpdf", parameter("name", '<ri:attachment ri:filename="plan.pdf" />')),
    "[viewpdf: plan.pdf]",
  ],
  ["a formula", macro("mathblock", plain("E = mc^2")), "$E = mc^2$"],
  ["markup in a macro", macro("html", plain("<h3>Raw</h3><script>alert(1)</script>")), "### Raw"],
  ["an unknown macro with a body", macro("acme-box", rich("<p>Boxed</p>")), "Boxed"],
  ["an unknown macro with a text", macro("acme-text", plain("Some text")), "```\nSome text\n```"],
  [
    "a page of macros only",
    macro("toc", parameter("maxLevel", "2")) +
      macro("children", parameter("all", "true")) +
      macro("contentbylabel", parameter("cql", 'label = "faq"')),
    '[children]\n\n[contentbylabel: label = "faq"]',
  ],
  [
    "entities and marks",
    '<p>Gr&uuml;&szlig;e &mdash; <em>now </em>and <ac:inline-comment-marker ac:ref="1">then</ac:inline-comment-marker></p>',
    "Grüße — *now* and then",
  ],
  [
    "broken markup",
    "<p>One<p>Two <b>three</p><ac:structured-macro ac:name='info'><ac:rich-text-body>Four",
    "One\n\nTwo **three**\n\n> **Info**\n>\n> Four",
  ],
  [
    "names of JavaScript's own",
    "<constructor><toString>a</toString></constructor><ac:structured-macro ac:name='__proto__'/>",
    "a\n\n[__proto__]",
  ],
])("reads %s", (_, body, expected) => {
  expect(read(body)).toBe(expected);
});

it("finds whom a page mentions", () => {
  const mention = '<ac:link><ri:user ri:account-id="5b10" /></ac:link>';
  expect(findMentions(`<p>${mention}${mention}<ri:user ri:username="bob"/><ri:user/></p>`)).toEqual(
    ["5b10", "bob"],
  );
});

it("takes no longer for nested and repeated macros than for their text", () => {
  const open = '<ac:structured-macro ac:name="panel"><ac:rich-text-body>';
  const started = performance.now();
  expect(read(`${open.repeat(40_000)}text`)).toContain("text");
  expect(read(macro("status", parameter("title", "x")).repeat(20_000))).toContain("[x]");
  expect(performance.now() - started).toBeLessThan(20_000);
});
