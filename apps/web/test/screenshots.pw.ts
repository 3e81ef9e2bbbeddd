import { languages } from "@carrel/contracts/languages";
import type { Page } from "@playwright/test";
import { admin, go } from "./admin-page.ts";
import { closestAnswer, quoteMetrics, sources } from "./fake-data.ts";
import type { FakeGateway } from "./fake-gateway.ts";
import { ask, expect, settled, test, threadPath } from "./fixtures.ts";
import { openShareDialog } from "./share-screens.ts";
import { showIn } from "./text-fit.ts";

const slug = "heat-pump-retrofit";
const now = new Date("2026-01-15T10:00:00Z");

/** Opens a main screen, and waits for its last element to appear. */
const screens: Record<string, (page: Page, gateway: FakeGateway) => Promise<void>> = {
  home: async (page, gateway) => {
    gateway.workspaces = [];
    await page.goto("/");
    await expect(page.getByText("Create your first workspace")).toBeVisible();
  },
  chat: async (page, gateway) => {
    gateway.pace = 1;
    await page.goto(threadPath);
    await ask(page, "Which radiators have to be replaced?");
    await expect(page.getByText("412 tokens")).toBeVisible();
    await expect(page.getByRole("button", { name: /^Source 1/ }).first()).toBeVisible();
  },
  citation: async (page, gateway) => {
    gateway.pace = 1;
    await page.goto(threadPath);
    await ask(page, "Which radiators have to be replaced?");
    await expect(page.getByText("412 tokens")).toBeVisible();
    await page
      .getByRole("button", { name: /^Source 1/ })
      .first()
      .hover();
    await expect(page.locator("[data-citation-preview]")).toBeVisible();
  },
  closest: async (page, gateway) => {
    gateway.addTurn(slug, "flow", {
      question: "Who balances the risers?",
      answer: closestAnswer,
      sources: sources().slice(0, 3),
      metrics: quoteMetrics("closest-passages"),
      sentAt: now.getTime() / 1000,
    });
    await page.goto(threadPath);
    await expect(page.getByRole("region", { name: "Closest passages" })).toBeVisible();
  },
  models: async (page) => {
    await page.goto(threadPath);
    await page.getByRole("button", { name: /^Model: / }).click();
    await expect(page.getByRole("listbox").getByRole("option").first()).toBeVisible();
  },
  share: async (page, gateway) => {
    gateway.addTurn(slug, "flow", {
      question: "Why?",
      answer: "It is so.",
      sentAt: now.getTime() / 1000,
    });
    await openShareDialog(page, gateway);
  },
  documents: async (page, gateway) => {
    for (const document of gateway.documents[slug]!)
      document.addedAt = new Date(now.getTime() - 86_400_000).toISOString();
    await page.goto(`/workspace/${slug}/documents`);
    await expect(page.getByText("Retrofit survey 2024.pdf")).toBeVisible();
  },
  settings: async (page) => {
    await page.goto("/settings/llm-preference");
    await expect(page.getByText("Quotes, not generated text.")).toBeVisible();
  },
  voice: async (page) => {
    await page.goto("/settings/audio-preference");
    await expect(page.getByText("reads with the voices of their device")).toBeVisible();
  },
  usage: async (page, gateway) => {
    await go(page, gateway, admin, "/settings/usage?from=2026-01-01&to=2026-01-15");
    await expect(page.getByText("0.6s")).toBeVisible();
    await expect(page.locator(".recharts-bar-rectangle").first()).toBeVisible();
  },
  "sign-in": async (page, gateway) => {
    gateway.password = "longenough";
    await page.goto("/");
    await expect(page.getByLabel("Password", { exact: true })).toBeVisible();
  },
};

/**
 * `CARREL_SCREENS=all` or `CARREL_SCREENS=de,ar` draws the main screens in these languages into
 * .cache/screens, for people to look at.
 */
const drawn = (process.env.CARREL_SCREENS ?? "").split(",").filter(Boolean);
const drawnLanguages = languages.filter((each) => drawn.includes("all") || drawn.includes(each));

/** Open where the pointer is, so they are opened once for each size. */
const pointed = ["citation", "models"];
type Size = readonly [name: string, viewport: { width: number; height: number }];
const wide: Size = ["wide", { width: 1280, height: 800 }];
const narrow: Size = ["phone", { width: 390, height: 844 }];

test.use({ timezoneId: "UTC" });
const drawnScreens: typeof screens = {
  ...screens,
  wizard: async (page) => {
    await page.goto("/onboarding");
    await expect(page.getByRole("button", { name: "Start without a key" })).toBeVisible();
  },
};
if (drawnLanguages.length > 0)
  for (const [name, open] of Object.entries(drawnScreens))
    test(`is drawn in all languages: ${name}`, async ({ page, gateway }) => {
      test.setTimeout(test.info().timeout * (1 + drawnLanguages.length / 2));
      await page.clock.setFixedTime(now);
      await page.setViewportSize(wide[1]);
      await open(page, gateway);
      for (const language of drawnLanguages) {
        await showIn(page, language);
        for (const [size, viewport] of pointed.includes(name) ? [wide] : [wide, narrow]) {
          await page.setViewportSize(viewport);
          await page.emulateMedia({ colorScheme: size === "wide" ? "dark" : "light" });
          await settled(page);
          await page.screenshot({ path: `.cache/screens/${language}/${name}-${size}.png` });
        }
        await page.setViewportSize(wide[1]);
      }
    });
for (const [name, open] of Object.entries(screens))
  for (const sizes of pointed.includes(name) ? [[wide], [narrow]] : [[wide, narrow]])
    test(`looks as before in both themes: ${name} (${sizes.map(([size]) => size).join(", ")})`, async ({
      page,
      gateway,
    }) => {
      await page.clock.setFixedTime(now);
      await page.setViewportSize(sizes[0]![1]);
      await open(page, gateway);
      await page.evaluate(() => document.fonts.ready);
      // Resized instead of loaded again: the app adapts through media queries alone.
      for (const [size, viewport] of sizes) {
        await page.setViewportSize(viewport);
        for (const colorScheme of ["dark", "light"] as const) {
          await page.emulateMedia({ colorScheme });
          await settled(page);
          await expect.soft(page).toHaveScreenshot(`${name}-${size}-${colorScheme}.png`, {
            // Masks the answer's time and duration.
            mask: [page.locator("[data-meta]")],
          });
        }
      }
    });
