// A file of each format that needs no model, to see that an image contains what reading it needs.
import { makeScannedPdf } from "../../services/ingest/test/fixtures/make-pdf.ts";
import { convertPicture, makePicture } from "../../services/ingest/test/fixtures/make-picture.ts";
import { makeWholeFiles } from "../../services/ingest/test/fixtures/whole-files.ts";

export interface SampleFile {
  name: string;
  bytes: Buffer;
  /** Words of the file's text, which may have other spaces and line breaks. */
  words: string;
}

const sentence = "The keys are in the third drawer of the old desk.";

export async function makeSampleFiles(): Promise<SampleFile[]> {
  const scan = { width: 900, height: 180 };
  const jpeg = await convertPicture(
    await makePicture(["The keys are in", "the third drawer"], scan),
    "jpg",
  );
  const binary: Record<string, Buffer> = {
    ...(await makeWholeFiles()),
    "scan.pdf": makeScannedPdf([{ jpeg, ...scan }]),
  };
  const text: Record<string, string> = {
    txt: sentence,
    md: `# Keys\n\n${sentence}\n`,
    html: `<!doctype html><title>Keys</title><p>${sentence}</p>`,
    csv: `Key,Drawer\nfront,third drawer\n`,
    json: JSON.stringify({ keys: sentence }),
    xml: `<keys><key>${sentence}</key></keys>`,
    rtf: `{\\rtf1\\ansi ${sentence}}`,
    py: `# ${sentence}\nprint("keys")\n`,
    eml: `From: ana@example.org\r\nTo: ben@example.org\r\nSubject: Keys\r\n\r\n${sentence}\r\n`,
    mbox: `From ana@example.org Thu Jan  1 00:00:00 2026\nFrom: ana@example.org\nSubject: Keys\n\n${sentence}\n`,
  };
  return [
    ...Object.entries(binary).map(([kind, bytes]) => ({ kind, bytes, words: wordsOf(kind) })),
    ...Object.entries(text).map(([kind, content]) => ({
      kind,
      bytes: Buffer.from(content),
      words: "third drawer",
    })),
  ].map(({ kind, ...sample }) => ({ ...sample, name: `keys.${kind}` }));
}

function wordsOf(kind: string): string {
  if (kind === "pdf") return "about the keys";
  return /^(xlsx?|ods)$/.test(kind) ? "Drawer" : "third drawer";
}
