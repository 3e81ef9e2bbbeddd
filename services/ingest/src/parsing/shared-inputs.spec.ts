import { readFileSync } from "node:fs";
import path from "node:path";
import { findBesideCheckout } from "@carrel/testing";
import { describe, expect, it } from "@jest/globals";
import { parse } from "../../test/parse.ts";

/** Files of others that went wrong once: what their text has, and what it hasn't. */
const inputs: [name: string, has: string[], hasNot?: string[]][] = [
  ["eml-plain-stub.eml", ["High water at Skarnholm is at 04:17"], ["HTML capable"]],
  ["mbox-from-in-body.mbox", ["Jasperine report", "Ansgar Pell", "Bye."]],
  ["epub-self-script.epub", ["Title", "The keeper is Delphine Osk."]],
  ["xhtml-self-script.xhtml", ["The keeper is Delphine Osk."]],
  ["epub-one-missing.epub", ["Good chapter of Tove."]],
  ["rtf-fcharset.rtf", ["The warden is Смотритель Вьюн and Žižka Řeka."]],
  ["rtf-cp850.rtf", ["Die Möwe fährt über Sßöl."]],
  ["rtf-bin.rtf", ["Before the picture.\n\nAfter the picture comes the Lorcan clause."]],
  ["rtf-hidden-field.rtf", ["the berth list", "tail.", "🈀 ok"], ["HIDDENWORD", "DELETEDWORD"]],
  ["xml-unparsed-entity.xml", ["Bilge pump", "The inventor is Ilse Varga."]],
  ["html-sup.html", ["About 10^6 litres, 5th quay, CO2, note[3]."]],
  ["html-caption.html", ["Depths of the Brask quays\n\nQuay: North\nDepth: 7 m"]],
  ["html-nav-only.html", ["Harbour rules", "Eulalia Brandt"]],
  ["mht-page.mhtml", ["The saved page names Caspian Løv."], ["color:red", "Content-Type"]],
  ["ipynb-note.ipynb", ["# Tides", "The model by Crane.", "depth = 7", "\n7"], ["iVBOR"]],
  ["json-comments.json", ["Ingrid Solheim"]],
];
const folder = findBesideCheckout("data/inputs");

const missing = folder === null ? " (not run: ../shared/data/inputs is missing)" : "";

(folder === null ? describe.skip : describe)(`files that went wrong once${missing}`, () => {
  it.each(inputs)("%s", async (name, has, hasNot = []) => {
    const { text } = await parse(name, readFileSync(path.join(folder!, name)));
    for (const words of has) expect(text).toContain(words);
    for (const words of hasNot) expect(text).not.toContain(words);
  });
});
