import { afterAll, beforeAll, beforeEach, describe, expect, it } from "@jest/globals";
import {
  listAll,
  readFetched,
  startFixtureServer,
  type FixtureServer,
} from "../../../test/fixture-server.ts";
import { writeAdf } from "./adf-markdown.ts";
import { connector } from "./jira.connector.ts";
import { JiraFixture } from "./jira.fixture.ts";
import { writeWikiMarkup } from "./wiki-markup.ts";

const paragraph = (...content: object[]): object => ({ type: "paragraph", content });
const text = (words: string, ...marks: object[]): object => ({ type: "text", text: words, marks });
const doc = (...content: object[]): object => ({ type: "doc", version: 1, content });

describe.each([
  {
    name: "the cloud",
    kind: "cloud",
    contextPath: "",
    credential: { username: "ada", accessToken: "x" },
    authorization: `Basic ${Buffer.from("ada:x").toString("base64")}`,
  },
  {
    name: "a server behind a path",
    kind: "server",
    contextPath: "/jira",
    credential: { personalAccessToken: "pat" },
    authorization: "Bearer pat",
  },
] as const)("Jira in $name", ({ kind, contextPath, credential, authorization }) => {
  let jira: JiraFixture;
  let server: FixtureServer;
  beforeAll(async () => {
    server = await startFixtureServer((...call) => jira.listener(...call));
  });
  afterAll(() => server.stop());
  const write = (words: string): unknown =>
    kind === "cloud" ? doc(paragraph(text(words))) : words;
  beforeEach(() => {
    jira = new JiraFixture(kind, contextPath, authorization);
    jira.issues = [1, 2, 3].map((n) => ({
      id: `100${n}`,
      key: `HR-${n}`,
      summary: `Issue ${n}`,
      updated: `2026-05-0${n}T10:00:00.000+0000`,
      description: write(`About ${n}`),
    }));
  });
  const open = (more: object = {}, sent: object = credential) =>
    connector.open(
      connector.settings.parse({ url: server.address, project: "HR", ...more }),
      connector.credential.parse(sent),
      server.context,
    );

  it("reads issues with their comments and the names of their attachments", async () => {
    const [issue] = jira.issues;
    issue!.attachments = ["a.pdf", "b.png"];
    issue!.comments = [1, 2, 3].map((n) => ({ author: "Bob", body: write(`Comment ${n}`) }));
    const source = await open();
    const items = await listAll(source);
    expect(items.map(({ externalId, version, address }) => [externalId, version, address])).toEqual(
      jira.issues.map(({ id, key, updated }) => [
        id,
        updated,
        `${server.address}${contextPath}/browse/${key}`,
      ]),
    );
    const fetched = await source.fetch(items[0]!.item, null);
    const comments = [1, 2, 3].map((n) => `## Comment by Bob, 2026-05-02\n\nComment ${n}`);
    expect(await readFetched(fetched)).toBe(
      `# HR-1: Issue 1

- Type: Task
- Status: Done
- Reporter: Ada
- Labels: faq, pay
- Created: 2026-05-01
- Updated: 2026-05-01
- Attachments: a.pdf, b.png

About 1

${comments.join("\n\n")}
`,
    );
    expect(fetched).toMatchObject({
      filename: "HR-1 Issue 1.md",
      version: issue!.updated,
      metadata: { docAuthor: "Ada", docSource: `${server.address} Jira` },
    });
    expect(await source.fetch(items[0]!.item, issue!.updated)).toEqual({ kind: "unchanged" });
    const without = await open({ comments: false });
    expect(await readFetched(await without.fetch(items[0]!.item, null))).not.toContain("Comment 1");
  });

  it("leaves out what only some of those who see the project may see", async () => {
    const [open1, secret] = jira.issues;
    open1!.comments = [
      { author: "Bob", body: write("For all") },
      { author: "Bob", body: write("Salaries"), visibility: { type: "role", value: "Admins" } },
      { author: "Bob", body: write("Between agents"), isInternal: true },
      { author: "Bob", body: write("For all, again") },
    ];
    const source = await open();
    const item = (await listAll(source))[1]!.item;
    secret!.security = "HR only";
    const listed = await listAll(source);
    expect(listed.map(({ skip }) => skip?.code)).toEqual([
      undefined,
      "source.item-restricted",
      undefined,
    ]);
    const text = await readFetched(await source.fetch(listed[0]!.item, null));
    expect(text.match(/For all.*|Salaries|Between agents/g)).toEqual(["For all", "For all, again"]);
    // Restricted since it was listed, or known from before.
    for (const version of [null, secret!.updated])
      expect(await readFetched(await source.fetch(item, version))).toBe("source.item-restricted");
  });

  it("asks for the issues of a project, a query or both, in a stable order", async () => {
    await (await open()).list(null);
    await (await open({ jql: "labels = faq OR labels = pay order by rank" })).list(null);
    await (await open({ project: "", jql: "text ~ 'order by'" })).list(null);
    expect(jira.queries).toEqual([
      'project = "HR" ORDER BY created ASC, key ASC',
      'project = "HR" AND (labels = faq OR labels = pay) ORDER BY created ASC, key ASC',
      "(text ~ 'order by') ORDER BY created ASC, key ASC",
    ]);
    await expect(open({ project: undefined })).rejects.toMatchObject({
      code: "source.setting-invalid",
    });
  });

  const many = kind === "cloud" ? 10_000 : 1_000;
  it(`lists all of ${many} issues`, async () => {
    jira.issues = Array.from({ length: many }, (_, n) => ({
      id: String(n),
      key: `HR-${n}`,
      summary: "",
      updated: "",
      description: "",
    }));
    const ids = (await listAll(await open())).map(({ externalId }) => externalId);
    expect([ids.length, new Set(ids).size]).toEqual([many, many]);
  });

  it("lists the projects to choose from, and says what is wrong", async () => {
    const settings = connector.settings.parse({
      url: `${server.address}${contextPath}/browse/HR-1`,
    });
    const sent = connector.credential.parse(credential);
    expect(await connector.choices!("project", settings, sent, server.context)).toEqual([
      "DEV",
      "HR",
    ]);
    await expect(open({}, {})).rejects.toMatchObject({ code: "source.denied" });
    await expect(open({ url: `${server.address}/elsewhere` })).rejects.toMatchObject({
      code: "source.not-recognised",
    });
  });

  it("loses issues that were deleted or moved to another project", async () => {
    const source = await open();
    const [moved, deleted] = (await listAll(source)).map(({ item }) => item);
    jira.issues[0]!.key = "DEV-9";
    jira.issues.splice(1, 1);
    for (const item of [moved!, deleted!])
      await expect(source.fetch(item, null)).rejects.toMatchObject({ code: "source.missing" });
  });

  it("keeps the issues of a project whose key has changed, or is written in another case", async () => {
    const [byId, byKey] = jira.issues;
    byId!.projectId = "10";
    const source = await open({ project: "hr" });
    const [renamed, listed] = (await listAll(source)).map(({ item }) => item);
    byId!.key = "PEOPLE-1";
    byKey!.key = "hr-2";
    expect(await readFetched(await source.fetch(renamed!, null))).toContain("# PEOPLE-1: Issue 1");
    expect(await readFetched(await source.fetch(listed!, null))).toContain("About 2");
    byId!.projectId = "11";
    await expect(source.fetch(renamed!, null)).rejects.toMatchObject({ code: "source.missing" });
  });

  it.each([
    [403, {}, { code: "source.denied" }],
    [429, { "retry-after": "9" }, { code: "source.busy", retryAfter: 9 }],
    [500, {}, { code: "source.failing" }],
    [200, {}, { code: "egress.unexpected-response" }],
  ])("passes on a status of %d", async (status, headers, fault) => {
    const source = await open();
    const { item } = (await listAll(source))[0]!;
    const path = `/rest/api/${kind === "cloud" ? 3 : 2}/issue/1001`;
    jira.answers.set(path, (response) => void response.writeHead(status, headers).end("<p>no"));
    await expect(source.fetch(item, null)).rejects.toMatchObject(fault);
  });
});

it.each([
  [
    "marks and links",
    doc(
      paragraph(
        text("bold", { type: "strong" }),
        text(" and "),
        text("away", { type: "link", attrs: { href: "https://b.example/" } }),
        text(" bad", { type: "link", attrs: { href: "javascript:alert(1)" } }),
      ),
    ),
    "**bold** and [away](https://b.example/) bad",
  ],
  [
    "lists and tasks",
    doc(
      {
        type: "orderedList",
        attrs: { order: 3 },
        content: [{ type: "listItem", content: [paragraph(text("three"))] }],
      },
      {
        type: "taskList",
        content: [{ type: "taskItem", attrs: { state: "DONE" }, content: [text("done")] }],
      },
    ),
    "3. three\n\n- [x] done",
  ],
  [
    "code, panels and headings",
    doc(
      { type: "heading", attrs: { level: 2 }, content: [text("Title")] },
      { type: "codeBlock", attrs: { language: "sql" }, content: [text("SELECT 1\nFROM a")] },
      { type: "panel", attrs: { panelType: "warning" }, content: [paragraph(text("Careful"))] },
    ),
    "## Title\n\n```sql\nSELECT 1\nFROM a\n```\n\n> **Warning**\n>\n> Careful",
  ],
  [
    "a table",
    doc({
      type: "table",
      content: [
        {
          type: "tableRow",
          content: [
            { type: "tableHeader", content: [paragraph(text("A"))] },
            { type: "tableHeader", content: [paragraph(text("B"))] },
          ],
        },
        {
          type: "tableRow",
          content: [{ type: "tableCell", attrs: { colspan: 2 }, content: [paragraph(text("1"))] }],
        },
      ],
    }),
    "| A | B |\n| --- | --- |\n| 1 |  |",
  ],
  [
    "people, dates, statuses and files",
    doc(
      paragraph(
        { type: "mention", attrs: { text: "@Ada" } },
        text(" by "),
        { type: "date", attrs: { timestamp: "1764374400000" } },
        text(" "),
        { type: "status", attrs: { text: "IN PROGRESS" } },
        { type: "unknown", content: [text(" kept")] },
      ),
      { type: "mediaSingle", content: [{ type: "media", attrs: { alt: "plan.png" } }] },
    ),
    "@Ada by 2025-11-29 [IN PROGRESS] kept\n\n[Image: plan.png]",
  ],
  ["nothing", null, ""],
  ["what isn't a document", { type: 3, content: "x", marks: {} }, ""],
])("reads %s in a document of the cloud", (_, document, expected) => {
  expect(writeAdf(document)).toBe(expected);
});

it("leaves out what is nested too deep", () => {
  let nested: object = text("deep");
  for (let depth = 0; depth < 5_000; depth += 1) nested = { type: "blockquote", content: [nested] };
  expect(writeAdf(nested)).toBe("");
});

it.each([
  ["h2. Title", "## Title"],
  ["*bold* and _it_, {{code}} 2*3*4", "**bold** and *it*, `code` 2*3*4"],
  ["* one\n** two\n# three", "- one\n  - two\n1. three"],
  ["||A||B||\n|1|2|", "| A | B |\n| --- | --- |\n| 1 | 2 |"],
  ["{code:java}\nint *a*;\n{code}", "```java\nint *a*;\n```"],
  ["{noformat}x{noformat} after", "```\nx\n```\n after"],
  ["{quote}said{quote}", "> said"],
  [
    "[site|https://b.example/] [bad|javascript:x] [~ada] !a.png|width=1!",
    "[site](https://b.example/) [bad|javascript:x] @ada [Image: a.png]",
  ],
  ["{panel:title=Note}in it{panel}", "> **Note**\n> in it"],
  ["{color:red}red{color}\n----", "red\n---"],
])("reads %j in wiki markup", (markup, expected) => {
  expect(writeWikiMarkup(markup)).toBe(expected);
});
