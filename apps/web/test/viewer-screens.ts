import { settled } from "@carrel/testing";
import type { Page } from "@playwright/test";
import type { FakeGateway } from "./fake-gateway.ts";
import { mail, mailSentence } from "./make-mail.ts";
import { docx, epub, html, markdown, paragraph, quoted, tableText } from "./make-originals.ts";
import { notice, picture } from "./make-picture.ts";
import { minutePassage, minuteSentence, recording } from "./make-recording.ts";
import { csv, rowsText, xlsx } from "./make-workbook.ts";
import { cite, type FakeOriginal } from "./originals.ts";

/** Opens a passage of this file, cited by these words, and waits until it is marked. */
const viewer =
  (make: () => FakeOriginal | Promise<FakeOriginal>, passage: string, words: string) =>
  async (page: Page, gateway: FakeGateway): Promise<void> => {
    cite(gateway, await make(), passage);
    gateway.pace = 1;
    gateway.answer = `${words} [3]`;
    await page.goto(`${gateway.url}/workspace/heat-pump-retrofit/t/flow`);
    await page.getByLabel("Message", { exact: true }).fill("What did the survey find?");
    await page.keyboard.press("Enter");
    await page.getByText("412 tokens").waitFor();
    await page
      .locator(".md")
      .getByRole("button", { name: /^Source 3/ })
      .click();
    await page.locator(".text-hit, .pdf-mark, [data-marked]").first().waitFor();
    await settled(page);
  };

const both = `${paragraph}\n\n${tableText}`;

export const viewerScreens = {
  "viewer-docx": viewer(docx, both, quoted),
  "viewer-html": viewer(html, both, quoted),
  "viewer-epub": viewer(epub, both, quoted),
  "viewer-markdown": viewer(markdown, paragraph.replace("78 %", "**78 %**"), quoted),
  "viewer-xlsx": viewer(xlsx, rowsText(4_001, 4_003), "Run T-4002: 1.4 %, driver 52026"),
  "viewer-csv": viewer(csv, rowsText(1, 3), "It did"),
  "viewer-mail": viewer(mail, mail().text, mailSentence),
  "viewer-picture": viewer(picture, notice, "It is closed"),
  "viewer-recording": viewer(recording, minutePassage, minuteSentence),
};
