import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "@jest/globals";
import { poll } from "@carrel/testing";
import { documents } from "./fake-data.ts";
import { focused, settled, useWebBrowser } from "./web-browser.ts";

const web = useWebBrowser();
const cited =
  "At a flow temperature of 48 °C, 78 % of the installed radiators cover the room load without any change.";
const phone = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true };
const pageWidth = (): Promise<number> =>
  web.page.evaluate(() => document.documentElement.scrollWidth);

describe("a mark", () => {
  it("opens a text with exactly the sentence marked that it ends, and the passage pale around it", async () => {
    web.gateway.pace = 1;
    web.gateway.answer = `${cited} [3]\n\nFour fifths are large enough [3].\n\n${cited} Where two outside walls meet the roof [1].`;
    await web.page.goto(web.thread());
    await web.ask("q");
    await web.page.getByText("412 tokens").waitFor();
    const marks = web.page.locator(".md").getByRole("button", { name: /^Source 3/ });
    await marks.first().click();
    await web.page.locator(".text-hit").waitFor();
    await poll(() => web.page.locator(".text-hit").allTextContents()).toEqual([cited]);
    await poll(async () =>
      (await web.page.locator(".text-passage").allTextContents()).join(""),
    ).toMatch(/^ The remaining 22 %/);
    await poll(async () => {
      const bar = (await web.page.locator(".text-paper .edge-bar").boundingBox())!;
      const hit = (await web.page.locator(".text-hit").boundingBox())!;
      return Math.abs(bar.y - hit.y) < 3 && Math.abs(bar.height - hit.height) < 6
        ? "beside it"
        : [bar, hit];
    }).toBe("beside it");
    // A model's own words: all of the passage.
    await marks.nth(1).click();
    await web.page
      .getByText("where two outside walls meet the roof.")
      .and(web.page.locator(".text-hit"))
      .waitFor();
    await poll(() => web.page.locator(".text-passage").count()).toBe(0);
    // The source as a whole: what the answer quotes of it.
    await web.page.locator(".chips").getByRole("button", { name: /^3/ }).click();
    await web.page.locator(".text-passage").waitFor();
    await poll(() => web.page.locator(".text-hit").allTextContents()).toEqual([cited]);
  });
  it("opens a PDF with the quoted line marked and the passage pale", async () => {
    web.gateway.pace = 1;
    web.gateway.answer = `${cited} [1]`;
    await web.page.goto(web.thread());
    await web.ask("q");
    await web.page.getByText("412 tokens").waitFor();
    await web.page
      .locator(".md")
      .getByRole("button", { name: /^Source 1/ })
      .click();
    await web.page.locator(".pdf-mark").first().waitFor();
    await poll(async () => [
      await web.page.locator(".pdf-mark").count(),
      await web.page.locator(".pdf-passage").count(),
      await web.page.locator(".edge-bar").textContent(),
    ]).toEqual([1, 2, "1"]);
  });
});

describe("much of it", () => {
  it("deletes several threads marked with Ctrl, and leaves the one that goes", async () => {
    await web.page.goto(web.thread());
    await web.page.getByText("What should we look up?").waitFor();
    await web.page.locator("body").click({ position: { x: 700, y: 20 } });
    await web.page.keyboard.down("Control");
    await web.page.getByRole("checkbox", { name: /^Mark/ }).first().waitFor();
    await web.page.getByRole("link", { name: "Flow temperature, blocks" }).click();
    await web.page.getByRole("link", { name: "Noise in the courtyards" }).click();
    await web.page.getByRole("button", { name: "Delete Selected" }).click();
    await web.page.keyboard.up("Control");
    await web.page.waitForURL("**/workspace/heat-pump-retrofit");
    await web.page
      .getByRole("link", { name: "Noise in the courtyards" })
      .waitFor({ state: "detached" });
    await poll(() =>
      web.gateway.threads["heat-pump-retrofit"]!.map((thread) => thread.slug),
    ).toEqual(["night"]);
    await poll(() =>
      web.gateway.requests.filter((each) => each.method === "DELETE").map((each) => each.path),
    ).toEqual(["/workspace/heat-pump-retrofit/thread-bulk-delete"]);
    await poll(() => web.page.getByRole("link", { name: "Night tariff operation" }).count()).toBe(
      1,
    );
  });
  it("draws the turns in view only, and brings the earlier ones without moving what is read", async () => {
    for (let n = 1; n <= 120; n += 1)
      web.gateway.addTurn("heat-pump-retrofit", "flow", {
        question: `Question ${n}.`,
        answer: `Answer ${n}.\n\n${"It goes on. ".repeat((n * 7) % 60)}`,
      });
    // connected, the page would read what it has once more
    web.gateway.changesHeld = new Promise(() => undefined);
    const pages = (): number =>
      web.gateway.requests.filter((each) => each.path === "/workspace/heat-pump-retrofit/turns")
        .length;
    await web.page.goto(web.thread());
    await web.page.getByText("Answer 120.").waitFor();
    const log = web.page.getByRole("log");
    const drawn = (): Promise<number> => web.page.locator(".mine").count();
    await poll(drawn).toBeLessThan(25);
    await poll(() =>
      log.evaluate((box) => box.scrollHeight - box.scrollTop - box.clientHeight),
    ).toBeLessThan(2);
    expect(pages()).toBe(1);
    // Upwards with the wheel until the earlier turns come by themselves: what is in view stays
    // where it is.
    await log.hover();
    const topmost = (): Promise<{ words: string; y: number }> =>
      log.evaluate((box) => {
        const edge = box.getBoundingClientRect().top;
        const row = [...box.querySelectorAll(".mine")].find(
          (each) => each.getBoundingClientRect().top > edge + 40,
        )!;
        return { words: row.textContent ?? "", y: row.getBoundingClientRect().top };
      });
    const place = (words: string): Promise<number | null> =>
      log.evaluate(
        (box, wanted) =>
          [...box.querySelectorAll(".mine")]
            .find((each) => each.textContent === wanted)
            ?.getBoundingClientRect().top ?? null,
        words,
      );
    for (const wanted of [2, 3]) {
      let give = (): void => undefined;
      web.gateway.earlierHeld = new Promise((resolve) => {
        give = resolve;
      });
      await poll(
        async () => {
          if (pages() < wanted) await web.page.mouse.wheel(0, -400);
          await settled(web.page);
          return pages();
        },
        { timeoutMs: 120_000 },
      ).toBe(wanted);
      const height = await log.evaluate((box) => box.scrollHeight);
      await poll(async () => {
        const { y } = await topmost();
        await settled(web.page);
        return (await topmost()).y === y;
      }).toBe(true); // the wheel has come to rest
      const before = await topmost();
      give();
      await poll(() => log.evaluate((box) => box.scrollHeight)).toBeGreaterThan(height + 400);
      await poll(async () => {
        const after = await place(before.words);
        return after === null ? null : Math.abs(after - before.y) < 3;
      }).toBe(true);
    }
    await poll(
      async () => {
        await web.page.mouse.wheel(0, -1500);
        return web.page.getByText("Question 1.", { exact: true }).count();
      },
      { timeoutMs: 120_000 },
    ).toBe(1);
    await poll(pages).toBe(3);
    await poll(drawn).toBeLessThan(25);
    await poll(() => web.page.getByRole("button", { name: "Show earlier messages" }).count()).toBe(
      0,
    );
    // And back to the end, by the button.
    await web.page.getByRole("button", { name: "To the end" }).click();
    await web.page.getByText("Answer 120.").waitFor();
    await poll(() =>
      log.evaluate((box) => box.scrollHeight - box.scrollTop - box.clientHeight),
    ).toBeLessThan(2);
  });
  it("lists more than a hundred documents page by page, draws those in view, and counts as the chat does", async () => {
    web.gateway.documents["heat-pump-retrofit"] = Array.from({ length: 260 }, (_, n) => ({
      ...documents()[n === 9 ? 3 : 4]!,
      documentId: `00000000-0000-4000-8000-${String(n + 1000).padStart(12, "0")}`,
      title: `Record ${n + 1}.pdf`,
    }));
    await web.page.goto(`${web.gateway.url}/workspace/heat-pump-retrofit/documents`);
    await web.page.getByText(/^259 documents, 1 failed · /).waitFor();
    await web.page.getByText("Record 1.pdf").waitFor();
    const rows = web.page.locator(".wsp .rows");
    await poll(async () => {
      await rows.evaluate((box) => {
        box.scrollTop = box.scrollHeight;
      });
      return web.page.getByText("Record 260.pdf").count();
    }).toBe(1);
    await poll(() => web.page.locator(".d").count()).toBeLessThan(60);
    await poll(
      () =>
        web.gateway.requests.filter(
          (each) => each.path === "/workspace/heat-pump-retrofit/documents",
        ).length,
    ).toBeGreaterThanOrEqual(2);
    await web.page.goto(web.thread());
    await web.page.getByRole("link", { name: "259 documents, 1 failed" }).waitFor();
  });
  it("takes the readable files of a dropped folder, with the folders in it", async () => {
    const folder = mkdtempSync(join(tmpdir(), "carrel-folder-"));
    try {
      mkdirSync(join(folder, "minutes/2024"), { recursive: true });
      for (const [name, text] of [
        ["a.txt", "One."],
        ["2024/b.md", "Two."],
        ["2024/c.exe", "MZ"],
        [".hidden.txt", "no"],
      ] as const)
        writeFileSync(join(folder, "minutes", name), text);
      await web.page.goto(`${web.gateway.url}/workspace/heat-pump-retrofit/documents`);
      await web.page.getByText("Retrofit survey 2024.pdf").waitFor();
      const client = await web.context.newCDPSession(web.page);
      const data = { items: [], files: [join(folder, "minutes")], dragOperationsMask: 1 };
      for (const type of ["dragEnter", "dragOver", "drop"] as const)
        await client.send("Input.dispatchDragEvent", { type, x: 700, y: 400, data });
      for (const name of ["a.txt", "b.md"]) await web.page.getByText(name).first().waitFor();
      await web.page.getByText("1 file of a kind that cannot be read was left out.").waitFor();
      await web.page.getByText(/^11 documents, 1 failed · /).waitFor();
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });
});

describe("by keys alone", () => {
  it("goes to another workspace, opens a source and closes it, and the focus comes back to the mark", async () => {
    web.gateway.pace = 1;
    await web.page.goto(web.thread());
    await web.page.getByText("What should we look up?").waitFor();
    await web.page.keyboard.press("Control+k");
    await focused(web.page.getByPlaceholder("Go to a workspace"));
    await web.page.keyboard.type("tenant");
    await web.page
      .getByRole("option", { selected: true })
      .filter({ hasText: "Tenant handbook" })
      .waitFor();
    await web.page.keyboard.press("Enter");
    await web.page.waitForURL("**/workspace/tenant-handbook");
    // until then the page that is left is there
    await poll(() => web.page.title()).toBe("Default thread · Carrel");
    await focused(web.page.getByLabel("Message", { exact: true }));
    await web.page.keyboard.type("q");
    await web.page.keyboard.press("Enter");
    await web.page.getByText("412 tokens").waitFor();
    const at = (): Promise<string> =>
      web.page.evaluate(() => document.activeElement?.getAttribute("aria-label") ?? "");
    for (let n = 0; n < 40 && !(await at()).startsWith("Source 3"); n += 1)
      await web.page.keyboard.press("Shift+Tab");
    await poll(at).toMatch(/^Source 3/);
    await web.page.keyboard.press("Enter");
    await web.page.locator(".pdf-mark").first().waitFor();
    await poll(() =>
      web.page.evaluate(() => document.activeElement?.classList.contains("panel")),
    ).toBe(true);
    await web.page.keyboard.press("Escape");
    await web.page.locator(".panel").waitFor({ state: "detached" });
    await poll(at).toMatch(/^Source 3/);
  });
});

describe("on a phone", () => {
  it("never scrolls sideways: long words, tables, code, formulas and names, while it streams and after", async () => {
    await web.open(phone);
    const long =
      "Donaudampfschifffahrtselektrizitätenhauptbetriebswerkbauunterbeamtengesellschaft".repeat(3);
    web.gateway.workspaces[0]!.name = long;
    web.gateway.threads["heat-pump-retrofit"]![0]!.name = long;
    web.gateway.sources = web.gateway.sources.map((source) => ({
      ...source,
      title: `${long}.pdf`,
    }));
    web.gateway.answer = `### ${long}\n\n${long} [1] \`${long}\` https://example.org/${long}\n\n| ${"Column | ".repeat(12)}\n| ${"--- | ".repeat(12)}\n| ${"1,234,567 | ".repeat(12)}\n\n\`\`\`js\nconst a = '${long}';\n\`\`\`\n\n$$${"x_1 + ".repeat(40)}y$$\n\n> ${long}\n\n- ${long}\n`;
    web.gateway.pace = 1;
    web.gateway.heldAfter = 0;
    await web.page.goto(web.thread());
    await web.ask(`${long}?`);
    await web.page.getByRole("button", { name: "Stop (Esc)" }).waitFor();
    for (const frames of [30, 80, 120, 160]) {
      // in the heading, in the table, in the code, in the formula
      web.gateway.heldAfter = frames;
      await poll(() => web.gateway.written).toBe(frames);
      await settled(web.page);
      expect(await pageWidth()).toBe(390);
    }
    web.gateway.heldAfter = null;
    while ((await web.page.getByRole("button", { name: "Stop (Esc)" }).count()) > 0) {
      expect(await pageWidth()).toBe(390);
      await settled(web.page);
    }
    await web.page.locator(".katex").first().waitFor();
    await poll(pageWidth).toBe(390);
    await poll(() =>
      web.page.evaluate(() =>
        [...document.querySelectorAll(".log .col > *")]
          .filter((each) => each.getBoundingClientRect().right > 391)
          .map((each) => each.className),
      ),
    ).toEqual([]);
    await poll(() =>
      web.page.getByRole("log").evaluate((box) => box.scrollWidth - box.clientWidth),
    ).toBeLessThanOrEqual(0);
    await web.page.locator(".chip").first().click();
    await web.page.locator(".panel").waitFor();
    await poll(pageWidth).toBe(390);
  });
});

describe("with less motion", () => {
  it("nothing moves: neither while an answer is written, nor where files are on their way", async () => {
    await web.open({ reducedMotion: "reduce" });
    web.gateway.heldAfter = 45;
    const moving = (): Promise<string[]> =>
      web.page.evaluate(() =>
        document
          .getAnimations()
          .filter(
            (each) =>
              each.playState === "running" &&
              Number(each.effect?.getComputedTiming().endTime ?? 0) > 20,
          )
          .map((each) =>
            each instanceof CSSAnimation ? each.animationName : each.constructor.name,
          ),
      );
    await web.page.goto(web.thread());
    await web.ask("q");
    await web.page.getByText("Balance the risers").waitFor();
    expect(await moving()).toEqual([]);
    await web.page.keyboard.press("Control+k");
    await web.page.getByPlaceholder("Go to a workspace").waitFor();
    expect(await moving()).toEqual([]);
    await web.page.goto(`${web.gateway.url}/workspace/heat-pump-retrofit/documents`);
    await web.page.getByText("Embedding, 312 of 1,050").waitFor();
    expect(await moving()).toEqual([]);
  });
});
