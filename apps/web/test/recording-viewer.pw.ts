import { makeWave } from "@carrel/testing";
import type { Locator, Page } from "@playwright/test";
import { expectAccessible } from "./accessibility.ts";
import { inWorkspace, open, slug } from "./documents-page.ts";
import { expect, test } from "./fixtures.ts";
import { minutePassage, minuteSentence, recording } from "./make-recording.ts";
import { openCited } from "./open-cited.ts";
import { cite } from "./originals.ts";
import { guard } from "./page-guard.ts";

const player = (page: Page): Locator => page.getByLabel("Player: Site meeting.wav");
const timeOf = (page: Page): Promise<number> =>
  player(page).evaluate((media: HTMLMediaElement) => media.currentTime);
const isPaused = (page: Page): Promise<boolean> =>
  player(page).evaluate((media: HTMLMediaElement) => media.paused);
const panel = (page: Page): Locator => page.getByRole("complementary", { name: "Source" });

test("a citation opens the player at its second, with the passage marked", async ({
  page,
  gateway,
}) => {
  cite(gateway, recording(), minutePassage);
  const { check } = await guard(page, gateway);
  await openCited(page, gateway, `${minuteSentence} [3]`);
  await expect.poll(() => timeOf(page)).toBe(182);
  expect(await isPaused(page)).toBe(true);
  const hit = panel(page).locator(".text-hit");
  await expect(hit).toHaveText(minuteSentence);
  await expect(hit).toBeInViewport();
  await expect(panel(page).locator(".text-passage").first()).toBeVisible();
  await expect(panel(page).locator(".edge-bar")).toHaveText("3");
  // In the header and in the footer, instead of a page.
  await expect(panel(page).getByRole("paragraph").filter({ hasText: "00:03:02 ·" })).toBeVisible();
  await expect(panel(page).getByText("00:03:02 / 00:10:00")).toBeVisible();
  await check();
});

test("a citation of a video's transcript opens the video at its second", async ({
  page,
  gateway,
}) => {
  const video = "https://www.youtube.com/watch?v=video000001";
  const transcript = { title: "Site meeting", mime: "text/vtt", sourceUrl: `${video}&t=122s` };
  cite(gateway, { ...recording(), ...transcript }, minutePassage);
  const { check } = await guard(page, gateway);
  await openCited(page, gateway, `${minuteSentence} [3]`);
  // Of the sentence, which is said later than its passage begins.
  const link = panel(page).getByRole("link", { name: "Open the video at 00:03:02" });
  await expect(link).toHaveAttribute("href", `${video}&t=182s`);
  await expect(link).toHaveAttribute("target", "_blank");
  await expect(link).toHaveAttribute("rel", "noopener noreferrer");
  await expect(panel(page).getByRole("paragraph").filter({ hasText: "00:03:02 ·" })).toBeVisible();
  await expectAccessible(page);
  await check();
});

test("a time stamp plays from there, by mouse and keyboard, and its part is marked", async ({
  page,
  gateway,
}) => {
  cite(gateway, recording(), minutePassage);
  await openCited(page, gateway, `${minuteSentence} [3]`);
  await expect.poll(() => timeOf(page)).toBe(182);
  await expect(panel(page).locator("[aria-current]")).toHaveCount(0);
  await page.getByRole("button", { name: "Play from 00:04:02" }).click();
  await expect.poll(() => isPaused(page)).toBe(false);
  await expect.poll(() => timeOf(page)).toBeGreaterThan(242);
  await expect(panel(page).locator("[aria-current]")).toContainText("00:04:02");
  await page.getByRole("button", { name: "Play from 00:01:02" }).focus();
  await page.keyboard.press("Enter");
  await expect.poll(() => timeOf(page)).toBeLessThan(100);
  await expect.poll(() => timeOf(page)).toBeGreaterThan(62);
  await page.getByRole("button", { name: "Next part" }).click();
  await expect.poll(() => timeOf(page)).toBeGreaterThan(122);
  await expect(panel(page).locator("[aria-current]")).toContainText("00:02:02");
  await page.getByRole("button", { name: "Playback speed: 1×" }).click();
  await expect(page.getByRole("button", { name: "Playback speed: 1.25×" })).toBeVisible();
  expect(await player(page).evaluate((media: HTMLMediaElement) => media.playbackRate)).toBe(1.25);
});

test("an expired address is renewed, and playback continues", async ({ page, gateway }) => {
  cite(gateway, recording(), minutePassage);
  gateway.expiredAddresses = 1;
  await openCited(page, gateway, `${minuteSentence} [3]`);
  await expect.poll(() => timeOf(page)).toBe(182);
  await page.getByRole("button", { name: "Play from 00:03:02" }).click();
  await expect.poll(() => timeOf(page)).toBeGreaterThan(182);
});

test("an address that expires while a long recording plays is renewed", async ({
  page,
  gateway,
}) => {
  cite(gateway, { ...recording(), bytes: makeWave(7_200) }, minutePassage);
  await openCited(page, gateway, `${minuteSentence} [3]`);
  await expect.poll(() => timeOf(page)).toBe(182);
  await page.getByRole("button", { name: "Play from 00:03:02" }).click();
  await expect.poll(() => timeOf(page)).toBeGreaterThan(182);
  gateway.expiredAddresses = 1;
  await player(page).evaluate((media: HTMLMediaElement) => {
    media.currentTime = 7_000;
  });
  await expect.poll(() => gateway.expiredAddresses).toBe(0);
  await expect.poll(() => timeOf(page)).toBeGreaterThan(7_000);
  await expect(panel(page).getByText("/ 02:00:00")).toBeVisible();
});

test("a recording opened from the list of documents starts at its beginning", async ({
  page,
  gateway,
}) => {
  const shown = gateway.documents[slug]!;
  const { title, mime } = recording();
  shown[0] = { ...shown[0]!, title, mime, kind: "audio", state: "embedded" };
  gateway.originals[shown[0].documentId] = recording();
  await open(page);
  await inWorkspace(page, title).getByText(title).click();
  await expect(page.getByRole("button", { name: "Play from 00:00:00" })).toBeVisible();
  await expect.poll(() => timeOf(page)).toBe(0);
  await expect(page.locator(".text-hit")).toHaveCount(0);
  await expect(page.getByText("Transcript", { exact: true })).toBeVisible();
});

test("a recording that the browser can't play keeps its transcript", async ({ page, gateway }) => {
  cite(gateway, { ...recording(), bytes: Buffer.from("no sound") }, minutePassage);
  await openCited(page, gateway, `${minuteSentence} [3]`);
  await expect(page.getByText("Couldn't play the recording.")).toBeVisible();
  await expect(panel(page).locator(".text-hit")).toHaveText(minuteSentence);
  await expect(panel(page).getByText("00:03:02", { exact: true })).toBeVisible();
  await expect(page.getByRole("button", { name: /^Play from/ })).toHaveCount(0);
});

test("without words in common with the answer, the whole passage is marked", async ({
  page,
  gateway,
}) => {
  cite(gateway, recording(), minutePassage);
  await openCited(page, gateway, "It is [3].");
  await expect(panel(page).locator(".text-hit")).toHaveCount(2);
  await expect.poll(() => timeOf(page)).toBe(182);
});

test("the list of documents says that a recording is being transcribed", async ({
  page,
  gateway,
}) => {
  const shown = gateway.documents[slug]!;
  shown[0] = {
    ...shown[0]!,
    title: "Site meeting.mp3",
    mime: "audio/mpeg",
    kind: "audio",
    state: "parsing",
    progress: 0,
  };
  await open(page);
  const row = inWorkspace(page, "Site meeting.mp3");
  await expect(row.getByText("Transcribing")).toBeVisible();
  await expect(row.getByText("MP3", { exact: true })).toBeVisible();
});
