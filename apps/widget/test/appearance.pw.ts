import { expect, phone, test } from "./fixtures.ts";

test("the defaults of its attributes", async ({ page, widget }) => {
  await widget.open();
  await expect(widget.button).toHaveCSS("background-color", "rgb(38, 38, 38)");
  await expect(widget.answers).toHaveCSS("background-color", "rgb(37, 99, 235)");
  await expect(widget.button).toHaveCSS("bottom", "20px");
  await expect(widget.button).toHaveCSS("right", "20px");
  await widget.ask("Hello");
  await expect(page.locator(".user .bubble")).toHaveCSS("background-color", "rgb(44, 47, 53)");
  await expect(page.locator(".sponsor")).toHaveCount(0);
});

test("its attributes", async ({ page, site, widget }) => {
  site.attributes = {
    "data-button-color": "#ffcc00",
    "data-user-bg-color": "rebeccapurple",
    "data-assistant-bg-color": "#eeeeee",
    "data-position": "top-left",
    "data-assistant-name": "Hedda",
    "data-assistant-icon": "data:image/gif;base64,R0lGODlhAQABAAAAACw=",
    "data-brand-image-url": "data:image/gif;base64,R0lGODlhAQABAAAAACw=",
    "data-window-width": "500",
    "data-window-height": "50vh",
    "data-text-size": "18",
    "data-send-message-text": "Ask Hedda",
    "data-reset-chat-text": "Start over",
    "data-support-email": "help@example.org",
    "data-sponsor-text": "By Northern Heat",
    "data-sponsor-link": "https://example.org/",
    "data-show-thoughts": "true",
    "data-chat-icon": "support",
  };
  await widget.visit();
  await widget.button.click();
  await expect(widget.button).toHaveCSS("top", "20px");
  await expect(widget.button).toHaveCSS("left", "20px");
  // Dark text on a light colour.
  await expect(widget.button).toHaveCSS("color", "rgb(26, 25, 23)");
  await expect(widget.answers.first()).toHaveCSS("color", "rgb(26, 25, 23)");
  await expect(widget.answers.first()).toHaveCSS("font-size", "18px");
  await expect(page.getByRole("dialog", { name: "Hedda" })).toHaveCSS("width", "500px");
  await expect(widget.dialog).toHaveCSS("height", "450px");
  await expect(page.locator(".avatar, .brand")).toHaveCount(2);
  await expect(page.getByRole("link", { name: "Email support" })).toHaveAttribute(
    "href",
    "mailto:help@example.org",
  );
  await expect(page.getByRole("link", { name: "By Northern Heat" })).toHaveAttribute(
    "href",
    "https://example.org/",
  );
  await page.getByLabel("Ask Hedda").fill("Hello");
  await page.keyboard.press("Enter");
  await expect(page.locator(".user .bubble")).toHaveCSS("background-color", "rgb(102, 51, 153)");
  await expect(page.getByRole("button", { name: "Start over" })).toBeVisible();
});

test("thoughts only where they may be shown", async ({ page, gateway, site, widget }) => {
  gateway.parts = ["<think>Hm, a riddle.</think>", "Forty-two."];
  await widget.open();
  await widget.ask("What is it?");
  await expect(widget.answers.last()).toHaveText("Forty-two.");
  site.attributes = { "data-show-thoughts": "true", "data-no-header": "true" };
  await page.reload();
  await widget.answers.last().getByText("Reasoning").click();
  await expect(widget.answers.last()).toContainText("Hm, a riddle.");
  await expect(page.getByRole("heading")).toHaveCount(1); // the page's own
});

test("the page's language, from right to left", async ({ page, site, widget }) => {
  site.lang = "he-IL";
  await widget.visit();
  await page.getByRole("button", { name: "פתיחת הצ׳אט" }).click();
  await expect(page.getByLabel("כתיבת הודעה")).toBeFocused();
  await expect(page.locator(".root")).toHaveCSS("direction", "rtl");
  // The corner towards the speaker, whatever the text's own direction.
  await expect(widget.answers.first()).toHaveCSS("border-bottom-right-radius", "5px");
  await expect(page.locator(".send")).toHaveAccessibleName("שליחת ההודעה");
  site.attributes = { "data-language": "de" };
  await page.reload();
  await expect(page.getByLabel("Nachricht schreiben")).toBeVisible();
  // The choice also applies to pages whose tag doesn't repeat it.
  site.attributes = {};
  await page.reload();
  await expect(page.getByLabel("Nachricht schreiben")).toBeVisible();
});

test("the page keeps its own look, and the widget its own", async ({ page, site, widget }) => {
  site.body = "<main><h1>Title</h1><button>Buy</button><p class='message user'>Text</p></main>";
  const look = (): Promise<string> =>
    page.evaluate(() =>
      ["html", "body", "h1", "button", "p"]
        .map((name) => {
          const element = document.querySelector(name)!;
          return JSON.stringify([
            getComputedStyle(element).cssText,
            element.getBoundingClientRect(),
          ]);
        })
        .join(),
    );
  await page.route("**/carrel-widget.js", (route) => route.fulfill({ body: "" }));
  await widget.visit();
  const before = await look();
  await page.unroute("**/carrel-widget.js");
  await widget.open();
  expect(await look()).toBe(before);
  expect(await page.evaluate(() => document.styleSheets.length)).toBe(0);
});

test("fills the page or the element that its script is in", async ({ page, site, widget }) => {
  site.attributes = { "data-mode": "page" };
  await widget.visit();
  const box = (): Promise<unknown> => page.locator(".panel").boundingBox();
  await expect.poll(box).toEqual({ x: 0, y: 0, width: 1440, height: 900 });
  site.body = "<main><h1>Chat</h1><div>";
  await widget.visit("/other");
  await expect.poll(box).toMatchObject({ x: 8, width: 1424, height: 320 });
  await expect(page.getByRole("region", { name: "Assistant" })).toBeVisible();
  await expect(widget.field).toHaveCSS("height", "31px");
  await expect(widget.button).toHaveCount(0);
  await widget.ask("Hello");
  await expect(widget.answers.last()).toHaveText("Heat pumps like low flow temperatures.");
  await expect(page.getByRole("button", { name: "Close chat" })).toHaveCount(0);
});

test.describe("on a phone", () => {
  test.use(phone);
  test("covers the screen, and only while it is wanted", async ({ page, widget }) => {
    await widget.open();
    await expect
      .poll(() => widget.dialog.boundingBox())
      .toEqual({ x: 0, y: 0, width: 390, height: 844 });
    await page.getByRole("link", { name: "delivery" }).evaluate((link) => link.focus());
    await expect(page.getByRole("link", { name: "delivery" })).not.toBeFocused(); // inert
    await page.keyboard.press("Escape");
    await expect(widget.dialog).toHaveCount(0);
    await widget.button.click();
    await expect(widget.dialog).toBeVisible();
    await page.reload();
    await expect(widget.dialog).toBeVisible();
    await widget.visit("/other");
    await expect(widget.button).toBeVisible();
    await expect(widget.dialog).toHaveCount(0);
  });
});
