import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { AxeBuilder } from "@axe-core/playwright";
import { describe, expect, it } from "@jest/globals";
import { poll } from "@carrel/testing";
import type { Locator } from "playwright-core";
import { libraryDocument } from "./fake-library.ts";
import { documents } from "./fake-data.ts";
import { settled, useWebBrowser } from "./web-browser.ts";

const web = useWebBrowser();
const slug = "heat-pump-retrofit";
const tree = (): Locator => web.page.getByRole("tree");
/** By the beginning of its label, which is its name. */
const row = (name: string): Locator =>
  tree().locator(`[role="treeitem"][aria-label^="${name}"]`).first();
const grid = (): Locator => web.page.getByRole("grid");
const inWorkspace = (name: string): Locator => grid().getByRole("row").filter({ hasText: name });
const button = (name: string | RegExp): Locator =>
  web.page.getByRole("button", { name, exact: typeof name === "string" });
const open = async (): Promise<void> => {
  await web.page.goto(`${web.gateway.url}/workspace/${slug}/documents`);
  await inWorkspace("Retrofit survey 2024.pdf").waitFor();
};
const openMeasurements = async (): Promise<void> => {
  await open();
  await row("Retrofit 2024").click();
  await row("Measurements").click();
  await row("Riser flow measurements.xlsx").waitFor();
};
const asked = (end: string): Record<string, unknown>[] =>
  web.gateway.library.asked.filter((each) => each.path.endsWith(end)).map((each) => each.body);

describe("my documents", () => {
  it("nests folders, finds, filters, and adds one document at once", async () => {
    await openMeasurements();
    await poll(() => row("Measurements").getAttribute("aria-level")).toBe("2");
    await poll(() => row("Retrofit 2024").getAttribute("aria-label")).toBe(
      "Retrofit 2024, 9 documents",
    );
    await row("Thermal images, block C.zip").getByText("Archives cannot be read.").waitFor();
    await row("Meter readings, first quarter.xlsx").hover();
    await button("Add Meter readings, first quarter.xlsx to the workspace").click();
    await inWorkspace("Meter readings, first quarter.xlsx").getByText("Queued").waitFor();
    await web.page.getByText("1 document is being added.").waitFor();
    await web.page.getByLabel("Search my documents").fill("meter");
    await web.page.getByText("2 found").waitFor();
    await button("Filter and order").first().click();
    await web.page.getByLabel("Only what this workspace does not have").check();
    await web.page.keyboard.press("Escape");
    await web.page.getByText("1 found").waitFor();
    await row("Meter readings, second quarter.xlsx").waitFor();
    await button("Show all").click();
    await row("Retrofit 2024").first().waitFor();
  });
  it("makes, renames, fills and deletes folders", async () => {
    await open();
    await button("New folder").click();
    await web.page.getByRole("textbox", { name: "Name" }).fill("Web pages");
    await button("Make folder").click();
    await web.page.getByText("Folder by that name already exists").waitFor();
    await web.page.getByRole("textbox", { name: "Name" }).fill("Letters");
    await button("Make folder").click();
    await row("Letters").waitFor();
    await row("Letters").hover();
    await button("Menu of Letters").click();
    await web.page.getByRole("menuitem", { name: "Rename" }).click();
    await web.page.getByRole("textbox", { name: "Name" }).fill("Letters 2026");
    await button("Rename").click();
    await row("Letters 2026").waitFor();
    await row("Utility, letter of 12 April.eml").dragTo(row("Letters 2026"));
    await web.page.getByText("1 document was moved.").waitFor();
    await row("Letters 2026").click();
    await tree()
      .locator('[aria-level="2"]', { hasText: "Utility, letter of 12 April.eml" })
      .waitFor();
    await row("Letters 2026").hover();
    await button("Menu of Letters 2026").click();
    await web.page.getByRole("menuitem", { name: "Delete folder" }).click();
    await web.page
      .getByText("1 document in it is deleted too, from every workspace. You cannot undo this.")
      .waitFor();
    await button("Delete folder").click();
    await row("Letters 2026").waitFor({ state: "detached" });
  });
  it("moves folders and documents to the workspace, and adds them by Save and embed", async () => {
    await openMeasurements();
    await tree().getByLabel("Select the folder Web pages").check({ force: true });
    await tree().getByLabel("Select Meter readings, first quarter.xlsx").check({ force: true });
    await button("Move to workspace").click();
    await web.page.getByText("15 documents to be added").waitFor();
    await row("Meter readings, second quarter.xlsx").dragTo(grid());
    await web.page.getByText("16 documents to be added").waitFor();
    await web.page.goto(web.thread()); // a new page: this tab keeps what was not saved
    await openMeasurements();
    await web.page.getByText("16 documents to be added").waitFor();
    await button("Show what waits to be added").click();
    await button("Leave out Meter readings, first quarter.xlsx").click();
    await button("Leave out Meter readings, second quarter.xlsx").click();
    await web.page.getByText("14 documents to be added").waitFor();
    await button("Save and embed").click();
    await web.page.getByText("14 documents are being added.").waitFor();
    expect(asked("/documents/add")).toEqual([
      {
        selection: { filter: { folder: "Web pages", deep: true, search: "", kinds: [], tags: [] } },
      },
    ]);
    await web.page.getByText("to be added").waitFor({ state: "detached" });
    await web.page.reload();
    await inWorkspace("Tariff page 1.html").waitFor();
    await web.page.waitForFunction(
      () => sessionStorage.getItem("carrel_staged_documents") === null,
    );
  });
  it("tags, moves and removes what is selected, and asks before", async () => {
    await openMeasurements();
    for (const name of [
      "Meter readings, first quarter.xlsx",
      "Meter readings, second quarter.xlsx",
    ])
      await tree().getByLabel(`Select ${name}`).check({ force: true });
    await button("Tag").click();
    const meters = web.page.getByRole("dialog").getByRole("checkbox", { name: "Meters" });
    await poll(() => meters.evaluate((box: HTMLInputElement) => box.indeterminate)).toBe(true);
    await meters.click();
    await web.page.getByLabel("New tag").fill("Quarterly");
    await web.page.keyboard.press("Enter");
    await button("Save tags").click();
    await web.page.getByText("The tags of 2 documents were saved.").waitFor();
    expect(asked("/library/tag")[0]).toMatchObject({ add: ["Meters", "Quarterly"], remove: [] });
    for (const name of [
      "Meter readings, first quarter.xlsx",
      "Meter readings, second quarter.xlsx",
    ])
      await tree().getByLabel(`Select ${name}`).check({ force: true });
    await button("Move").click();
    await web.page.getByLabel("Folder", { exact: true }).fill("Retrofit 2024/Meters/Readings");
    await button("Make it and move").click();
    await web.page.getByText("2 documents were moved.").waitFor();
    await row("Meters").click();
    await row("Readings").click();
    await row("Meter readings, second quarter.xlsx").waitFor();
    await tree().getByLabel("Select Meter readings, second quarter.xlsx").check({ force: true });
    await button("Remove selected").click();
    await web.page.getByText("Delete Meter readings, second quarter.xlsx?").waitFor();
    await button("Delete").click();
    await web.page.getByText("1 document was deleted.").waitFor();
    await row("Meter readings, second quarter.xlsx").waitFor({ state: "detached" });
  });
});

describe("the workspace", () => {
  it("pins with its explanation once, embeds again, narrows by state, sorts and removes", async () => {
    await open();
    const names = (): Promise<string[]> =>
      grid().locator(".d .name > :first-child").allTextContents();
    await inWorkspace("Courtyard noise assessment.pdf").hover();
    await button("Pin Courtyard noise assessment.pdf").click();
    await web.page.getByRole("dialog", { name: "What is document pinning?" }).waitFor();
    await button("Okay, got it").click();
    await poll(() =>
      web.page.evaluate(() => localStorage.getItem("anythingllm_pinned_document_alert")),
    ).toBe("true");
    await inWorkspace("Courtyard noise assessment.pdf").getByText("Ready, pinned").waitFor();
    await inWorkspace("Heat-pump field trial.pdf").hover();
    await button("Pin Heat-pump field trial.pdf").click();
    await inWorkspace("Heat-pump field trial.pdf").getByText("Ready, pinned").waitFor();
    await poll(() => web.page.getByRole("dialog").count()).toBe(0);
    await button("Filter and order").last().click();
    await button("Pinned").click();
    await web.page.keyboard.press("Escape");
    await web.page.getByText(/^2 found · /).waitFor();
    await grid().getByLabel("Select all").check();
    await button("Unpin").click();
    await web.page.getByText("2 documents are no longer pinned.").waitFor();
    await button("Show all").click();
    await web.page.keyboard.press("Escape");
    await web.page.getByText("2 selected").first().waitFor({ state: "detached" });
    await button("Name").click();
    await web.page.waitForFunction(() =>
      document.querySelector('[role="grid"] .d .name')?.textContent?.startsWith("Commissioning"),
    );
    await button("Name").click();
    await web.page.waitForFunction(() =>
      document.querySelector('[role="grid"] .d .name')?.textContent?.startsWith("Riser"),
    );
    await poll(async () => (await names()).length).toBe(10);
    await grid().getByLabel("Select Riser flow measurements.csv").check();
    await grid()
      .getByLabel("Select Night tariff 2025")
      .click({ modifiers: ["Shift"] });
    await web.page.getByText("4 selected").first().waitFor();
    await button("Embed again").click();
    await web.page.getByText("4 documents are embedded again.").waitFor();
    await button("Remove").click();
    await web.page.getByText("Remove 4 documents from Heat-pump retrofit?").waitFor();
    await web.page.getByRole("dialog").getByRole("button", { name: "Remove" }).click();
    await web.page.getByText("4 documents were removed from the workspace.").waitFor();
    await inWorkspace("Night tariff 2025").waitFor({ state: "detached" });
  });
  it("explains what watching is, stops what waits, and opens documents of both lists", async () => {
    Object.assign(web.gateway.documents[slug]![8]!, { watched: true });
    await openMeasurements();
    await button("Ready, watched").click();
    await web.page.getByRole("dialog", { name: "What does watching a document do?" }).waitFor();
    await web.page.keyboard.press("Escape");
    await poll(() =>
      web.page.evaluate(() => localStorage.getItem("anythingllm_watched_document_alert")),
    ).toBe("true");
    await button("Menu of Radiator schedule, block C.csv").last().click();
    await web.page.getByRole("menuitem", { name: "Stop embedding" }).click();
    await inWorkspace("Radiator schedule, block C.csv").waitFor({ state: "detached" });
    await row("Riser flow measurements.xlsx")
      .getByRole("button", { name: "Riser flow measurements.xlsx", exact: true })
      .click();
    await web.page.locator(".panel").waitFor();
    // The page is narrow beside a document: one list at a time.
    await web.page.getByRole("radio", { name: /^My documents/ }).click();
    await row("Riser flow measurements.xlsx").waitFor();
    await web.page.locator(".panel").getByRole("button", { name: /Close/ }).click();
    await inWorkspace("Retrofit survey 2024.pdf").waitFor();
  });
});

describe("what comes in", () => {
  const drop = async (paths: string[], x: number, y: number): Promise<void> => {
    const client = await web.context.newCDPSession(web.page);
    for (const type of ["dragEnter", "dragOver", "drop"] as const)
      await client.send("Input.dispatchDragEvent", {
        type,
        x,
        y,
        data: { items: [], files: paths, dragOperationsMask: 1 },
      });
  };
  it("keeps dropped folders nested, in the folder under the pointer, and sends pages that are pasted", async () => {
    const folder = mkdtempSync(join(tmpdir(), "carrel-folder-"));
    try {
      mkdirSync(join(folder, "minutes/2024/May"), { recursive: true });
      for (const name of ["a.txt", "2024/b.md", "2024/May/c.md", "2024/d.exe"])
        writeFileSync(join(folder, "minutes", name), "We decided.");
      await open();
      const dropThere = async (path: string): Promise<void> => {
        await settled(web.page);
        const place = (await row("Supplier contracts").boundingBox())!;
        await drop([path], place.x + 120, place.y + 10);
      };
      await dropThere(join(folder, "minutes"));
      await poll(() => web.gateway.library.uploads.length).toBe(3);
      await poll(() =>
        web.gateway.library.uploads
          .map(({ path, name, folder: at }) => `${path.split("/").at(-1)} ${at}/${name}`)
          .sort(),
      ).toEqual([
        "upload-and-embed Supplier contracts/minutes/2024/May/c.md",
        "upload-and-embed Supplier contracts/minutes/2024/b.md",
        "upload-and-embed Supplier contracts/minutes/a.txt",
      ]);
      await button(/^Activity/).click();
      await web.page.getByRole("dialog").getByText("Files of this kind cannot be read.").waitFor();
      await button("Close").click();
      await web.page.getByLabel("Add to this workspace too").uncheck();
      await web.page.evaluate(() => {
        const data = new DataTransfer();
        data.setData("text/plain", "https://one.example/a https://two.example/b");
        document.body.dispatchEvent(
          new ClipboardEvent("paste", { clipboardData: data, bubbles: true, cancelable: true }),
        );
      });
      await web.page.getByText("2 pages are being fetched.").waitFor();
      await poll(() => web.gateway.library.links.length).toBe(2);
      await dropThere(join(folder, "minutes/a.txt"));
      await poll(() => web.gateway.library.uploads.at(-1)?.path).toMatch(/\/upload$/);
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });
  it("takes ten thousand files without freezing, a few at a time, goes on elsewhere, tells and retries what failed", async () => {
    web.gateway.library.refusals = [
      { status: 415, error: "Files of this type cannot be read." },
      { status: 429, error: "Busy." },
    ];
    web.gateway.library.uploadTakes = 3;
    await open();
    const frozen = await web.page.evaluate(async () => {
      const transfer = new DataTransfer();
      for (let n = 0; n < 10_000; n += 1)
        transfer.items.add(new File(["x"], `File ${n}.txt`, { type: "text/plain" }));
      const input = document.querySelector<HTMLInputElement>("input[type=file]")!;
      input.files = transfer.files;
      let longest = 0;
      let last = performance.now();
      const tick = (): void => {
        const now = performance.now();
        longest = Math.max(longest, now - last);
        last = now;
        if (now < until) setTimeout(tick, 10);
      };
      const until = last + 2500;
      input.dispatchEvent(new Event("change", { bubbles: true }));
      last = performance.now();
      tick();
      await new Promise((resolve) => setTimeout(resolve, 2600));
      return longest;
    });
    console.info(`10,000 files chosen: the page answered at least every ${Math.round(frozen)} ms`);
    expect(frozen).toBeLessThan(10_000); // a hang; the figure itself is printed
    await web.page
      .getByText(/^Uploading, [\d,]+ of [\d,]+/)
      .first()
      .waitFor();
    await web.page.getByRole("status").getByText("1 failed").waitFor();
    await web.page.getByRole("link", { name: "Heat-pump retrofit" }).first().click();
    await web.page.getByText("What should we look up?").waitFor();
    const before = web.gateway.library.uploads.length;
    await poll(() => web.gateway.library.uploads.length).toBeGreaterThan(before + 5);
    expect(web.gateway.library.mostInFlight).toBeLessThanOrEqual(3);
    await web.page.goBack();
    await button("Details").click();
    const dialog = web.page.getByRole("dialog");
    await dialog.getByText("Files of this type cannot be read.").waitFor();
    await poll(() => dialog.getByRole("listitem").count()).toBeLessThan(40);
    await button("Retry failed").click();
    await dialog.getByText("Files of this type cannot be read.").waitFor({ state: "detached" });
    // Leaving would lose them: the browser asks.
    await poll(() =>
      web.page.evaluate(() => !dispatchEvent(new Event("beforeunload", { cancelable: true }))),
    ).toBe(true);
    await button("Cancel all").click();
    await dialog.getByText("Nothing is on its way.").waitFor();
    await poll(() => web.gateway.library.inFlight).toBe(0);
    await poll(() =>
      web.page.evaluate(() => !dispatchEvent(new Event("beforeunload", { cancelable: true }))),
    ).toBe(false);
  });
  it("says when the document processor is down, and takes files again when it is back", async () => {
    web.gateway.library.processorOnline = false;
    await open();
    await web.page.getByText("Document Processor Unavailable").waitFor();
    await poll(() => button("Upload").isDisabled()).toBe(true);
    await poll(() => web.page.getByLabel("Address of a web page").count()).toBe(0);
    web.gateway.library.processorOnline = true;
    await button("Check again").click();
    await web.page.getByText("Drop files or folders here").waitFor();
    await poll(() => button("Upload").isDisabled()).toBe(false);
  });
});

describe("a hundred thousand documents", () => {
  it("are held by the page in sight, chosen as a whole, and stay quick", async () => {
    web.gateway.library.documents = Array.from({ length: 100_000 }, (_, n) =>
      libraryDocument(n, "Archive", `Record ${n + 1}.pdf`),
    );
    web.gateway.documents[slug] = Array.from({ length: 100_000 }, (_, n) => ({
      ...documents()[7]!,
      documentId: libraryDocument(n, "", "").documentId,
      title: `Record ${n + 1}.pdf`,
    }));
    await web.page.goto(`${web.gateway.url}/workspace/${slug}/documents`);
    await inWorkspace("Record 1.pdf").first().waitFor();
    await row("Archive").click();
    await row("Record 1.pdf").first().waitFor();
    const jump = async (place: string, share: number, name: string): Promise<number> => {
      const start = Date.now();
      await web.page.locator(place).evaluate((box, at) => {
        box.scrollTop = box.scrollHeight * at;
      }, share);
      await web.page.locator(place).getByText(name, { exact: true }).first().waitFor();
      return Date.now() - start;
    };
    const times = [
      await jump(".wsp .rows", 1, "Record 100000.pdf"),
      await jump(".lib .rows", 1, "Record 100000.pdf"),
      await jump(".lib .rows", 0, "Record 1.pdf"),
    ];
    const pages = web.gateway.requests.filter(
      (each) => each.path === "/library/search" || each.path.endsWith("/documents"),
    ).length;
    console.info(
      `100,000 documents: to the end and back in ${times.join(", ")} ms, ${pages} pages fetched, ${await web.page.locator(".d, .tr").count()} rows drawn`,
    );
    expect(pages).toBeLessThan(30);
    await poll(() => web.page.locator(".d, .tr").count()).toBeLessThan(120);
    await grid().getByRole("row").nth(2).focus();
    await web.page.keyboard.press("Control+a");
    await web.page.getByText("100,000 selected").first().waitFor();
    await button("Embed again").click();
    await web.page.getByText("100,000 documents are embedded again.").waitFor();
    expect(asked("/documents/embed-again")).toEqual([
      { selection: { filter: { deep: false, search: "", kinds: [], tags: [], heldIn: slug } } },
    ]);
    // Where they are moved to another folder, only what this workspace holds is meant.
    await button("Move").click();
    await web.page.getByLabel("Folder", { exact: true }).fill("Elsewhere");
    await button("Make it and move").click();
    await web.page.getByText("100,000 documents were moved.").waitFor();
    expect(asked("/library/move")).toEqual([
      {
        folder: "Elsewhere",
        selection: { filter: { deep: false, search: "", kinds: [], tags: [], heldIn: slug } },
      },
    ]);
  });
});

describe("by keys alone", () => {
  it("walks the tree and the rows, chooses ranges, deletes with a question, and never loses the focus", async () => {
    await open();
    const at = (): Promise<string> =>
      web.page.evaluate(
        () =>
          document.activeElement?.getAttribute("aria-label") ??
          document.activeElement?.querySelector(".name > *")?.textContent ??
          document.activeElement?.tagName ??
          "",
      );
    const key = (name: string): Promise<void> => web.page.keyboard.press(name);
    await row("Retrofit 2024").focus();
    await key("ArrowRight");
    await row("Measurements").waitFor();
    await key("ArrowRight");
    await poll(at).toMatch(/^Block A–C drawings/);
    await key("ArrowDown");
    await poll(at).toMatch(/^Measurements/);
    await key("Enter");
    await row("Riser flow measurements.xlsx").waitFor();
    await key("ArrowDown");
    await poll(at).toMatch(/^Meter readings, first/);
    await key("Space");
    await key("Shift+ArrowDown");
    await web.page.getByText("2 selected").first().waitFor();
    await poll(() => row("Meter readings, second quarter.xlsx").getAttribute("aria-selected")).toBe(
      "true",
    );
    await key("Escape");
    await poll(() => web.page.getByText("2 selected").count()).toBe(0);
    await key("ArrowLeft");
    await poll(at).toMatch(/^Measurements/);
    await key("ArrowLeft");
    await row("Riser flow measurements.xlsx").waitFor({ state: "detached" });
    await key("End");
    await poll(at).toMatch(/^Utility/);
    await key("Delete");
    await web.page.getByText("Delete Utility, letter of 12 April.eml?").waitFor();
    await button("Cancel").click();
    await web.page.waitForFunction(() =>
      document.activeElement?.getAttribute("aria-label")?.startsWith("Utility"),
    );
    await grid().locator(".d").first().focus();
    await key("PageDown");
    await poll(at).not.toBe("Commissioning, block B.docx");
    await key("End");
    await poll(at).toBe("Funding decision, heat pumps.pdf");
    await key("Home");
    await poll(at).toBe("Commissioning, block B.docx");
    await key("Control+a");
    await web.page.getByText("10 selected").first().waitFor();
    await key("Delete");
    await web.page.getByText("Remove 10 documents from Heat-pump retrofit?").waitFor();
    await key("Escape");
    await web.page.getByRole("dialog").waitFor({ state: "detached" });
    await web.page.waitForFunction(() => document.activeElement?.getAttribute("role") === "row");
  });
});

describe("for everyone", () => {
  const serious = async (): Promise<string[]> => {
    await settled(web.page); // what fades in has its colours then
    const { violations } = await new AxeBuilder({ page: web.page })
      .withTags(["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"])
      .analyze();
    return violations.map(
      (each) =>
        `${each.id}: ${each.nodes
          .map((node) => node.html.slice(0, 160))
          .slice(0, 3)
          .join(" | ")}`,
    );
  };
  for (const colorScheme of ["dark", "light"] as const) {
    it(`has no fault of accessibility, ${colorScheme}`, async () => {
      await web.open({ colorScheme });
      Object.assign(web.gateway.documents[slug]![8]!, { watched: true });
      await openMeasurements();
      await tree().getByLabel("Select the folder Web pages").check({ force: true });
      await grid().getByLabel("Select Courtyard noise assessment.pdf").check();
      expect(await serious()).toEqual([]);
      if (colorScheme === "light") {
        await button("Move to workspace").click();
        await button("Filter and order").first().click();
        await web.page.getByText("Only what this workspace does not have").waitFor();
      } else {
        await button("Tag").last().click();
        await web.page.getByRole("dialog").waitFor();
      }
      expect(await serious()).toEqual([]);
    });
  }
  it("says on a phone that it needs a desktop device, and takes files there all the same", async () => {
    await web.open({ viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true });
    await open();
    await web.page
      .getByText("Editing these settings is available only on a desktop device.")
      .waitFor();
    await poll(() => web.page.getByRole("tree").count()).toBe(0);
    await web.page
      .locator("input[type=file]")
      .first()
      .setInputFiles({
        name: "Minutes.txt",
        mimeType: "text/plain",
        buffer: Buffer.from("We decided."),
      });
    await inWorkspace("Minutes.txt").getByText("Ready").waitFor();
    expect(web.gateway.requests.some((each) => each.path.startsWith("/library/"))).toBe(false);
    await poll(() => web.page.evaluate(() => document.documentElement.scrollWidth)).toBe(390);
    expect(await serious()).toEqual([]);
  });
});
