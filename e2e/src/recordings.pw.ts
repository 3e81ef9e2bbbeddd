import { makeWave } from "@carrel/testing";
import { expect, test } from "./product.ts";

// The fake vendor gives each sentence two and a half seconds.
const speech = Array.from({ length: 60 }, (_, n) =>
  n === 30
    ? "The spare key of the lighthouse hangs behind the barometer."
    : `Item ${n} of the agenda is closed.`,
).join(" ");

test("a recording is transcribed, found by what was said, and opened at that second", async ({
  page,
  product,
  chat,
}) => {
  await product.api.json("POST", "/system/update-env", {
    LLMProvider: "extractive",
    WhisperProvider: "generic-openai",
    WhisperGenericOpenAiBaseUrl: `${product.vendor.url}/v1`,
    WhisperGenericOpenAiModel: "whisper-1",
  });
  const { slug } = await product.api.makeWorkspace("Recorded house");
  await page.goto(`/workspace/${slug}/documents`);
  const picker = page.locator('input[type="file"][accept*=".wav"]').first();
  await expect(picker).toBeAttached();
  product.vendor.next({ reply: speech });
  await picker.setInputFiles({
    name: "Board meeting.wav",
    mimeType: "audio/wav",
    buffer: makeWave(150),
  });
  const row = page.getByRole("grid").getByRole("row").filter({ hasText: "Board meeting.wav" });
  await expect(row.getByText(/^(Ready|Searchable)/)).toBeVisible();

  await chat.openThread(slug);
  await chat.ask("Where does the spare key of the lighthouse hang?");
  const mark = page
    .locator(".md")
    .getByRole("button", { name: /^Source \d/ })
    .first();
  await mark.click();
  const panel = page.getByRole("complementary", { name: "Source" });
  await expect(panel.locator(".text-hit")).toContainText("behind the barometer");
  const player = page.getByLabel("Player: Board meeting.wav");
  const media = (): Promise<{ time: number; isPaused: boolean; duration: number }> =>
    player.evaluate((element: HTMLAudioElement) => ({
      time: element.currentTime,
      isPaused: element.paused,
      duration: element.duration,
    }));
  await expect.poll(media).toEqual({ time: 60, isPaused: true, duration: 150 });
  await expect(panel.getByText("00:01:00 / 00:02:30")).toBeVisible();
  await page.getByRole("button", { name: "Play from 00:02:00" }).click();
  await expect.poll(async () => (await media()).time).toBeGreaterThan(120);
});
