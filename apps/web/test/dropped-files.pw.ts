import { expectAccessible } from "./accessibility.ts";
import { signedIn } from "./account-screens.ts";
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
  const dragOver = () => {
    const data = new DataTransfer();
    data.items.add(new File(["x"], "plan.png", { type: "image/png" }));
    document.body.dispatchEvent(
      new DragEvent("dragenter", { dataTransfer: data, bubbles: true, cancelable: true }),
    );
  };
  test("on the home page starts the first workspace with it", async ({ page, gateway }) => {
    gateway.workspaces = [];
    await page.goto("/");
    await expect(page.getByText("Create your first workspace")).toBeVisible();
    await page.evaluate(dragOver);
    await expect(page.getByText("Drop to create your first workspace")).toBeVisible();
    expect(await page.evaluate(wouldOpen)).toEqual([false, false]);
    await page.waitForURL("**/workspace/plan");
    await expect.poll(() => gateway.library.uploads.map(({ name }) => name)).toEqual(["plan.png"]);
  });
  test("on the settings goes to the library, and the page stays open", async ({
    page,
    gateway,
  }) => {
    const known = page.waitForResponse("**/api/workspaces");
    await page.goto("/settings/llm-preference");
    await expect(page.getByText("Quotes, not generated text.")).toBeVisible();
    await known;
    await settled(page);
    await page.evaluate(dragOver);
    await expect(page.getByText("Drop to add to My documents")).toBeVisible();
    expect(await page.evaluate(wouldOpen)).toEqual([false, false]);
    await expect(page.getByText("Uploading 1 file to My documents.")).toBeVisible();
    await expect
      .poll(() => gateway.library.uploads.map(({ path }) => path))
      .toEqual([expect.stringMatching(/\/upload$/)]);
    await expect(page).toHaveURL(/\/settings\/llm-preference$/);
    await expect(page.getByText("Drop to add to My documents")).toHaveCount(0);
  });
  test("isn't opened by the browser where someone may not add it", async ({ page, gateway }) => {
    gateway.workspaces = [];
    gateway.accounts.add("jo", "default");
    await signedIn(page, gateway, "jo");
    await page.goto("/");
    await expect(page.getByText("You aren't in a workspace yet")).toBeVisible();
    expect(await page.evaluate(wouldOpen)).toEqual([false, false]);
  });
  test("that is a picture becomes a document if the thread's model can't see it", async ({
    page,
    gateway,
  }) => {
    gateway.workspaceSettings.blind = ["llama3.2"];
    await page.goto(threadPath);
    await expect(page.getByRole("button", { name: "Model: llama3.2" })).toBeVisible();
    await page.evaluate(dragOver);
    await expect(page.getByText("Drop to ask about it here")).toBeVisible();
    await expect(
      page.getByText("llama3.2 can't see images, so their text is added as documents."),
    ).toBeVisible();
    await page.evaluate(wouldOpen);
    await expect(page.getByRole("list", { name: "Attached" }).getByText("plan.png")).toBeVisible();
    await expect(page.getByRole("img", { name: "plan.png" })).toHaveCount(0);
    await expect.poll(() => gateway.chat.files.map(({ title }) => title)).toEqual(["plan.png"]);
  });
  test("that is a picture is attached if the model sees it, until another is chosen", async ({
    page,
    gateway,
  }) => {
    gateway.workspaceSettings.blind = ["qwen3:8b"];
    await page.goto(threadPath);
    const picker = page.getByRole("button", { name: "Model: llama3.2" });
    await expect(picker).toBeVisible();
    await page.evaluate(dragOver);
    await expect(page.getByText("Images go with your next question.")).toBeVisible();
    await page.evaluate(wouldOpen);
    await expect(page.getByRole("img", { name: "plan.png" })).toBeVisible();
    await picker.click();
    await page.getByRole("option", { name: "Qwen 3 8B" }).click();
    await expect(page.getByText("qwen3:8b can't see this image")).toBeVisible();
    await expectAccessible(page);
    await page.getByRole("button", { name: "Attach the text" }).click();
    await expect(page.getByRole("list", { name: "Attached" }).getByText("plan.png")).toBeVisible();
    await expect(page.getByRole("img", { name: "plan.png" })).toHaveCount(0);
    await expect(page.getByText("can't see this image")).toHaveCount(0);
    await expect.poll(() => gateway.chat.files.map(({ title }) => title)).toEqual(["plan.png"]);
  });
});
