import { expect, settled, test, threadPath } from "./fixtures.ts";

/** Drops a picture on the page; whether the browser would have opened it. */
const wouldOpen = () => {
  const data = new DataTransfer();
  data.items.add(new File(["x"], "plan.png", { type: "image/png" }));
  return ["dragover", "drop"].map((type) =>
    document.body.dispatchEvent(
      new DragEvent(type, { dataTransfer: data, bubbles: true, cancelable: true }),
    ),
  );
};

test.describe("a dropped file", () => {
  for (const [path, title] of [
    ["/", "Create your first workspace"],
    ["/settings/llm-preference", "Quotes instead of writing."],
  ] as const)
    test(`isn't opened by the browser: ${path}`, async ({ page, gateway }) => {
      if (path === "/") gateway.workspaces = [];
      await page.goto(path);
      await expect(page.getByText(title)).toBeVisible();
      expect(await page.evaluate(wouldOpen)).toEqual([false, false]);
    });
  test("that is a picture is read if no model can look at it, as the page says", async ({
    page,
    gateway,
  }) => {
    gateway.chat.questions = [];
    const known = page.waitForResponse("**/suggested-questions");
    await page.goto(threadPath);
    await page.getByLabel("Message", { exact: true }).fill("x");
    await known;
    await settled(page);
    await page.evaluate(() => {
      const data = new DataTransfer();
      data.items.add(new File(["x"], "plan.png", { type: "image/png" }));
      document.body.dispatchEvent(
        new DragEvent("dragenter", { dataTransfer: data, bubbles: true, cancelable: true }),
      );
    });
    await expect(page.getByText("Drop to ask about it here")).toBeVisible();
    await expect(
      page.getByText("The text in pictures is read, because no model looks at them."),
    ).toBeVisible();
    await page.evaluate(wouldOpen);
    await expect(page.getByRole("list", { name: "Attached" }).getByText("plan.png")).toBeVisible();
    await expect(page.getByRole("img", { name: "plan.png" })).toHaveCount(0);
    await expect.poll(() => gateway.chat.files.map(({ title }) => title)).toEqual(["plan.png"]);
  });
});
