import { readFileSync } from "node:fs";
import type { Page } from "@playwright/test";
import { expectAccessibleOnAllScreens } from "./accessibility.ts";
import { button, field, open, say } from "./chat-page.ts";
import { expect, test } from "./fixtures.ts";

const tone = readFileSync(
  new URL("../../../libs/providers/test/fixtures/audio/tone.mp3", import.meta.url),
);

const refusal = {
  "carrel-error": JSON.stringify({
    code: "provider.key-rejected",
    params: { vendor: "OpenAI", status: " (401)" },
  }),
};

test.describe("the server's voice", () => {
  test.beforeEach(({ gateway }) => {
    gateway.settings.TextToSpeechProvider = "openai";
    say(gateway, ["Where?", "Behind the **shed** [1]."]);
  });
  /** Reports whether the page's audio has played. */
  const watchAudio = (page: Page) =>
    page.addInitScript(() => {
      const played: string[] = [];
      const play = Audio.prototype.play;
      Audio.prototype.play = function (this: HTMLAudioElement) {
        this.addEventListener("ended", () => played.push("ended"), { once: true });
        this.addEventListener("pause", () => played.push("paused"), { once: true });
        played.push("started");
        return play.call(this);
      };
      Object.assign(globalThis, { played });
    });
  const played = (page: Page): Promise<string[]> =>
    page.evaluate(() => (globalThis as unknown as { played: string[] }).played);

  test("reads an answer to its end", async ({ page }) => {
    await watchAudio(page);
    const asked: string[] = [];
    await page.route("**/api/workspace/*/tts/*", (route) => {
      asked.push(route.request().url());
      return route.fulfill({ body: tone, contentType: "audio/mpeg" });
    });
    await open(page, "Behind");
    await button(page, "Read aloud").click();
    await expect.poll(() => played(page)).toContain("ended");
    await expect(button(page, "Read aloud")).toBeVisible();
    expect(asked).toHaveLength(1);
    expect(asked[0]).toMatch(/\/workspace\/heat-pump-retrofit\/tts\/\d+$/);
  });

  test("is used after a reload, and falls silent when the page is left", async ({ page }) => {
    await watchAudio(page);
    await page.route("**/api/workspace/*/tts/*", (route) =>
      route.fulfill({
        body: Buffer.concat(Array.from({ length: 20 }, () => tone)),
        contentType: "audio/mpeg",
      }),
    );
    await open(page, "Behind");
    await page.reload();
    await button(page, "Read aloud").click();
    await expect.poll(() => played(page)).toContain("started");
    await page.getByRole("link", { name: "Settings", exact: true }).click();
    await expect.poll(() => played(page)).toContain("paused");
  });

  test("stops when it is asked to, even before the audio has come", async ({ page }) => {
    await watchAudio(page);
    let release = (): void => undefined;
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    await page.route("**/api/workspace/*/tts/*", async (route) => {
      await held;
      await route.fulfill({ body: tone, contentType: "audio/mpeg" }).catch(() => undefined);
    });
    await open(page, "Behind");
    await button(page, "Read aloud").click();
    await button(page, "Stop reading").click();
    await expect(button(page, "Read aloud")).toBeVisible();
    release();
    expect(await played(page)).toEqual([]);
    await expect(page.getByRole("alert")).toHaveCount(0);
  });

  test("says what the provider refused", async ({ page }) => {
    await page.route("**/api/workspace/*/tts/*", (route) =>
      route.fulfill({
        status: 502,
        headers: refusal,
        json: { message: "x" },
      }),
    );
    await open(page, "Behind");
    await button(page, "Read aloud").click();
    await expect(page.getByText("OpenAI rejected the key")).toBeVisible();
    await expect(button(page, "Read aloud")).toBeVisible();
  });

  test("is the browser's if the server has none", async ({ page }) => {
    await page.addInitScript(() => {
      const spoken: string[] = [];
      Object.defineProperty(globalThis, "speechSynthesis", {
        value: {
          speak: ({ text, lang }: { text: string; lang: string }) =>
            spoken.push(`${lang}: ${text}`),
          cancel: () => undefined,
        },
      });
      Object.assign(globalThis, { spoken });
    });
    await page.route("**/api/workspace/*/tts/*", (route) => route.fulfill({ status: 204 }));
    await open(page, "Behind");
    await button(page, "Read aloud").click();
    await expect
      .poll(() => page.evaluate(() => (globalThis as unknown as { spoken: string[] }).spoken))
      .toEqual(["en-US: Behind the shed."]);
    await button(page, "Stop reading").click();
  });
});

test.describe("dictation by the server", () => {
  test.beforeEach(async ({ page, gateway }) => {
    gateway.settings.SpeechToTextProvider = "openai";
    // A microphone that picks up a steady tone until the test mutes it.
    await page.addInitScript(() => {
      const quiet: { now: () => void } = { now: () => undefined };
      Object.assign(globalThis, { quiet });
      Object.defineProperty(navigator.mediaDevices, "getUserMedia", {
        value: async () => {
          if (sessionStorage.getItem("deny"))
            throw new DOMException("Permission denied", "NotAllowedError");
          const context = new AudioContext();
          const oscillator = new OscillatorNode(context);
          const gain = new GainNode(context, { gain: sessionStorage.getItem("silent") ? 0 : 0.3 });
          const microphone = new MediaStreamAudioDestinationNode(context);
          oscillator.connect(gain).connect(microphone);
          oscillator.start();
          quiet.now = () => {
            gain.gain.value = 0;
          };
          return microphone.stream;
        },
      });
    });
  });
  const answerWith = async (page: Page, text: string) => {
    const bodies: string[] = [];
    await page.route("**/api/system/transcribe-audio", (route) => {
      bodies.push(route.request().postDataBuffer()?.toString("latin1") ?? "");
      return route.fulfill({ json: { success: true, text } });
    });
    return bodies;
  };
  const level = (page: Page) =>
    page
      .locator("[data-level]")
      .evaluate((mark) => Number(getComputedStyle(mark).getPropertyValue("--level")));

  test("shows the level, stops when it is silent, and inserts the words at the cursor", async ({
    page,
  }) => {
    const bodies = await answerWith(page, "flow temperature");
    await open(page);
    await field(page).fill("What is the of the pump?");
    await field(page).evaluate((area: HTMLTextAreaElement) => area.setSelectionRange(11, 11));
    await button(page, "Dictate").click();
    await expect.poll(() => level(page)).toBeGreaterThan(0.3);
    await page.evaluate(() => (globalThis as unknown as { quiet: { now(): void } }).quiet.now());
    await expect(field(page)).toHaveValue("What is the flow temperature of the pump?");
    await expect(button(page, "Dictate")).toBeEnabled();
    expect(await field(page).evaluate((area: HTMLTextAreaElement) => area.selectionStart)).toBe(
      "What is the flow temperature".length,
    );
    expect(bodies).toHaveLength(1);
    expect(bodies[0]).toMatch(/name="audio"; filename="dictation\.webm"/);
  });

  test("stops by hand, and replaces the selection", async ({ page }) => {
    await answerWith(page, "Who");
    await open(page);
    await field(page).fill("What is it?");
    await field(page).evaluate((area: HTMLTextAreaElement) => area.setSelectionRange(0, 4));
    await button(page, "Dictate").click();
    await expect.poll(() => level(page)).toBeGreaterThan(0.3);
    await button(page, "Stop dictating").click();
    await expect(field(page)).toHaveValue("Who is it?");
  });

  test("says why there are no words", async ({ page }) => {
    await page.route("**/api/system/transcribe-audio", (route) =>
      route.fulfill({ status: 502, headers: refusal, json: { success: false, error: "x" } }),
    );
    await open(page);
    await field(page).fill("Kept.");
    await button(page, "Dictate").click();
    await expect.poll(() => level(page)).toBeGreaterThan(0.3);
    await button(page, "Stop dictating").click();
    await expect(page.getByText("OpenAI rejected the key")).toBeVisible();
    await page.unroute("**/api/system/transcribe-audio");
    const bodies = await answerWith(page, " ");
    await button(page, "Dictate").click();
    await expect.poll(() => level(page)).toBeGreaterThan(0.3);
    await button(page, "Stop dictating").click();
    await expect(page.getByText("No speech detected.")).toBeVisible();
    expect(bodies).toHaveLength(1);
    // People who stop at once have changed their mind.
    await page.evaluate(() => sessionStorage.setItem("silent", "1"));
    await button(page, "Dictate").click();
    await button(page, "Stop dictating").click();
    await expect(button(page, "Dictate")).toBeEnabled();
    expect(bodies).toHaveLength(1);
    await page.evaluate(() => sessionStorage.setItem("deny", "1"));
    await button(page, "Dictate").click();
    await expect(page.getByText("This page can't use the microphone.")).toBeVisible();
    await expect(field(page)).toHaveValue("Kept.");
  });

  test("keeps what is typed before the words arrive", async ({ page }) => {
    const { promise: held, resolve: release } = Promise.withResolvers<void>();
    await page.route("**/api/system/transcribe-audio", async (route) => {
      await held;
      await route.fulfill({ json: { success: true, text: "the pump" } });
    });
    await open(page);
    await button(page, "Dictate").click();
    await expect.poll(() => level(page)).toBeGreaterThan(0.3);
    await button(page, "Stop dictating").click();
    await field(page).pressSequentially("Where is");
    release();
    await expect(field(page)).toHaveValue("Where is the pump");
  });

  test("ends when the text is sent, and keeps the words for the next one", async ({
    page,
    gateway,
  }) => {
    await answerWith(page, "and the boiler");
    say(gateway, ["Before?", "Yes."]);
    await open(page, "Yes.");
    await field(page).fill("Where is the pump?");
    await button(page, "Dictate").click();
    await expect.poll(() => level(page)).toBeGreaterThan(0.3);
    await field(page).press("Enter");
    await expect.poll(() => gateway.asked[0]).toMatchObject({ message: "Where is the pump?" });
    await expect(field(page)).toHaveValue("and the boiler");
    await expect(button(page, "Dictate")).toBeVisible();
  });

  test("closes the microphone and drops the recording when the page is left", async ({ page }) => {
    const bodies = await answerWith(page, "x");
    await page.addInitScript(() => {
      const { stop } = MediaStreamTrack.prototype;
      const stopped: string[] = [];
      MediaStreamTrack.prototype.stop = function (this: MediaStreamTrack) {
        stopped.push(this.kind);
        stop.call(this);
      };
      Object.assign(globalThis, { stopped });
    });
    await open(page);
    await button(page, "Dictate").click();
    await expect.poll(() => level(page)).toBeGreaterThan(0.3);
    await page.getByRole("link", { name: "Settings", exact: true }).click();
    await expect
      .poll(() => page.evaluate(() => (globalThis as unknown as { stopped: string[] }).stopped))
      .toEqual(["audio"]);
    await expect(page.getByRole("link", { name: "Back to workspaces" })).toBeVisible();
    expect(bodies).toEqual([]);
  });

  test("is accessible while it listens", async ({ page }) => {
    await answerWith(page, "x");
    await open(page);
    await button(page, "Dictate").click();
    await expect(page.locator("[data-level]")).toBeVisible();
    await expectAccessibleOnAllScreens(page, { minor: true });
    await button(page, "Stop dictating").click();
  });
});
