import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { isThorough } from "@carrel/testing";
import type { BrowserContext, Page } from "@playwright/test";
import { expectAccessible } from "./accessibility.ts";
import { asked, button, grid, inWorkspace, open, row, slug } from "./documents-page.ts";
import { documents } from "./fake-data.ts";
import { expect, settled, test } from "./fixtures.ts";
import { libraryDocument } from "./library-documents.ts";

test.describe("uploads", () => {
  const drop = async (
    page: Page,
    context: BrowserContext,
    paths: string[],
    x: number,
    y: number,
  ): Promise<void> => {
    const client = await context.newCDPSession(page);
    for (const type of ["dragEnter", "dragOver", "drop"] as const)
      await client.send("Input.dispatchDragEvent", {
        type,
        x,
        y,
        data: { items: [], files: paths, dragOperationsMask: 1 },
      });
  };
  test("keep dropped folders nested, use the folder under the pointer, and fetch pasted links", async ({
    page,
    gateway,
    context,
  }) => {
    const folder = mkdtempSync(join(tmpdir(), "carrel-folder-"));
    try {
      mkdirSync(join(folder, "minutes/2024/May"), { recursive: true });
      for (const name of ["a.txt", "2024/b.md", "2024/May/c.md", "2024/d.exe"])
        writeFileSync(join(folder, "minutes", name), "We decided.");
      await open(page);
      const dropThere = async (path: string): Promise<void> => {
        await settled(page);
        const place = (await row(page, "Supplier contracts").boundingBox())!;
        await drop(page, context, [path], place.x + 120, place.y + 10);
      };
      await dropThere(join(folder, "minutes"));
      await expect.poll(() => gateway.library.uploads.length).toBe(3);
      await expect
        .poll(() =>
          gateway.library.uploads
            .map(({ path, name, folder: at }) => `${path.split("/").at(-1)} ${at}/${name}`)
            .sort(),
        )
        .toEqual([
          "upload-and-embed Supplier contracts/minutes/2024/May/c.md",
          "upload-and-embed Supplier contracts/minutes/2024/b.md",
          "upload-and-embed Supplier contracts/minutes/a.txt",
        ]);
      await button(page, /^Activity/).click();
      await expect(
        page.getByRole("dialog").getByText("Files of type .exe aren't supported."),
      ).toBeVisible();
      await button(page, "Close").click();
      await page.getByLabel("Also add to this workspace").uncheck();
      await page.evaluate(() => {
        const data = new DataTransfer();
        data.setData("text/plain", "https://one.example/a https://two.example/b");
        document.body.dispatchEvent(
          new ClipboardEvent("paste", { clipboardData: data, bubbles: true, cancelable: true }),
        );
      });
      await expect(page.getByText("Fetching 2 pages.")).toBeVisible();
      await expect.poll(() => gateway.library.links.length).toBe(2);
      await dropThere(join(folder, "minutes/a.txt"));
      await expect.poll(() => gateway.library.uploads.at(-1)?.path).toMatch(/\/upload$/);
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });
  test("take thousands of files without freezing, continue on other pages, and retry failures", async ({
    page,
    gateway,
  }) => {
    gateway.library.refusals = [
      { status: 415, error: "Files of this type cannot be read." },
      { status: 429, error: "Busy." },
    ];
    gateway.library.uploadTakes = 3;
    await open(page);
    const count = isThorough ? 10_000 : 2_000;
    const frozen = await page.evaluate(async (files) => {
      const transfer = new DataTransfer();
      for (let n = 0; n < files; n += 1)
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
    }, count);
    console.info(
      `${count} files chosen: the page answered at least every ${Math.round(frozen)} ms`,
    );
    expect(frozen).toBeLessThan(10_000); // only catches a hang; the figure itself is printed
    await expect(page.getByText(/^Uploading, [\d,]+ of [\d,]+/).first()).toBeVisible();
    await expect(page.getByRole("status").getByText("1 failed")).toBeVisible();
    await page.getByRole("link", { name: "Heat-pump retrofit" }).first().click();
    await expect(page.getByText("What would you like to know?")).toBeVisible();
    const before = gateway.library.uploads.length;
    await expect.poll(() => gateway.library.uploads.length).toBeGreaterThan(before + 5);
    await expect.poll(() => gateway.library.maxInFlight).toBeLessThanOrEqual(3);
    await page.goBack();
    await button(page, "Details").click();
    const dialog = page.getByRole("dialog");
    await expect(dialog.getByText("Files of this type cannot be read.")).toBeVisible();
    await expect.poll(() => dialog.getByRole("listitem").count()).toBeLessThan(40);
    await button(page, "Retry failed uploads").click();
    await expect(dialog.getByText("Files of this type cannot be read.")).toHaveCount(0);
    // Leaving would lose them, so the browser asks.
    await expect
      .poll(() =>
        page.evaluate(() => !dispatchEvent(new Event("beforeunload", { cancelable: true }))),
      )
      .toBe(true);
    await button(page, "Cancel all").click();
    await expect(dialog.getByText("No uploads in progress.")).toBeVisible();
    await expect.poll(() => gateway.library.inFlight).toBe(0);
    await expect
      .poll(() =>
        page.evaluate(() => !dispatchEvent(new Event("beforeunload", { cancelable: true }))),
      )
      .toBe(false);
  });
  test("replace the text of an empty list", async ({ page, gateway }) => {
    gateway.documents[slug] = [];
    const sent = Promise.withResolvers<void>();
    await page.route("**/upload-and-embed", async (route) => {
      await sent.promise;
      await route.continue();
    });
    await page.goto(`/workspace/${slug}/documents`);
    const empty = page.getByText(/^No documents yet\. Files you add/);
    await expect(empty).toBeVisible();
    await page
      .locator("input[type=file]")
      .first()
      .setInputFiles({
        name: "Minutes.txt",
        mimeType: "text/plain",
        buffer: Buffer.from("We decided."),
      });
    await expect(inWorkspace(page, "Minutes.txt").getByText("Uploading")).toBeVisible();
    await expect(empty).toHaveCount(0);
    sent.resolve();
    await expect(inWorkspace(page, "Minutes.txt").getByText("Ready")).toBeVisible();
  });
  test("name all formats, and the contents of a file named as another", async ({
    page,
    gateway,
  }) => {
    Object.assign(gateway.documents[slug]![6]!, { title: "Minutes.docx", kind: "text" });
    await open(page);
    await expect(inWorkspace(page, "Minutes.docx").getByText("TXT", { exact: true })).toBeVisible();
    await expect(inWorkspace(page, "Minutes.docx")).toContainText("Contains plain text");
    await button(page, "Supported formats").click();
    const dialog = page.getByRole("dialog", { name: "Supported formats" });
    await expect(dialog.getByRole("definition")).toHaveText([".pdf", ".txt .md"]);
    await expectAccessible(page);
    await dialog.getByRole("button", { name: "Close" }).last().click();
    await expect(dialog).toHaveCount(0);
  });
  test("say when the document processor is down, and resume when it is back", async ({
    page,
    gateway,
  }) => {
    gateway.library.processorOnline = false;
    await open(page);
    await expect(page.getByText("Document processing is unavailable")).toBeVisible();
    await expect(button(page, "Upload")).toBeDisabled();
    await expect(page.getByLabel("Web page address")).toHaveCount(0);
    gateway.library.processorOnline = true;
    await button(page, "Check again").click();
    await expect(page.getByText("Drop files or folders here")).toBeVisible();
    await expect(button(page, "Upload")).toBeEnabled();
  });
});

/** A thorough run takes a hundred thousand. */
const documentCount = isThorough ? 100_000 : 20_000;
const written = documentCount.toLocaleString("en-US");

test.describe("tens of thousands of documents", () => {
  test("are fetched for the visible page, selected as a whole, and stay fast", async ({
    page,
    gateway,
  }) => {
    gateway.library.documents = Array.from({ length: documentCount }, (_, n) =>
      libraryDocument(n, "Archive", `Record ${n + 1}.pdf`),
    );
    gateway.documents[slug] = Array.from({ length: documentCount }, (_, n) => ({
      ...documents()[7]!,
      documentId: libraryDocument(n, "", "").documentId,
      title: `Record ${n + 1}.pdf`,
    }));
    await page.goto(`/workspace/${slug}/documents`);
    await expect(inWorkspace(page, "Record 1.pdf").first()).toBeVisible();
    await row(page, "Archive").click();
    await expect(row(page, "Record 1.pdf").first()).toBeVisible();
    const jump = async (place: string, share: number, name: string): Promise<number> => {
      const start = Date.now();
      await page.locator(place).evaluate((box, at) => {
        box.scrollTop = box.scrollHeight * at;
      }, share);
      await expect(page.locator(place).getByText(name, { exact: true }).first()).toBeVisible();
      return Date.now() - start;
    };
    const times = [
      await jump('[data-zone="workspace"] > [tabindex="-1"]', 1, `Record ${documentCount}.pdf`),
      await jump('[data-zone="library"] > [tabindex="-1"]', 1, `Record ${documentCount}.pdf`),
      await jump('[data-zone="library"] > [tabindex="-1"]', 0, "Record 1.pdf"),
    ];
    const pages = gateway.requests.filter(
      (each) => each.path === "/library/search" || each.path.endsWith("/documents"),
    ).length;
    const drawn = await page.locator("main [data-row]").count();
    console.info(
      `${written} documents: to the end and back in ${times.join(", ")} ms,`,
      `${pages} pages fetched, ${drawn} rows drawn`,
    );
    expect(pages).toBeLessThan(30);
    await expect.poll(() => page.locator("main [data-row]").count()).toBeLessThan(120);
    await grid(page).getByRole("row").nth(2).focus();
    await page.keyboard.press("Control+a");
    await expect(page.getByText(`${written} selected`).first()).toBeVisible();
    await button(page, "Re-index").click();
    await expect(page.getByText(`Re-indexing ${written} documents.`)).toBeVisible();
    await expect
      .poll(() => asked(gateway, "/documents/embed-again"))
      .toEqual([
        { selection: { filter: { deep: false, search: "", kinds: [], tags: [], heldIn: slug } } },
      ]);
    // Moving to another folder affects only what this workspace contains.
    await button(page, "Move").click();
    await page.getByLabel("Folder", { exact: true }).fill("Elsewhere");
    await button(page, "Create folder and move").click();
    await expect(page.getByText(`${written} documents moved.`)).toBeVisible();
    await expect
      .poll(() => asked(gateway, "/library/move"))
      .toEqual([
        {
          folder: "Elsewhere",
          selection: { filter: { deep: false, search: "", kinds: [], tags: [], heldIn: slug } },
        },
      ]);
  });
});
