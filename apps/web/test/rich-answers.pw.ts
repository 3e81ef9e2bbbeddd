import type { Frame, Page } from "@playwright/test";
import type { FakeGateway } from "./fake-gateway.ts";
import { expect, phone, settled, test, threadPath } from "./fixtures.ts";

const formulas = [
  "The heat demand is $Q = U \\cdot A \\cdot \\Delta T$ for each wall.",
  "$$\\sum_{i=1}^{n} \\frac{x_i^2}{\\sqrt{1 + x_i}} = \\int_0^\\infty e^{-t}\\,dt$$",
  "$$\\begin{pmatrix} a & b \\\\ c & d \\end{pmatrix}$$",
].join("\n\n");

const show = async (page: Page, gateway: FakeGateway, answer: string): Promise<void> => {
  gateway.addTurn("heat-pump-retrofit", "flow", { question: "Show me.", answer });
  await page.goto(threadPath);
  await expect(page.getByRole("article")).toBeVisible();
};
const fenced = (language: string, source: string): string => `\`\`\`${language}\n${source}\n\`\`\``;
const diagram = (page: Page) => page.getByRole("img", { name: "Diagram" });

/** Records whatever a text could do beyond showing itself. */
async function watch(page: Page, gateway: FakeGateway): Promise<string[]> {
  const faults: string[] = [];
  await page.context().route(
    (url) => !url.href.startsWith(gateway.url) && !/^(data|blob):$/.test(url.protocol),
    (route) => {
      faults.push(`request ${route.request().url()}`);
      return route.abort();
    },
  );
  page.on("dialog", (dialog) => {
    faults.push(`dialog ${dialog.message()}`);
    void dialog.dismiss();
  });
  page.context().on("page", (opened) => faults.push(`opened ${opened.url()}`));
  return faults;
}

test.describe("formulas", () => {
  for (const colorScheme of ["dark", "light"] as const)
    test.describe(colorScheme, () => {
      test.use({ colorScheme });
      test(`look right, with our own fonts (${colorScheme})`, async ({ page, gateway }) => {
        const faults = await watch(page, gateway);
        const fonts: string[] = [];
        page.on("requestfinished", (request) => {
          if (request.resourceType() === "font") fonts.push(request.url());
        });
        await show(page, gateway, formulas);
        await expect(page.locator(".katex")).toHaveCount(3);
        await expect.poll(() => page.evaluate(() => document.fonts.status)).toBe("loaded");
        await settled(page);
        await expect(page.locator(".md").last()).toHaveScreenshot(`formulas-${colorScheme}.png`);
        expect(fonts.filter((url) => url.includes("KaTeX")).length).toBeGreaterThan(2);
        await expect.poll(() => fonts.filter((url) => !url.startsWith(gateway.url))).toEqual([]);
        expect(faults).toEqual([]);
      });
    });
  test("of chemistry are rendered by code that only they load", async ({ page, gateway }) => {
    const chunks: string[] = [];
    page.on("request", (request) => chunks.push(new URL(request.url()).pathname));
    const isLoaded = (): boolean => chunks.some((path) => /\/chemistry-plugin.*\.js$/.test(path));
    await show(page, gateway, formulas);
    await expect(page.locator(".katex")).toHaveCount(3);
    expect(isLoaded()).toBe(false);
    gateway.turns["heat-pump-retrofit/flow"] = [];
    const long = String.raw`\ce{${"H2O ".repeat(5_000)}}`;
    await show(page, gateway, `Burning: $\\ce{2H2 + O2 -> 2H2O}$\n\n$$\n${long}\n$$`);
    const formula = page.locator(".katex");
    await expect(formula).toHaveCount(1);
    await expect(formula.locator(".katex-mathml mi, .katex-html .mord")).not.toHaveCount(0);
    await expect(formula.locator("annotation")).toHaveText(String.raw`\ce{2H2 + O2 -> 2H2O}`);
    await expect(page.locator(".katex-error, .katex [style*=danger]")).toHaveCount(0);
    await expect(page.locator(".md").last()).toContainText(long.slice(0, 200));
    expect(isLoaded()).toBe(true);
  });
  test("are rendered by the version of KaTeX that the style sheet is from", async ({
    page,
    gateway,
  }) => {
    await show(page, gateway, formulas);
    await expect(page.locator(".katex")).toHaveCount(3);
    const unstyled = await page.evaluate(() => {
      const rules = [...document.styleSheets]
        .flatMap((sheet) => [...sheet.cssRules])
        .map(({ cssText }) => cssText)
        .join("\n");
      const used = [...document.querySelectorAll(".katex *")].flatMap((each) => [
        ...each.classList,
      ]);
      const structure = ["vlist-t", "vlist-r", "vlist", "pstrut", "frac-line", "katex-html"];
      return structure.filter((name) => used.includes(name) && !rules.includes(`.${name}`));
    });
    expect(unstyled).toEqual([]);
  });
});

test.describe("footnotes", () => {
  const text =
    "Pumps are quiet[^noise], and cheap to run[^1].\n\nAgain[^noise].\n\n[^1]: At **30 cents** per kWh.\n\n[^noise]: 45 dB at 3 m.";
  test("are numbered, listed at the end and linked both ways", async ({ page, gateway }) => {
    await show(page, gateway, text);
    const notes = page.getByRole("region", { name: "Footnotes" }).getByRole("listitem");
    await expect(notes).toHaveText(["45 dB at 3 m.", "At 30 cents per kWh."]);
    await expect(page.locator(".md sup")).toHaveText(["1", "2", "1"]);
    await expect(page.locator(".md")).not.toContainText("[^");
    await page.getByRole("button", { name: "Footnote 2", exact: true }).click();
    await expect(notes.nth(1)).toBeFocused();
    await page.getByRole("button", { name: "Back to the text of footnote 2" }).click();
    await expect(page.getByRole("button", { name: "Footnote 2", exact: true })).toBeFocused();
    expect(page.url()).toBe(gateway.url + threadPath);
  });
});

test.describe("diagrams", () => {
  const flow = fenced("mermaid", "flowchart LR\n  A[Heat pump] --> B[Buffer] --> C[Radiators]");
  for (const [size, options] of [
    ["wide", {}],
    ["phone", phone],
  ] as const)
    test.describe(size, () => {
      test.use(options);
      test(`are drawn, in a chunk of their own (${size})`, async ({ page, gateway }) => {
        const scripts: string[] = [];
        page.on("request", (request) => scripts.push(request.url()));
        const faults = await watch(page, gateway);
        await show(page, gateway, `Like this:\n\n${flow}`);
        await expect(diagram(page)).toBeVisible();
        expect(
          await diagram(page).evaluate((image: HTMLImageElement) => image.naturalWidth > 100),
        ).toBe(true);
        expect(scripts.some((url) => url.includes("/assets/diagram-"))).toBe(true);
        await page.getByRole("button", { name: "Show code" }).click();
        await expect(page.getByText("A[Heat pump]")).toBeVisible();
        await page.getByRole("button", { name: "Show diagram" }).click();
        await expect(diagram(page)).toBeVisible();
        expect(faults).toEqual([]);
      });
    });
  test("follow the theme", async ({ page, gateway }) => {
    await show(page, gateway, flow);
    await expect(diagram(page)).toBeVisible();
    const dark = (await diagram(page).getAttribute("src"))!;
    await page.emulateMedia({ colorScheme: "light" });
    await expect(diagram(page)).not.toHaveAttribute("src", dark);
  });
  test("show their source if they have an error, and leave nothing behind", async ({
    page,
    gateway,
  }) => {
    await show(page, gateway, fenced("mermaid", "flowchart LR\n  A[Heat --> ]B["));
    await expect(page.getByText("This diagram has an error, so you see its source.")).toBeVisible();
    await expect(page.getByText("A[Heat --> ]B[")).toBeVisible();
    await expect(page.locator("body > [id*=diagram]")).toHaveCount(0);
  });
  test("run nothing and request nothing", async ({ page, gateway }) => {
    const faults = await watch(page, gateway);
    const sources = [
      'flowchart LR\n  A["<img src=x onerror=globalThis.broken=1>"] --> B["<script>globalThis.broken=1</script>"]',
      'flowchart LR\n  A --> B\n  click A "javascript:globalThis.broken=1"\n  click B call alert(1)',
      `%%{init: {"securityLevel": "loose", "htmlLabels": true, "flowchart": {"htmlLabels": true}}}%%\nflowchart LR\n  A["<iframe srcdoc='<script>parent.broken=1</script>'></iframe>"]`,
      `%%{init: {"themeCSS": "@import url(https://evil.test/a.css); * { background: url(https://evil.test/b.png) }"}}%%\nflowchart LR\n  A --> B`,
      `---\nconfig:\n  securityLevel: loose\n  themeVariables:\n    primaryColor: "url(https://evil.test/c)"\n  fontFamily: "x; } @import url(https://evil.test/d.css)"\n---\nflowchart LR\n  A --> B`,
      'flowchart LR\n  A@{ img: "https://evil.test/e.png", label: "x" } --> B',
      "flowchart LR\n  A --> B\n  style A fill:url(https://evil.test/f),background:url(https://evil.test/g.png)\n  classDef x background-image:url(https://evil.test/h.png)\n  class B x",
      'sequenceDiagram\n  participant A\n  link A: x @ javascript:globalThis.broken=1\n  A->>B: <b onclick="globalThis.broken=1">hi</b>',
      'flowchart LR\n  A["`![x](https://evil.test/i.png) [y](javascript:globalThis.broken=1)`"]',
      'classDiagram\n  class A["<img src=https://evil.test/j.png>"]\n  link A "javascript:globalThis.broken=1" "x"',
    ];
    await page.addInitScript(() => {
      const violations: string[] = [];
      Object.assign(globalThis, { violations });
      document.addEventListener("securitypolicyviolation", ({ violatedDirective, blockedURI }) =>
        violations.push(`${violatedDirective} ${blockedURI}`),
      );
    });
    for (const [place, source] of sources.entries()) {
      gateway.turns["heat-pump-retrofit/flow"] = [];
      await show(page, gateway, `${place}\n\n${fenced("mermaid", source)}`);
      await expect(
        diagram(page).or(page.getByText("This diagram has an error, so you see its source.")),
      ).toBeVisible();
      const seen = await page.evaluate(() => ({
        broken: (globalThis as { broken?: unknown }).broken,
        violations: (globalThis as unknown as { violations: string[] }).violations,
        scripts: document.querySelectorAll(".md :is(script, iframe, foreignObject, [onerror])")
          .length,
      }));
      expect({ source, ...seen }).toEqual({
        source,
        broken: undefined,
        violations: [],
        scripts: 0,
      });
    }
    expect(faults).toEqual([]);
  });
});

test.describe("preview of HTML and SVG", () => {
  const open = async (page: Page): Promise<Frame> => {
    await page.getByRole("button", { name: "Preview" }).click();
    const frame = page.locator('iframe[title="Preview"]');
    await expect(frame).toBeVisible();
    return (await (await frame.elementHandle())!.contentFrame())!;
  };
  test("shows the page with its own styles, and the code again", async ({ page, gateway }) => {
    await show(
      page,
      gateway,
      fenced("html", "<style>h1 { color: rgb(1, 2, 3) }</style><h1>Timetable</h1>"),
    );
    await expect(page.locator("iframe")).toHaveCount(0);
    const frame = await open(page);
    await expect(frame.getByRole("heading", { name: "Timetable" })).toHaveCSS(
      "color",
      "rgb(1, 2, 3)",
    );
    await page.getByRole("button", { name: "Show code" }).click();
    await expect(page.locator("iframe")).toHaveCount(0);
  });
  test("shows an SVG", async ({ page, gateway }) => {
    await show(
      page,
      gateway,
      fenced("svg", '<svg viewBox="0 0 9 9"><circle cx="4" cy="4" r="3"/></svg>'),
    );
    const frame = await open(page);
    await expect(frame.locator("svg circle")).toBeVisible();
  });
  test("runs no script, sends no request and leads nowhere", async ({ context, gateway }) => {
    const page = await context.newPage(); // the console reports what was blocked
    const faults = await watch(page, gateway);
    await show(
      page,
      gateway,
      fenced(
        "html",
        [
          "<head><meta http-equiv=refresh content='0;url=https://evil.test/meta'><base href=https://evil.test/>",
          "<link rel=preconnect href=https://evil.test><link rel=stylesheet href=https://evil.test/a.css>",
          "<style>@import url(https://evil.test/b.css); body { background: url(https://evil.test/c.png) }</style></head>",
          "<script>parent.broken = 1; fetch('https://evil.test/d')</script>",
          "<img src=https://evil.test/e.png onerror=parent.broken=1><img src=x onerror=alert(1)>",
          "<iframe src=https://evil.test/f></iframe><object data=https://evil.test/g></object>",
          "<video src=https://evil.test/h poster=https://evil.test/i></video>",
          "<form action=https://evil.test/j><button>Send</button></form>",
          "<a href=https://evil.test/k target=_top>Leave</a> <a href=https://evil.test/l target=_blank>Open</a>",
          "<svg width=80 height=20><a><animate attributeName=href values=https://evil.test/m /><text y=15>Drawn</text></a></svg>",
        ].join("\n"),
      ),
    );
    const frame = await open(page);
    for (const name of ["Send", "Leave", "Open", "Drawn"]) await frame.getByText(name).click();
    await settled(page);
    expect(faults).toEqual([]);
    expect(page.url()).toBe(gateway.url + threadPath);
    expect(await page.evaluate(() => (globalThis as { broken?: unknown }).broken)).toBeUndefined();
    await expect(page.locator('iframe[title="Preview"]')).toHaveAttribute("sandbox", "");
    await expect(frame.getByText("Leave")).toBeVisible();
  });
});
