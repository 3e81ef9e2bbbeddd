import { ask, expect, settled, test, threadPath } from "./fixtures.ts";

test.describe("workspaces and threads", () => {
  test("creates the first workspace from the empty home page", async ({ page, gateway }) => {
    gateway.workspaces = [];
    await page.goto("/");
    await page.getByLabel("What's it about?").fill("Board minutes");
    await page.getByRole("button", { name: "Create workspace" }).click();
    await page.waitForURL("**/workspace/board-minutes");
    await expect(page.getByText("Add documents to Board minutes")).toBeVisible();
    await expect(page.getByText("PDF, Office, text, images, audio, video.")).toBeVisible();
  });
  test("creates, renames and deletes a thread of the first workspace with the specified texts", async ({
    page,
  }) => {
    await page.goto("/");
    await page.waitForURL("**/workspace/heat-pump-retrofit");
    await expect(page.getByText("What would you like to know?")).toBeVisible();
    await page.keyboard.press("Control+Shift+O");
    await page.waitForURL("**/t/thread-3");
    await page.getByRole("button", { name: "Menu for New thread" }).click();
    await page.getByRole("menuitem", { name: "Rename" }).click();
    await page
      .getByRole("textbox", { name: "Name" })
      .fill("A name that is longer than twenty-five");
    await page.keyboard.press("Enter");
    await expect(page.getByRole("link", { name: "A name that is longer…" })).toBeVisible();
    await page.getByRole("button", { name: "Menu for A name" }).click();
    await page.getByRole("menuitem", { name: "Delete thread" }).click();
    await expect(
      page.getByText("All of its messages will be deleted. You can't undo this."),
    ).toBeVisible();
    await page.getByRole("button", { name: "Delete thread" }).click();
    await expect(page.getByText("Thread deleted.")).toBeVisible();
    await page.waitForURL("**/workspace/heat-pump-retrofit");
    await expect(page.getByRole("link", { name: "A name that is longer…" })).toHaveCount(0);
  });
  test("finds a workspace through the palette, with the keyboard alone", async ({ page }) => {
    await page.goto(threadPath);
    await expect(page.getByText("What would you like to know?")).toBeVisible();
    await page.keyboard.press("Control+k");
    await page.getByPlaceholder("Search workspaces").fill("tenant");
    await expect(
      page.getByRole("option", { selected: true }).filter({ hasText: "Tenant handbook" }),
    ).toBeVisible();
    await page.keyboard.press("Enter");
    await page.waitForURL("**/workspace/tenant-handbook");
    await page.keyboard.press("Control+b");
    await expect(page.locator("[data-slot=sidebar]")).toBeHidden();
    await page.keyboard.press("Control+b");
    await page.keyboard.press("Control+/");
    await expect(page.getByRole("dialog", { name: "Keyboard shortcuts" })).toBeVisible();
  });
});

test.describe("an answer", () => {
  test("streams, shows its stage, citations and sources, and opens the page at the passage", async ({
    page,
    gateway,
  }) => {
    gateway.heldAfter = 2;
    await page.goto(threadPath);
    await ask(page, "What flow temperature?");
    await expect(page.getByText("Searching 24 documents").first()).toBeVisible();
    gateway.heldAfter = 3;
    await expect(page.getByText(/Reading 4/).first()).toBeVisible();
    gateway.heldAfter = 4;
    await expect(page.getByText(/Writing, with/).first()).toBeVisible();
    gateway.heldAfter = null;
    await expect(page.getByText("412 tokens · 6.2s")).toBeVisible();
    await expect(page.getByText("Read 4 passages")).toBeVisible();
    await expect(page.locator(".md strong").first()).toHaveText(
      "78 % of the radiators already cover their room",
    );
    await expect(page.locator(".md table")).toHaveCount(1);
    await page
      .getByRole("button", { name: /^Source 1/ })
      .first()
      .click();
    await expect(page.getByText("Page 2 of 3 · match 0.86")).toBeVisible();
    await expect(page.locator(".pdf-mark").first()).toBeVisible();
    await page.getByRole("button", { name: "Next passage" }).click();
    await page.getByRole("button", { name: "Next passage" }).click();
    await expect(page.locator(".text-hit")).toContainText("48 °C, 78 %");
    await page.keyboard.press("Escape");
    await expect(page.locator("[data-panel]")).toHaveCount(0);
  });
  test("continues after a dropped connection without losing or repeating a word", async ({
    page,
    gateway,
  }) => {
    gateway.cutAfter = 12;
    gateway.heldAfter = 11;
    await page.goto(threadPath);
    await ask(page, "Again?");
    await expect(page.locator(".md").getByText(/^At 48 °C/)).toBeVisible();
    gateway.heldAfter = null;
    await expect(page.getByText("412 tokens")).toBeVisible();
    const attached = gateway.requests.filter((each) => each.path.startsWith("/generation/"));
    expect(attached).toHaveLength(1);
    // Frames lost in the drop are requested again.
    expect(Number(attached[0]?.lastEventId)).toBeGreaterThanOrEqual(8);
    await expect(page.locator(".md").getByText("Balance the risers first")).toHaveCount(1);
    await expect(page.locator(".md h3")).toHaveText(["Design for 48 °C at −8 °C outdoors"]);
  });
  test("continues in the middle of an answer after a reload, and in another tab", async ({
    page,
    gateway,
    context,
  }) => {
    gateway.heldAfter = 20;
    await page.goto(threadPath);
    await ask(page, "And now?");
    await expect(page.locator(".md").getByText("Comparable blocks")).toBeVisible();
    const other = await context.newPage();
    await other.goto(threadPath);
    await page.reload();
    for (const each of [page, other])
      await expect(each.getByRole("button", { name: "Stop (Esc)" })).toBeVisible();
    gateway.heldAfter = null;
    for (const each of [page, other]) {
      await expect(each.getByText("412 tokens")).toBeVisible();
      await expect(each.locator(".md h3")).toHaveText(["Design for 48 °C at −8 °C outdoors"]);
    }
  });
  test("stops with Esc and keeps the text so far", async ({ page, gateway }) => {
    gateway.heldAfter = 20;
    await page.goto(threadPath);
    await ask(page, "Stop me");
    await expect(page.locator(".md").getByText("78 % of the radiators")).toBeVisible();
    await page.keyboard.press("Escape");
    await expect(
      page.getByRole("article").getByText("Stopped. The text so far is kept."),
    ).toBeVisible();
    await expect(page.locator(".md").getByText("78 % of the radiators")).toHaveCount(1);
  });
  test("explains a failure and asks again", async ({ page, gateway }) => {
    gateway.failWith = { status: 500 };
    await page.goto(threadPath);
    await ask(page, "Will it?");
    await expect(page.getByText("The answer failed for an unknown reason.")).toBeVisible();
    gateway.failWith = null;
    await page.getByRole("button", { name: "Retry" }).click();
    await expect(page.getByText("412 tokens")).toBeVisible();
    await expect(page.getByText("Will it?")).toHaveCount(1);
  });
  test("renders no HTML, loads no image, and opens links in a new tab", async ({
    page,
    gateway,
  }) => {
    gateway.answer =
      'Hi <img src=x onerror="document.title=1"><script>document.title=1</script> ' +
      "![pic](https://evil.example/a.png) [site](https://example.org) [bad](javascript:alert(1)) $x^2$";
    await page.goto(threadPath);
    await ask(page, "Unsafe?");
    await expect(page.locator(".md .katex")).toBeVisible();
    await expect(page.locator(".md img, .md script")).toHaveCount(0);
    await expect
      .poll(() => page.getByRole("link", { name: "site" }).getAttribute("rel"))
      .toContain("noreferrer");
    await expect(page.getByRole("link", { name: "bad" })).toHaveCount(0);
  });
});

test.describe("documents", () => {
  test("show their states and progress, explain a failure and accept files", async ({
    page,
    gateway,
  }) => {
    await page.goto("/workspace/heat-pump-retrofit/documents");
    await expect(page.getByText("Embedding, 312 of 1,050")).toBeVisible();
    await expect(page.getByText("Processing 1 of 3 documents")).toBeVisible();
    await expect.poll(() => gateway.progressWatchers).toBe(1);
    const moving = gateway.documents["heat-pump-retrofit"]![1]!;
    Object.assign(moving, { chunksDone: 700, progress: 0.66 });
    gateway.report({ type: "document_state", document: { ...moving } });
    await expect(page.getByText("Embedding, 700 of 1,050")).toBeVisible();
    await expect(page.getByText("It is locked with a password.")).toBeVisible();
    await page.getByRole("button", { name: "Retry" }).click();
    await expect(page.getByText("It is locked with a password.")).toHaveCount(0);
    await page
      .locator("input[type=file]")
      .first()
      .setInputFiles({
        name: "Minutes.txt",
        mimeType: "text/plain",
        buffer: Buffer.from("We decided."),
      });
    await expect(page.getByText("Minutes.txt").first()).toBeVisible();
    await page
      .locator("input[type=file]")
      .first()
      .setInputFiles({
        name: "tool.exe",
        mimeType: "application/octet-stream",
        buffer: Buffer.from("MZ"),
      });
    await expect(page.getByText("Files of this type cannot be read.")).toBeVisible();
    await page.getByLabel("Web page address").fill("http://127.0.0.1/");
    await page.keyboard.press("Enter");
    await expect(page.getByText("Private addresses are not fetched.")).toBeVisible();
    await page.getByLabel("Search documents").fill("noise");
    await expect(page.getByText("Retrofit survey 2024.pdf")).toHaveCount(0);
  });
  test("show a change that arrives while the list is being read", async ({ page, gateway }) => {
    const moving = gateway.documents["heat-pump-retrofit"]![1]!;
    await page.goto("/workspace/heat-pump-retrofit/documents");
    await expect(page.getByText("Embedding, 312 of 1,050")).toBeVisible();
    await expect.poll(() => gateway.progressWatchers).toBe(1);
    const reading = Promise.withResolvers<void>();
    const reported = Promise.withResolvers<void>();
    let isHeld = false;
    await page.route(/\/api\/workspace\/heat-pump-retrofit\/documents/, async (route) => {
      if (isHeld) return route.fallback();
      isHeld = true;
      const response = await route.fetch();
      reading.resolve();
      await reported.promise;
      await route.fulfill({ response }).catch(() => undefined); // the app may have cancelled it
    });
    gateway.change({ type: "workspace-documents.changed", workspaceId: 1 });
    await reading.promise;
    moving.chunksDone = 700;
    const again = page.waitForResponse(/\/api\/workspace\/heat-pump-retrofit\/documents/);
    gateway.report({ type: "document_state", document: { ...moving } });
    await expect(page.getByText("Embedding, 700 of 1,050")).toBeVisible();
    reported.resolve();
    await again;
    await settled(page);
    await expect(page.getByText("Embedding, 700 of 1,050")).toBeVisible();
  });
  test("show the state that they have in the end, not that of a late report", async ({
    page,
    gateway,
  }) => {
    const moving = gateway.documents["heat-pump-retrofit"]![1]!;
    await page.goto("/workspace/heat-pump-retrofit/documents");
    await expect(page.getByText("Embedding, 312 of 1,050")).toBeVisible();
    await expect.poll(() => gateway.progressWatchers).toBe(1);
    Object.assign(moving, { state: "embedded", chunksDone: 1_050, progress: 1 });
    gateway.report({ type: "document_state", document: { ...moving } });
    gateway.report({ type: "document_state", document: { ...moving, state: "queued" } });
    const row = page.getByRole("row").filter({ hasText: "Riser flow measurements.csv" });
    await expect(row.getByText("Ready")).toBeVisible();
  });
  test("dropped on the chat are read into it", async ({ page }) => {
    await page.goto(threadPath);
    await expect(page.getByText("What would you like to know?")).toBeVisible();
    const data = await page.evaluateHandle(() => {
      const transfer = new DataTransfer();
      transfer.items.add(new File(["We decided."], "Dropped.txt", { type: "text/plain" }));
      return transfer;
    });
    await page.dispatchEvent("main", "dragenter", { dataTransfer: data });
    await expect(page.getByText("Drop to ask about it here")).toBeVisible();
    await page.dispatchEvent("main", "drop", { dataTransfer: data });
    await expect(page.getByLabel("Attached").getByText("Dropped.txt")).toBeVisible();
  });
});
