import {
  chmodSync,
  existsSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { poll } from "@carrel/testing";
import { afterEach, beforeEach, describe, expect, it } from "@jest/globals";
import { makeDocx } from "../../test/fixtures/make-docx.ts";
import { makeMsg } from "../../test/fixtures/make-msg.ts";
import { makePptx, makeZip } from "../../test/fixtures/make-office.ts";
import { makeTextPdf } from "../../test/fixtures/make-pdf.ts";
import { headingsOf, parse, reason } from "../../test/parse.ts";
import { listAcceptedTypes } from "../intake/document.handler.ts";
import { isLibreOfficeInstalled } from "./run-libreoffice.ts";

const fixture = (name: string): Buffer =>
  readFileSync(path.join(import.meta.dirname, "../../test/fixtures", name));
const use = (program: string): void => void (process.env.CARREL_LIBREOFFICE = program);

/** A stand-in for LibreOffice that runs `lines` with its arguments. */
function makeStandIn(lines: string): string {
  const folder = mkdtempSync(path.join(tmpdir(), "carrel-soffice-"));
  const program = path.join(folder, "soffice");
  writeFileSync(program, `#!/bin/bash\nhere=${folder}\n${lines}\n`);
  chmodSync(program, 0o755);
  return program;
}
/** Finds the folder for results among the arguments. */
const readArguments =
  'printf "%s\\n" "$@" > "$here/arguments"; env > "$here/environment"; while [ $# -gt 1 ]; do [ "$1" = --outdir ] && out=$2; [ "$1" = --convert-to ] && to=$2; shift; done; mkdir -p "$out"';

let before: string | undefined;
beforeEach(() => {
  before = process.env.CARREL_LIBREOFFICE;
});
afterEach(() => {
  if (before === undefined) delete process.env.CARREL_LIBREOFFICE;
  else process.env.CARREL_LIBREOFFICE = before;
});

describe("old Office files", () => {
  it("are read without LibreOffice: the text of .doc", async () => {
    use("/nonexistent");
    expect(isLibreOfficeInstalled()).toBe(false);
    const parsed = await parse("letter.doc", fixture("letter.doc"));
    expect(parsed).toMatchObject({ format: "doc", mime: "application/msword" });
    expect(parsed.text).toBe(
      "Berths of Skarnholm\n\nThe warden is Žižka Вьюн, who keeps 7 berths.\n\nHe charges 5 € a night.",
    );
    expect(await reason("talk.ppt", fixture("talk.ppt"))).toBe(
      "The presentation is in the old .ppt format. Install LibreOffice on the server, or save the presentation as .pptx.",
    );
    await expect(parse("talk.ppt", fixture("talk.ppt"))).rejects.toMatchObject({ curable: true });
  });

  it("are converted by LibreOffice, in a folder of its own and without secrets", async () => {
    const program = makeStandIn(`${readArguments}; cp "$here/result.$to" "$out/file.$to"`);
    const folder = path.dirname(program);
    writeFileSync(
      path.join(folder, "result.docx"),
      await makeDocx([{ text: "Berths", style: "Heading1" }, { text: "Seven." }]),
    );
    writeFileSync(path.join(folder, "result.pptx"), makePptx([{ title: "Tides", lines: ["Ebb"] }]));
    use(program);
    process.env.CARREL_SECRET_OF_THE_TEST = "x";
    expect(headingsOf(await parse("letter.doc", fixture("letter.doc")))).toEqual(["1 Berths"]);
    expect((await parse("talk.ppt", fixture("talk.ppt"))).text).toContain("Ebb");
    delete process.env.CARREL_SECRET_OF_THE_TEST;
    const given = readFileSync(path.join(folder, "arguments"), "utf8");
    expect(given).toMatch(/^-env:UserInstallation=file:\/\/.*carrel-office-.*\/profile$/m);
    expect(given).toContain("--headless");
    expect(readFileSync(path.join(folder, "environment"), "utf8")).not.toContain("SECRET_OF");
  });

  it("that it can't convert are read as without it, or are damaged", async () => {
    use(makeStandIn("exit 1"));
    expect((await parse("letter.doc", fixture("letter.doc"))).text).toContain("The warden");
    expect(await reason("talk.ppt", fixture("talk.ppt"))).toBe(
      "The presentation is damaged or incomplete.",
    );
    const cut = fixture("letter.doc").subarray(0, 4_000);
    expect(await reason("cut.doc", cut)).toBe("The Word document is damaged or incomplete.");
  });

  it("leave nothing running", async () => {
    const program = makeStandIn('sleep 60 & echo $! > "$here/pid"; exit 1');
    use(program);
    await reason("talk.ppt", fixture("talk.ppt"));
    const pid = Number(readFileSync(path.join(path.dirname(program), "pid"), "utf8"));
    const isRunning = (): boolean => {
      try {
        // A process that has ended may still wait for its parent to notice.
        return !/^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, "utf8"));
      } catch {
        return false;
      }
    };
    await poll(isRunning).toBe(false);
  });

  it("leave nothing behind if their thread is ended", async () => {
    const makeFolder = (minutes: number): string => {
      const folder = mkdtempSync(path.join(tmpdir(), "carrel-office-"));
      const then = new Date(Date.now() - minutes * 60_000);
      utimesSync(folder, then, then);
      return folder;
    };
    const [old, running] = [makeFolder(60), makeFolder(1)];
    const program = makeStandIn('tr "\\0" " " < /proc/$PPID/cmdline > "$here/parent"; exit 1');
    use(program);
    await reason("talk.ppt", fixture("talk.ppt"));
    const parent = readFileSync(path.join(path.dirname(program), "parent"), "utf8");
    expect(parent).toMatch(/^timeout -s KILL 95 /);
    expect([existsSync(old), existsSync(running)]).toEqual([false, true]);
    rmSync(running, { recursive: true });
  });

  it("are accepted if they can be read", () => {
    const types = (libreOffice: boolean): string[] =>
      Object.values(listAcceptedTypes({ transcription: false, libreOffice })).flat();
    expect(types(false)).toContain(".doc");
    expect(types(false)).not.toContain(".ppt");
    expect(types(true)).toContain(".ppt");
  });

  it("say that they are protected", async () => {
    const locked = Buffer.from(fixture("letter.doc"));
    const at = locked.indexOf(Buffer.from([0xec, 0xa5]));
    locked[at + 11]! |= 1;
    expect(await reason("a.doc", locked)).toBe("The Word document is password-protected.");
  });
});

describe("mails of Outlook", () => {
  const texts = { "0037": "Tide table", "0C1A": "Ada", "5D01": "ada@example.org" };

  it("are read with their people, text and attachments", async () => {
    const msg = await makeMsg(
      { ...texts, "1000": "High water is at 04:17." },
      {
        to: [["Ben", "ben@example.org"]],
        attachments: {
          "list.csv": Buffer.from("quay,depth\nnorth,7"),
          "x.bin": Buffer.from([0, 1, 2]),
        },
      },
    );
    const parsed = await parse("a.msg", msg);
    expect(parsed.text).toBe(
      "Tide table\n\nFrom: Ada <ada@example.org>\nTo: Ben <ben@example.org>\n\nHigh water is at 04:17.\n\nAttachment: list.csv (application/octet-stream, 1 KB)\nAttachment: x.bin (application/octet-stream, 1 KB)\n\nlist.csv\n\nquay: north\ndepth: 7",
    );
    expect(headingsOf(parsed)).toEqual(["1 Tide table", "2 list.csv"]);
  });

  it("say nothing of pictures that their page shows", async () => {
    const msg = await makeMsg(texts, {
      html: '<p>High water <img src="cid:logo@01D"></p>',
      attachments: { "image001.png": Buffer.from([1]), "image002.png": Buffer.from([2]) },
      shown: { "image001.png": "logo@01D" },
    });
    expect((await parse("a.msg", msg)).notes).toEqual([
      { code: "file-note.attachments-unread", params: { count: 1 } },
    ]);
  });

  it("are read from their page if they have no text", async () => {
    const msg = await makeMsg(texts, { html: "<p>High water is at <b>04:17</b>.</p>" });
    expect((await parse("mail", msg)).text).toContain("\n\nHigh water is at 04:17.");
  });
});

describe("iWork documents", () => {
  const pdf = makeTextPdf([{ title: "Berths", lines: ["Seven of them"] }]);
  it.each(["QuickLook/Preview.pdf", "preview.pdf"])("are read by their %s", async (name) => {
    const pages = makeZip({ "Index/Document.iwa": "x", [name]: pdf });
    for (const file of ["a.pages", "a.numbers", "a.key"])
      expect((await parse(file, pages)).text).toContain("Seven of them");
  });

  it("say that they have none", async () => {
    expect(await reason("a.pages", makeZip({ "Index/Document.iwa": "x" }))).toContain(
      "saved without a preview",
    );
  });
});
