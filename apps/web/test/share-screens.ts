import type { SharedTurn } from "@carrel/contracts";
import { settled } from "@carrel/testing";
import type { Page } from "@playwright/test";
import { markdownAnswer, sources } from "./fake-data.ts";
import type { FakeGateway } from "./fake-gateway.ts";

type Draw = (page: Page, gateway: FakeGateway, phone: boolean) => Promise<void>;
const inDays = (days: number): string => new Date(Date.now() + days * 86_400_000).toISOString();

const sharedTurns = (): SharedTurn[] => [
  {
    question: "What flow temperature should we design for in the 1970s blocks?",
    answer: markdownAnswer,
    sentAt: "2026-11-20T09:12:00.000Z",
    model: "gpt-4.1-nano",
    sources: sources().map(({ title, page, headingPath, text }, index) => ({
      number: index + 1,
      title,
      page,
      heading: headingPath.at(-1),
      text,
    })),
  },
  {
    question: "And at night?",
    answer: "The documents don't say.",
    sentAt: "2026-11-20T09:14:00.000Z",
    model: null,
    sources: [],
  },
];
/** A link for anyone, with two turns: its address. */
export function fillShared({ shares }: FakeGateway): string {
  shares.shared["token-of-link"] = {
    name: "Flow temperature, blocks",
    turns: sharedTurns(),
    audience: "anyone",
  };
  return "/share/token-of-link";
}
export async function openShareDialog(page: Page, gateway: FakeGateway): Promise<void> {
  await page.goto(`${gateway.url}/workspace/heat-pump-retrofit/t/flow`);
  await page.getByRole("button", { name: "Thread menu" }).click();
  await page.getByRole("menuitem", { name: "Share" }).click();
  await page.getByRole("dialog", { name: "Share conversation" }).getByLabel("Expires").waitFor();
}
const dialog =
  (fill: (gateway: FakeGateway) => void, then?: (page: Page) => Promise<void>): Draw =>
  async (page, gateway) => {
    fill(gateway);
    await openShareDialog(page, gateway);
    await then?.(page);
    await settled(page);
  };

/** Screenshots of share links: the dialog, the public page and the settings page. */
export const shareScreens: Record<string, Draw> = {
  "share-new": dialog(() => undefined),
  "share-created": dialog(
    () => undefined,
    async (page) => {
      await page.getByRole("button", { name: "Create link" }).click();
      await page.getByText("Copy the link now").waitFor();
    },
  ),
  "share-existing": dialog(({ shares }) =>
    shares.add("flow", "Flow temperature, blocks", { expiresAt: inDays(7), isCurrent: false }),
  ),
  "share-page": async (page, gateway) => {
    await page.goto(gateway.url + fillShared(gateway));
    await page.getByRole("heading", { name: "Design for 48 °C" }).waitFor();
    await page
      .getByRole("button", { name: /^Source 1/ })
      .first()
      .click();
    await settled(page);
  },
  "share-gone": async (page, gateway) => {
    gateway.password = "secret";
    await page.goto(`${gateway.url}/share/unknown`);
    await page.getByRole("link", { name: "Sign in" }).waitFor();
    await settled(page);
  },
  "shared-links": async (page, gateway) => {
    const { shares } = gateway;
    shares.add("flow", "Flow temperature, blocks", { expiresAt: inDays(7), owner: "mira" });
    shares.add("night", "Night tariff operation", { audience: "anyone", owner: "jo-brandt" });
    shares.add(null, "Thread", { isExpired: true, expiresAt: inDays(-1), workspace: null });
    await page.goto(`${gateway.url}/settings/shared-links`);
    await page.getByText("Default thread").waitFor();
    await settled(page);
  },
  "shared-links-empty": async (page, gateway) => {
    await page.goto(`${gateway.url}/settings/shared-links`);
    await page.getByText("No shared links").waitFor();
    await settled(page);
  },
};
