import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { documents } from "./fake-data.ts";
import { expect, settled, stepwise, test, threadPath } from "./fixtures.ts";

test.describe("long threads", () => {
  test("deletes several threads selected with Ctrl, and leaves a deleted one", async ({
    page,
    gateway,
  }) => {
    await page.goto(threadPath);
    await expect(page.getByText("What would you like to know?")).toBeVisible();
    await page.locator("body").click({ position: { x: 700, y: 20 } });
    await page.keyboard.down("Control");
    await expect(page.getByRole("checkbox", { name: /^Select (?!all)/ }).first()).toBeVisible();
    await page.getByRole("link", { name: "Flow temperature, blocks" }).click();
    await page.getByRole("link", { name: "Noise in the courtyards" }).click();
    await page.getByRole("button", { name: "Delete selected" }).click();
    await page.keyboard.up("Control");
    await page.waitForURL("**/workspace/heat-pump-retrofit");
    await expect(page.getByRole("link", { name: "Noise in the courtyards" })).toHaveCount(0);
    await expect
      .poll(() => gateway.threads["heat-pump-retrofit"]!.map((thread) => thread.slug))
      .toEqual(["night"]);
    await expect
      .poll(() =>
        gateway.requests.filter((each) => each.method === "DELETE").map((each) => each.path),
      )
      .toEqual(["/workspace/heat-pump-retrofit/thread-bulk-delete"]);
    await expect(page.getByRole("link", { name: "Night tariff operation" })).toHaveCount(1);
  });
  test("renders only visible turns, and loads earlier ones without moving the reader's position", async ({
    page,
    gateway,
  }) => {
    for (let n = 1; n <= 120; n += 1)
      gateway.addTurn("heat-pump-retrofit", "flow", {
        question: `Question ${n}.`,
        answer: `Answer ${n}.\n\n${"It goes on. ".repeat((n * 7) % 60)}`,
      });
    // Once connected, the page would refetch the list.
    gateway.changesHeld = new Promise(() => undefined);
    const pages = (): number =>
      gateway.requests.filter((each) => each.path === "/workspace/heat-pump-retrofit/turns").length;
    await page.goto(threadPath);
    await expect(page.getByText("Answer 120.")).toBeVisible();
    const log = page.getByRole("log");
    const drawn = (): Promise<number> => page.locator("[data-question]").count();
    await expect.poll(drawn).toBeLessThan(25);
    await expect
      .poll(() => log.evaluate((box) => box.scrollHeight - box.scrollTop - box.clientHeight))
      .toBeLessThan(2);
    expect(pages()).toBe(1);
    // Scroll up with the wheel until earlier turns load automatically: the visible ones must not
    // move.
    await log.hover();
    const topmost = (): Promise<{ words: string; y: number }> =>
      log.evaluate((box) => {
        const edge = box.getBoundingClientRect().top;
        const row = [...box.querySelectorAll("[data-question]")].find(
          (each) => each.getBoundingClientRect().top > edge + 40,
        )!;
        return { words: row.textContent ?? "", y: row.getBoundingClientRect().top };
      });
    const place = (words: string): Promise<number | null> =>
      log.evaluate(
        (box, wanted) =>
          [...box.querySelectorAll("[data-question]")]
            .find((each) => each.textContent === wanted)
            ?.getBoundingClientRect().top ?? null,
        words,
      );
    for (const wanted of [2, 3]) {
      let give = (): void => undefined;
      gateway.earlierHeld = new Promise((resolve) => {
        give = resolve;
      });
      await expect
        .poll(async () => {
          if (pages() < wanted) await page.mouse.wheel(0, -1_200);
          await settled(page);
          return pages();
        }, stepwise)
        .toBe(wanted);
      const height = await log.evaluate((box) => box.scrollHeight);
      await expect
        .poll(async () => {
          const { y } = await topmost();
          await settled(page);
          return (await topmost()).y === y;
        })
        .toBe(true); // the wheel has stopped
      const before = await topmost();
      give();
      await expect
        .poll(() => log.evaluate((box) => box.scrollHeight))
        .toBeGreaterThan(height + 400);
      await expect
        .poll(async () => {
          const after = await place(before.words);
          return after === null ? null : Math.abs(after - before.y) < 3;
        })
        .toBe(true);
    }
    await expect
      .poll(async () => {
        await page.mouse.wheel(0, -1500);
        return page.getByText("Question 1.", { exact: true }).count();
      }, stepwise)
      .toBe(1);
    await expect.poll(pages).toBe(3);
    await expect.poll(drawn).toBeLessThan(25);
    await expect(page.getByRole("button", { name: "Show earlier messages" })).toHaveCount(0);
    // Back to the end with the button.
    await page.getByRole("button", { name: "Jump to the end" }).click();
    await expect(page.getByText("Answer 120.")).toBeVisible();
    await expect
      .poll(() => log.evaluate((box) => box.scrollHeight - box.scrollTop - box.clientHeight))
      .toBeLessThan(2);
  });
  test("keeps a found message where it is in a thread that barely overflows", async ({
    page,
    gateway,
  }) => {
    for (let n = 1; n <= 12; n += 1)
      gateway.addTurn("heat-pump-retrofit", "flow", {
        question: `Question ${n}.`,
        answer: `Answer ${n}.`,
      });
    const [found] = gateway.turns["heat-pump-retrofit/flow"]!;
    await page.goto(threadPath);
    await expect(page.getByText("Answer 12.")).toBeVisible();
    const log = page.getByRole("log");
    const top = (): Promise<number> => log.evaluate((box) => box.scrollTop);
    const overflow = (): Promise<number> =>
      log.evaluate((box) => box.scrollHeight - box.clientHeight);
    const overflowBy = (wanted: number): Promise<void> =>
      expect
        .poll(async () => {
          const { width, height } = page.viewportSize()!;
          await page.setViewportSize({ width, height: height + (await overflow()) - wanted });
          await settled(page);
          return overflow();
        }, stepwise)
        .toBe(wanted);
    await overflowBy(40);
    await expect.poll(top).toBe(40);
    await page.goto(`${threadPath}#chat-${found!.id}`);
    await expect(page.locator('[data-turn="found"]')).toBeVisible();
    await expect.poll(top).toBe(16); // the space above the first turn
    await overflowBy(50);
    expect(await top()).toBe(16);
    // Once the reader scrolls to the end, the page follows it again.
    await log.hover();
    await page.mouse.wheel(0, 100);
    await expect.poll(top).toBe(50);
    await overflowBy(60);
    await expect.poll(top).toBe(60);
  });
  test("lists documents page by page, renders visible ones, and shows the same total as the chat", async ({
    page,
    gateway,
  }) => {
    gateway.documents["heat-pump-retrofit"] = Array.from({ length: 260 }, (_, n) => ({
      ...documents()[n === 9 ? 3 : 4]!,
      documentId: `00000000-0000-4000-8000-${String(n + 1000).padStart(12, "0")}`,
      title: `Record ${n + 1}.pdf`,
    }));
    await page.goto("/workspace/heat-pump-retrofit/documents");
    await expect(page.getByText(/^259 documents, 1 failed · /)).toBeVisible();
    await expect(page.getByText("Record 1.pdf")).toBeVisible();
    const rows = page.locator('[data-zone="workspace"] > [tabindex="-1"]');
    await expect
      .poll(async () => {
        await rows.evaluate((box) => {
          box.scrollTop = box.scrollHeight;
        });
        return page.getByText("Record 260.pdf").count();
      }, stepwise)
      .toBe(1);
    await expect.poll(() => page.locator("main [data-row]").count()).toBeLessThan(60);
    await expect
      .poll(
        () =>
          gateway.requests.filter((each) => each.path === "/workspace/heat-pump-retrofit/documents")
            .length,
      )
      .toBeGreaterThanOrEqual(2);
    await page.goto(threadPath);
    await expect(page.getByRole("link", { name: "259 documents, 1 failed" })).toBeVisible();
  });
  test("accepts the readable files of a dropped folder, including its subfolders", async ({
    page,
    context,
  }) => {
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
      await page.goto("/workspace/heat-pump-retrofit/documents");
      await expect(page.getByText("Retrofit survey 2024.pdf")).toBeVisible();
      const client = await context.newCDPSession(page);
      const data = { items: [], files: [join(folder, "minutes")], dragOperationsMask: 1 };
      for (const type of ["dragEnter", "dragOver", "drop"] as const)
        await client.send("Input.dispatchDragEvent", { type, x: 700, y: 400, data });
      for (const name of ["a.txt", "b.md"])
        await expect(page.getByText(name).first()).toBeVisible();
      await expect(
        page.getByText("1 file was skipped because its type isn't supported."),
      ).toBeVisible();
      await expect(page.getByText(/^11 documents, 1 failed · /)).toBeVisible();
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });
});
