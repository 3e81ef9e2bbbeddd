import { findTexts } from "@carrel/texts";
import { describe, expect, it } from "@jest/globals";
import { exportFormats, fileNameOf, renderMarkdown } from "./export-document.ts";

const say = findTexts(null);
const thread = {
  language: null,
  timeZone: undefined,
  workspace: "<b>Pumps</b>",
  name: 'A "name" <script>alert(1)</script>',
  turns: [
    {
      id: 1,
      question: "<img src=x onerror=alert(1)>",
      answer:
        "**Bold** ![x](https://evil.example/p.png) <script>alert(2)</script> [y](javascript:alert(3)) [1]",
      sources: [{ title: "a</li><script>", page: 3 }],
      sentAt: 1_763_700_000,
      mode: "chat",
    },
  ],
};

describe("chat exports", () => {
  it("write HTML without scripts, images or foreign elements", async () => {
    const html = await exportFormats.get("html")!.build(thread);
    expect(html).toContain("<strong>Bold</strong>");
    expect(html).toContain(`http-equiv="Content-Security-Policy" content="default-src 'none'`);
    expect(html).not.toMatch(/<script|<img|<b>|javascript:|href="data:/i);
    expect(html).toContain("&lt;img src=x onerror=alert(1)&gt;");
    expect(html).toContain(
      '<a rel="noopener noreferrer nofollow" href="https://evil.example/p.png">x</a>',
    );
  });

  it.each([
    "[x](/api/system/remove-logo)",
    "[x](//evil.example/x)",
    "[x](page.html)",
    "[x](../up)",
    "[x](?q=1)",
    "[x](#top)",
    "[x](https:relative)",
    "[x](\\\\\\\\evil.example)",
    "![x](//evil.example/x.png)",
    "[x]: /later\n\n[x]",
  ])("make a link inert that depends on where the file is opened: %s", (text) =>
    expect(renderMarkdown(text, say)).toBe("<p><a>x</a></p>"),
  );

  it.each([
    ["markdown", /^# [^\n]+\n\nWorkspace: .+\n\n## Sie, 21\. November 2025 um 05:40\n/],
    ["plaintext", /\nSie \(21\. November 2025 um 05:40\):\n.*\n\nAntwort:\n/s],
    ["html", /^<!doctype html>\n<html lang="de" dir="ltr">.*21\. November 2025 um 05:40</s],
  ])("are written in the person's language and time zone: %s", async (format, written) => {
    const german = { ...thread, language: "de" as const, timeZone: "Europe/Berlin" };
    const text = await exportFormats.get(format)!.build(german);
    expect(text).toMatch(written);
    expect(text).toContain("Seite 3");
  });

  it.each(["html", "markdown"] as const)(
    "name page or heading of each source: %s",
    async (format) => {
      const [turn] = thread.turns;
      const sources = [
        { title: "Guide", page: null, heading: "Flow temperature" },
        { title: "Survey", page: 3, heading: "Costs" },
        { title: "Survey", page: 3, heading: "Noise" },
        { title: "Survey", page: 4, heading: "Noise" },
        { title: "Note", page: null },
      ];
      const text = await exportFormats
        .get(format)!
        .build({ ...thread, turns: [{ ...turn!, sources }] });
      const listed = [...String(text).matchAll(/(?:<li>|^\d\. )((?:Guide|Survey|Note)[^<\n]*)/gm)];
      expect(listed.map(([, words]) => words)).toEqual([
        "Guide, Flow temperature",
        "Survey, page 3, Costs",
        "Survey, page 3, Noise",
        "Survey, page 4",
        "Note",
      ]);
    },
  );

  it("write formulas as MathML, and leave money alone", () => {
    const rendered = renderMarkdown(
      "So \\(x^2\\), $5 and $7.\n\n$$\\frac{a}{b}$$\n\n| $c$ |\n| - |\n| $\\href{https://evil.example}{d}$ |",
      say,
    );
    expect(rendered.match(/<annotation[^>]*>[^<]*/g)).toEqual([
      expect.stringMatching(/x\^2$/),
      expect.stringMatching(/\\frac\{a\}\{b\}$/),
      expect.stringMatching(/c$/),
      expect.stringMatching(/evil/),
    ]);
    expect(rendered).toContain("$5 and $7.");
    expect(rendered).toContain('<math xmlns="http://www.w3.org/1998/Math/MathML" display="block">');
    expect(rendered).not.toMatch(/href="|<img|style="[^"]*url/);
  });

  it.each([
    "$".concat("{".repeat(20_000), "$"),
    `$\\def\\a{${"x".repeat(18_000)}}${"\\a".repeat(199)}$`,
    // Each is within the limit.
    `$\\newcommand\\a{${"x".repeat(200)}}${"\\a".repeat(49)}$ `.repeat(50),
    "$\\frac$ ",
    "\\(\\sqrt{x}\\) ",
  ])("render any formula within half a second: %#", (text) => {
    const before = process.cpuUsage();
    renderMarkdown(text.repeat(text.length > 100 ? 1 : 5_000), say);
    expect(process.cpuUsage(before).user).toBeLessThan(2_000_000);
  });

  it("write formulas with commands of their own", () =>
    expect(renderMarkdown("$\\newcommand{\\hull}{\\mathbb{H}} x \\in \\hull$", say)).toContain(
      '<mi mathvariant="double-struck">H</mi>',
    ));

  it("keep links to other sites, mail addresses and footnotes", () => {
    const rendered = renderMarkdown(
      "[a](https://example.org/x?y=1&z) [b](mailto:a@example.org) c[^1]\n\n[^1]: Note.",
      say,
    );
    const addresses = [...rendered.matchAll(/href="([^"]*)"/g)].map(([, address]) => address);
    expect(addresses).toEqual([
      "https://example.org/x?y=1&amp;z",
      "mailto:a@example.org",
      "#user-content-fn-1",
      "#user-content-fnref-1",
    ]);
  });

  it.each([
    '![a" onerror="alert(1)](x)',
    "![x](javascript:alert(1))",
    "[x](data:text/html,<script>alert(1)</script>)",
    '<a href="javascript:alert(1)">x</a>',
    "[x](<javascript:alert(1)>)",
    "[x](JaVaScRiPt:alert(1))",
    "[x]: javascript:alert(1)\n\n[x]",
    "<svg onload=alert(1)>",
    "`</code><script>alert(1)</script>`",
    "```html\n</code></pre><script>alert(1)</script>\n```",
    '![x](a "b\\" onload=alert(1)")',
    "[x](vbscript:msgbox(1))",
    "<!--><script>alert(1)</script>-->",
    'https://a.example/"onmouseover="alert(1)',
    "|a|\n|-|\n|<iframe src=//x>|",
    "[^1]\n\n[^1]: <script>alert(1)</script>",
    '![x][y]\n\n[y]: https://evil.example/a.png "t\\"><script>"',
  ])("%j becomes harmless", (text) => {
    const tags = [
      ...renderMarkdown(text, say).matchAll(/<([a-z0-9]+)((?:\s+[a-z-]+="[^"]*")*)\s*\/?>/gi),
    ];
    const html = renderMarkdown(text, say).replace(
      /<\/?[a-z0-9]+((?:\s+[a-z-]+="[^"]*"|\s+[a-z-]+)*)\s*\/?>/gi,
      "",
    );
    expect(html).not.toContain("<");
    for (const [, name, attributes] of tags) {
      expect(["script", "img", "svg", "iframe", "style", "form", "object"]).not.toContain(
        name!.toLowerCase(),
      );
      expect(attributes).not.toMatch(/\son[a-z]+=|href="(?:javascript|data|vbscript):/i);
    }
  });

  it("keep what the model thought apart from the answer", async () => {
    const [turn] = thread.turns;
    const reasoning = [
      { index: 0, at: 0, text: "Hm.\n\n- One", milliseconds: 2_600 },
      { index: 1, at: 0, text: "Well.", milliseconds: null },
    ];
    const thinking = { ...thread, turns: [{ ...turn!, answer: "Four.", reasoning }] };
    const build = (type: string) => exportFormats.get(type)!.build(thinking);
    expect(await build("markdown")).toContain(
      "## Answer\n\n> **Thought for 3 s**\n>\n> Hm.\n>\n> - One\n>\n> Well.\n\nFour.\n",
    );
    expect(await build("plaintext")).toContain(
      "Thought for 3 s:\nHm.\n\n- One\n\nWell.\n\nAnswer:\nFour.\n",
    );
    expect(JSON.parse(await build("json"))).toMatchObject({
      turns: [
        { answer: "Four.", reasoning: "Hm.\n\n- One\n\nWell.", reasoningMilliseconds: 2_600 },
      ],
    });
    expect(await build("html")).toContain(
      '<details class="thought"><summary>Thought for 3 s</summary><p>Hm.</p>',
    );
  });

  it("write JSON that parses, and Markdown and text with question, answer and sources", async () => {
    expect(JSON.parse(await exportFormats.get("json")!.build(thread))).toMatchObject({
      workspace: thread.workspace,
      thread: thread.name,
      turns: [
        {
          id: 1,
          question: thread.turns[0]!.question,
          answer: thread.turns[0]!.answer,
          sources: [{ title: "a</li><script>", page: 3 }],
        },
      ],
    });
    for (const type of ["markdown", "plaintext"]) {
      const text = await exportFormats.get(type)!.build(thread);
      for (const part of [thread.turns[0]!.question, thread.turns[0]!.answer, "page 3"])
        expect(text).toContain(part);
    }
  });

  it.each([
    "**a",
    "_a",
    "~~a ",
    "[",
    "[a](",
    "![a",
    "`a``b",
    '<a b="',
    "> ",
    "- ",
    "[^a]",
    "**a\n",
    "**a\n\n",
  ])("an answer of 10,000 times %j is written within 3 s of CPU time", (unit) => {
    const before = process.threadCpuUsage();
    renderMarkdown(unit.repeat(10_000), say);
    const { user, system } = process.threadCpuUsage(before);
    expect((user + system) / 1e6).toBeLessThan(3);
  });

  it("keep the text of an answer that would take too long, and render long ordinary ones", () => {
    expect(renderMarkdown("**a<".repeat(10_000), say)).toBe(
      `<pre>${"**a&lt;".repeat(10_000)}</pre>`,
    );
    const list = "- **One** of `150` items, with [a link](https://example.org) [1].\n".repeat(150);
    expect(renderMarkdown(`Text.\n\n${list}`, say).match(/<li><strong>One/g)).toHaveLength(150);
  });

  it.each([
    ["../../etc/passwd", "etc passwd.md"],
    ["", "Chat.md"],
    ["NUL", "Chat NUL.md"],
    ["a\r\nSet-Cookie: x", "aSet-Cookie x.md"],
    ["..", "Chat.md"],
    ["Wärme 熱", "Wärme 熱.md"],
    ["x\u202Etxt", "xtxt.md"],
    ["\uD800", "Chat.md"],
    ["y".repeat(200), `${"y".repeat(80)}.md`],
  ])("%j is saved as %j", (name, file) => expect(fileNameOf(name, "md")).toBe(file));
});
