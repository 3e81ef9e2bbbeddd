import { expectAccessibleOnAllScreens } from "./accessibility.ts";
import { expect, test } from "./fixtures.ts";
import { mail, mailSentence } from "./make-mail.ts";
import { docx, paragraph, quoted, tableText } from "./make-originals.ts";
import { notice, picture } from "./make-picture.ts";
import { minutePassage, minuteSentence, recording } from "./make-recording.ts";
import { rowsText, xlsx } from "./make-workbook.ts";
import { openCited } from "./open-cited.ts";
import { cite } from "./originals.ts";

for (const [name, make, passage, words] of [
  ["a document", docx, `${paragraph}\n\n${tableText}`, quoted],
  ["a sheet", xlsx, rowsText(10, 12), "Run T-11 had 7.7 % with driver 143"],
  ["a mail", mail, mailSentence, mailSentence],
  ["a picture", picture, notice, "It is"],
  ["a recording", recording, minutePassage, minuteSentence],
] as const)
  test(`the viewer is accessible with ${name}, in both themes, wide and on a phone`, async ({
    page,
    gateway,
  }) => {
    cite(gateway, await make(), passage);
    await openCited(page, gateway, `${words} [3]`);
    await expect(page.locator(".text-hit, .pdf-mark, [data-marked]").first()).toBeVisible();
    await expectAccessibleOnAllScreens(page);
  });
