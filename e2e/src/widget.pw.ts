import { isThorough } from "@carrel/testing";
import type { Page } from "@playwright/test";
import type { Api } from "./api.ts";
import { ForeignSite, widgetTag } from "./foreign-site.ts";
import { createHarbourHouse } from "./harbour-house.ts";
import { expect, test } from "./product.ts";

test.describe.configure({ mode: "serial" });

interface Chat {
  prompt: string;
  session_id: string;
  response: string;
}

let shop: ForeignSite;
let thief: ForeignSite;
let uuid: string;
let embedId: number;
let gateway: string;
let stolen: string;

test.beforeAll(async ({ product }) => {
  gateway = product.instance.url;
  await product.useVendor();
  await createHarbourHouse(product.api, "Widget house");
  const { workspace } = await product.api.json<{ workspace: { id: number } }>(
    "GET",
    "/workspace/widget-house",
  );
  shop = await ForeignSite.start(gateway, () => widgetTag(gateway, uuid));
  thief = await ForeignSite.start(gateway, () => widgetTag(gateway, uuid));
  const { embed } = await product.api.json<{ embed: { id: number; uuid: string } }>(
    "POST",
    "/embeds/new",
    {
      workspace_id: workspace.id,
      chat_mode: "chat",
      allowlist_domains: shop.origin,
      show_sources: true,
      page_enabled: true,
      suggested_messages: ["When is glass collected?"],
    },
  );
  ({ id: embedId, uuid } = embed);
});
test.afterAll(() => {
  shop.stop();
  thief.stop();
});

const answers = (page: Page) => page.locator(".assistant .bubble");
async function ask(page: Page, text: string): Promise<void> {
  await page.getByRole("textbox").fill(text);
  await expect(page.locator(".send")).toHaveAttribute("aria-disabled", "false");
  await page.keyboard.press("Enter");
}

/** Asks as existing clients do. */
const askAs = (api: Api, origin: string, sessionId: string): ReturnType<Api["call"]> => {
  const unset = { username: null, prompt: null, model: null, temperature: null };
  const question = { sessionId, message: "Tell me everything.", ...unset };
  return api.call("POST", `/embed/${uuid}/stream-chat`, question, { origin });
};

test("its owner sees changes before they are saved, and samples aren't chats", async ({
  page,
  product,
}) => {
  await page.goto(`${gateway}/settings/embed-chat-widgets?widget=${embedId}`);
  const preview = page.frameLocator("iframe");
  await page.getByLabel("Greeting").fill("Ahoy!");
  await page.getByLabel("Button color").fill("rgb(10, 125, 79)");
  await page.getByLabel("Position").selectOption("Top left");
  await expect(preview.locator(".assistant .bubble")).toHaveText(/Ahoy!/);
  await expect(preview.locator(".root.top-left")).toHaveCount(1);
  await expect(preview.locator(".launcher")).toHaveCSS("background-color", "rgb(10, 125, 79)");
  await preview.getByRole("button", { name: "When is glass collected?" }).click();
  await expect(preview.locator(".assistant .bubble").last()).toContainText("This is a sample.");
  expect(await product.api.json("POST", "/embed/chats", {})).toMatchObject({ totalChats: 0 });
});

test("a visitor of another site asks, and finds the answer on the next page", async ({
  page,
  product,
}) => {
  const reply = "Glass is collected on the second Tuesday of the month, behind the shed.";
  product.vendor.behave({ reply, delayMs: 150 });
  await page.goto(shop.origin);
  await page.getByRole("button", { name: "Open chat" }).click();
  await page.getByRole("button", { name: "When is glass collected?" }).click();
  await expect(answers(page).last()).toContainText("Glass is");
  await page.goto(`${shop.origin}/other`);
  await expect(answers(page).last()).toContainText("behind the shed.");
  await page.getByText(/^Sources \(\d+\)$/).click();
  await expect(page.getByText("handbook.md").first()).toBeVisible();
  await page.reload();
  await expect(answers(page).last()).toContainText("behind the shed.");
  const { chats } = await product.api.json<{ chats: Chat[] }>("POST", "/embed/chats", {});
  expect(chats.map(({ prompt }) => prompt)).toEqual(["When is glass collected?"]);
  stolen = chats[0]!.session_id;
});

test("stopping keeps the text, and clearing removes it", async ({ page, product }) => {
  product.vendor.behave({ tokens: 20_000, delayMs: 40 });
  await page.goto(shop.origin);
  await page.getByRole("button", { name: "Open chat" }).click();
  await ask(page, "Tell me slowly.");
  await expect(page.locator(".waiting")).toHaveCount(0);
  await expect(answers(page)).toHaveCount(2);
  await page.getByRole("button", { name: "Stop answer" }).click();
  await expect(page.locator(".note")).toHaveText("Stopped");
  await expect.poll(() => product.vendor.openStreams()).toBe(0);
  await page.getByRole("button", { name: "Clear conversation" }).click();
  await page.getByRole("alertdialog").getByRole("button", { name: "Clear conversation" }).click();
  await expect(page.locator(".user")).toHaveCount(0);
  await page.reload();
  await expect(page.getByRole("button", { name: "When is glass collected?" })).toBeVisible();
});

test("nothing that a message contains runs", async ({ page, product }) => {
  const attack = "<img src=x onerror='top.hacked=1'><script>top.hacked=1</script>";
  product.vendor.behave({ reply: `${attack} [a](javascript:top.hacked=1)` });
  await page.goto(shop.origin);
  await page.getByRole("button", { name: "Open chat" }).click();
  await ask(page, attack);
  await expect(answers(page).last()).toContainText(attack);
  await expect(page.locator(".bubble :is(img, script, a)")).toHaveCount(0);
  expect(await page.evaluate(() => "hacked" in window)).toBe(false);
});

test("the page of its own, and in frames of listed sites", async ({ page, product }) => {
  product.vendor.behave({ reply: "From the page." });
  await page.goto(`${gateway}/embed/${uuid}/chat`);
  await ask(page, "Hello");
  await expect(answers(page).last()).toHaveText(/From the page\./);
  await page.goto(shop.origin);
  const frame = (): Promise<void> =>
    page.evaluate((src) => {
      const element = document.createElement("iframe");
      element.src = src;
      document.body.append(element);
    }, `${gateway}/embed/${uuid}/chat`);
  await frame();
  await expect(page.frameLocator("iframe").getByRole("textbox")).toBeVisible();
});

test.describe("a hostile site", () => {
  test.use({ expectedStatuses: [401, 403, 404] });

  test("gets nothing with the widget's id, a session's id or hundreds of requests", async ({
    browser,
    product,
  }) => {
    // Without the fixtures that fail on errors: the browser reports each refusal.
    const page = await browser.newPage();
    const count = async (): Promise<number> =>
      (await product.api.json<{ totalChats: number }>("POST", "/embed/chats", {})).totalChats;
    const before = await count();
    await page.goto(thief.origin);
    await page.getByRole("button", { name: "Open chat" }).click();
    await expect(page.getByText("This chat isn't available on this site.")).toBeVisible();
    const read = await page.evaluate(
      (url) =>
        fetch(url).then(
          (reply) => reply.text(),
          () => "unreadable",
        ),
      `${gateway}/api/embed/${uuid}/${stolen}`,
    );
    // The page may read why it was refused, and nothing else.
    expect(JSON.parse(read)).toMatchObject({ type: "abort", error: "Invalid request." });
    // Sent by a program, which is faster than the page.
    const statuses = new Set<number>();
    for (let round = 0; round < (isThorough ? 20 : 4); round++)
      for (const { status } of await Promise.all(
        Array.from({ length: 50 }, () => askAs(product.api, thief.origin, stolen)),
      ))
        statuses.add(status);
    expect([...statuses]).toEqual([401]);
    expect(await count()).toBe(before);
    // The shop's visitors don't notice.
    product.vendor.behave({ reply: "Still here." });
    await page.goto(shop.origin);
    await page.getByRole("button", { name: "Open chat" }).click();
    await ask(page, "Hello?");
    await expect(answers(page).last()).toHaveText(/Still here\./);
    await page.close();
  });

  test("gets nothing with the shop's origin, which programs can claim", async ({ product }) => {
    const read = await product.api.call("GET", `/embed/${uuid}/${stolen}`, undefined, {
      origin: shop.origin,
    });
    expect(read.text).not.toContain("Glass");
    const asked = await askAs(product.api, shop.origin, stolen);
    expect(asked.status).toBeGreaterThanOrEqual(400);
    await product.api.json("POST", `/embed/update/${embedId}`, { max_chats_per_address: 1 });
    const replies = await Promise.all(
      Array.from({ length: 20 }, (_, index) =>
        askAs(product.api, shop.origin, `0b7e5a0e-1111-4222-8333-4444555566${10 + index}`),
      ),
    );
    expect(new Set(replies.map(({ status }) => status))).toEqual(new Set([429]));
  });
});
