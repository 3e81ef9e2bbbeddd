import type { Locator, Page } from "@playwright/test";
import { expectScreensAccessible } from "./accessibility.ts";
import { signedIn } from "./account-screens.ts";
import { admin, dialog, go, menu, row } from "./admin-page.ts";
import { expect, phone, test } from "./fixtures.ts";

test.describe("admin screens", () => {
  const pages: [string, string, string, ((page: Page) => Promise<void>)?][] = [
    ["language model", "/settings/llm-preference", "Quotes, not generated text."],
    ["embedding", "/settings/embedding-preference", "Stays with you:"],
    ["vector database", "/settings/vector-database", "Stays with you:"],
    ["reading aloud", "/settings/audio-preference", "reads with the voices of their device"],
    [
      "a voice",
      "/settings/audio-preference",
      "reads with the voices of their device",
      async (page) => {
        await page.getByRole("button", { name: "ElevenLabs" }).click();
        await expect(page.getByText("each answer that someone listens to.")).toBeVisible();
      },
    ],
    [
      "dictation",
      "/settings/audio-preference",
      "reads with the voices of their device",
      async (page) => {
        await page.getByRole("radio", { name: "Dictation" }).click();
        await expect(page.getByText("recognizes what they say")).toBeVisible();
      },
    ],
    ["transcription", "/settings/transcription-preference", "Stays with you:"],
    ["text splitting", "/settings/text-splitter-preference", "Passage overlap, in characters"],
    ["system prompt", "/settings/default-system-prompt", "Insert a variable"],
    ["users", "/settings/users", "jo-brandt"],
    [
      "the form of a user",
      "/settings/users",
      "jo-brandt",
      async (page) => {
        await page.getByRole("button", { name: "Add user" }).click();
        await dialog(page).getByRole("button", { name: "Add user" }).click();
        await expect(dialog(page).getByRole("alert").first()).toBeVisible();
      },
    ],
    ["invites", "/settings/invites", "by jo-brandt"],
    [
      "an invite",
      "/settings/invites",
      "by jo-brandt",
      async (page) => {
        await page.getByRole("button", { name: "Create invite" }).click();
        await expect(dialog(page).getByRole("checkbox").first()).toBeVisible();
      },
    ],
    [
      "members",
      "/settings/workspaces",
      "Tenant handbook",
      (page) => menu(page, "Tenant handbook", "Members"),
    ],
    ["scheduled work", "/settings/scheduled-work", "Let people schedule work"],
    ["security", "/settings/security", "This instance has user accounts."],
    [
      "API keys",
      "/settings/api-keys",
      "Nightly import",
      async (page) => {
        await page.getByRole("button", { name: "Create key" }).click();
        await expect(dialog(page).getByLabel("Name")).toBeFocused();
        await page.keyboard.press("Enter");
        await expect(dialog(page).getByLabel("API key")).toBeVisible();
      },
    ],
    [
      "a webhook",
      "/settings/webhooks",
      "Build server",
      async (page) => {
        await page.getByRole("button", { name: "Add webhook" }).click();
        await dialog(page).getByRole("radio", { name: "Only these" }).click();
        await expect(dialog(page).getByRole("checkbox").last()).toBeVisible();
      },
    ],
    [
      "deliveries",
      "/settings/webhooks",
      "Build server",
      async (page) => {
        await menu(page, "Build server", "Deliveries");
        await dialog(page).getByRole("button", { name: "Answer finished" }).click();
        await expect(dialog(page).getByText("upstream unavailable")).toBeVisible();
      },
    ],
    ["chat widgets", "/settings/embed-chat-widgets", "Help desk"],
    [
      "a chat widget",
      "/settings/embed-chat-widgets?widget=1",
      "Where it works",
      async (page) => {
        await page.getByRole("radio", { name: "Any site" }).click();
        await page.getByLabel("Limit: All visitors").fill("0");
        await page.getByRole("button", { name: "Save changes" }).click();
        await expect(page.getByText("Enter a whole number from 1").first()).toBeVisible();
      },
    ],
    [
      "the snippet of a widget",
      "/settings/embed-chat-widgets",
      "Help desk",
      (page) => menu(page, "Help desk", "Add to a site"),
    ],
    [
      "the usage of a widget",
      "/settings/embed-chat-widgets",
      "Help desk",
      async (page) => {
        await menu(page, "Help desk", "Usage");
        await expect(dialog(page).getByRole("row")).toHaveCount(3);
      },
    ],
    [
      "chats of visitors",
      "/settings/embed-chats?widget=1",
      "Ada Visitor",
      async (page) => {
        await page.getByRole("button", { name: "Visit 1:" }).click();
        await expect(page.getByText("From 9 to 17 [2].")).toBeVisible();
      },
    ],
    [
      "limits of an API key",
      "/settings/api-keys",
      "Nightly import",
      async (page) => {
        await menu(page, "Nightly import", "Edit");
        await dialog(page).getByLabel("Expiration").selectOption("Choose a date");
        await dialog(page).getByRole("button", { name: "Save changes" }).click();
        await expect(dialog(page).getByText("Choose today or a later date.")).toBeVisible();
      },
    ],
    ["extension keys", "/settings/browser-extension", "***7QKX"],
    [
      "event log",
      "/settings/event-logs",
      "1 to 10 of 14",
      async (page) => {
        await page.getByRole("button", { name: "User changed" }).click();
        await page.getByRole("button", { name: "Verify" }).click();
        await expect(page.getByText("are intact")).toBeVisible();
      },
    ],
    [
      "integrity of the event log",
      "/settings/event-logs?userId=1",
      "1 to 4 of 4",
      async (page) => {
        await page.getByRole("button", { name: "Integrity and retention" }).click();
        await expect(dialog(page).getByLabel("Keep entries")).toBeVisible();
      },
    ],
  ];
  /** Two, so that both workers have one. */
  for (const half of [0, 1])
    test(`are accessible and fit (${half + 1} of 2)`, async ({ page, gateway }) => {
      await go(page, gateway, admin, "/settings/llm-preference");
      const screens = pages
        .filter((_, index) => index % 2 === half)
        .map(([name, path, text, then]) => {
          const open = async (): Promise<void> => {
            await page.goto(path);
            await expect(page.getByRole("main").getByText(text).first()).toBeVisible();
            await then?.(page);
          };
          return [name, open] as const;
        });
      await expectScreensAccessible(page, screens, { minor: true });
    });
  for (const [size, options, edge] of [
    ["wide", {}, null],
    ["phone", phone, 16],
  ] as const)
    test.describe(size, () => {
      test.use(options);
      test(`start at the same edge while they are empty (${size})`, async ({ page, gateway }) => {
        await signedIn(page, gateway, admin);
        const startOf = async (part: Locator): Promise<number> =>
          part.evaluate((element) => {
            const text = document.createRange();
            text.selectNodeContents(element);
            return Math.round(text.getBoundingClientRect().left);
          });
        for (const [path, title] of [
          ["api-keys", "No API keys yet"],
          ["browser-extension", "No browsers connected"],
          ["shared-links", "No shared links"],
        ] as const) {
          await page.goto(`/settings/${path}`);
          const empty = page.getByRole("heading", { name: title, exact: true });
          await expect(empty).toBeVisible();
          const expected = edge ?? (await startOf(page.getByRole("heading", { level: 1 })));
          const card = (await empty.locator("..").boundingBox())!;
          expect(Math.round(card.x)).toBe(expected);
          if (path === "api-keys")
            expect(await startOf(page.getByRole("link", { name: "API documentation" }))).toBe(
              expected,
            );
        }
      });
    });
  test("works by keyboard: adds a user without a mouse", async ({ page, gateway }) => {
    await go(page, gateway, admin, "/settings/users");
    await expect(page.getByText("jo-brandt")).toBeVisible();
    await page.getByLabel("Search users").focus();
    await page.keyboard.press("Tab");
    await page.keyboard.press("Enter");
    await expect(dialog(page).getByLabel("Username")).toBeFocused();
    await page.keyboard.type("by_keys");
    await page.keyboard.press("Tab");
    await page.keyboard.type("longenough");
    await page.keyboard.press("Enter");
    await expect(row(page, "by_keys")).toBeVisible();
    const back = async (label: string): Promise<void> => {
      await page.waitForFunction(
        (wanted) =>
          (document.activeElement?.getAttribute("aria-label") ??
            document.activeElement?.textContent) === wanted,
        label,
      );
    };
    await back("Add user");
    // A dialog opened from a menu returns focus to the menu's button, the second of two dialogs to
    // the first one's opener.
    await page.getByRole("button", { name: "Menu for by_keys" }).focus();
    await page.keyboard.press("Enter");
    await expect(page.getByRole("menuitem", { name: "Edit" })).toBeVisible();
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("Enter");
    await expect(dialog(page).getByText("Edit by_keys")).toBeVisible();
    await page.keyboard.press("Escape");
    await back("Menu for by_keys");
    await page.goto("/settings/api-keys");
    await page.getByRole("button", { name: "Create key" }).focus();
    await page.keyboard.press("Enter");
    await expect(dialog(page).getByLabel("Name")).toBeFocused();
    await page.keyboard.press("Enter");
    await expect(dialog(page).getByLabel("API key")).toBeFocused();
    await page.keyboard.press("Tab");
    await page.keyboard.press("Tab");
    await expect(dialog(page).getByRole("button", { name: "Done" })).toBeFocused();
    await page.keyboard.press("Enter");
    await expect(dialog(page)).toHaveCount(0);
    await back("Create key");
  });
});
