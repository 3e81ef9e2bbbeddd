import { expect, test } from "./fixtures.ts";
import { mail, mailbox, mailSentence } from "./make-mail.ts";
import { openCited } from "./open-cited.ts";
import { cite } from "./originals.ts";
import { guard } from "./page-guard.ts";

test("a mail has its header, text and pictures, with the quote marked, and loads nothing", async ({
  page,
  gateway,
}) => {
  const original = mail();
  cite(gateway, original, original.text);
  const { check } = await guard(page, gateway);
  await openCited(page, gateway, `${mailSentence} [3]`);
  const paper = page.locator(".paper-document");
  await expect(paper.getByRole("heading", { level: 1 })).toHaveText("Closing of the tunnel");
  await expect(paper.getByRole("definition")).toHaveText([
    "Mira Kowalska <mira@harbour.example>",
    "Tunnel users <users@harbour.example>",
    /2026/,
    /^plan\.pdf \(1\.5.kB\)$/,
  ]);
  await expect(paper.locator(".text-hit")).toHaveText(mailSentence);
  await expect(paper.getByRole("img")).toHaveCount(1);
  await expect(paper.getByRole("img", { name: "Logo" })).toHaveAttribute("src", /^data:image\/png/);
  await check();
});

test("a mailbox shows its mails one after the other", async ({ page, gateway }) => {
  cite(gateway, mailbox(), mailSentence);
  await openCited(page, gateway, "It is closed [3].");
  const paper = page.locator(".paper-document");
  await expect(paper.getByRole("heading", { level: 1 })).toHaveText(["First", "Second"]);
  await expect(paper.locator(".text-hit")).toHaveText(mailSentence);
  await expect(paper).toContainText("From here on it is quiet.");
});
