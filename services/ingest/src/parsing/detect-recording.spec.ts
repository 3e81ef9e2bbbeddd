import { describe, expect, it } from "@jest/globals";
import { recordings } from "../../test/fixtures/make-recordings.ts";
import { parse } from "../../test/parse.ts";
import { listAcceptedTypes } from "../intake/document.handler.ts";
import { detectFormat, extensionOf } from "./detect-format.ts";

describe("recordings", () => {
  it.each(Object.entries(recordings))(
    "%s is detected by its content",
    async (name, { bytes, mime, format }) => {
      expect(await detectFormat(bytes, name)).toMatchObject({ format, mime });
      await expect(parse(name, bytes)).rejects.toMatchObject({ work: "transcription", mime });
      // Also under a name that says nothing.
      await expect(parse("recording", bytes)).rejects.toMatchObject({ work: "transcription" });
    },
  );

  it("are accepted by all their extensions once they can be transcribed", () => {
    const accepted = (transcription: boolean): Set<string> =>
      new Set(Object.values(listAcceptedTypes({ transcription, libreOffice: true })).flat());
    const extensions = Object.keys(recordings).map(extensionOf);
    expect(extensions.filter((each) => !accepted(true).has(each))).toEqual([]);
    expect(extensions.filter((each) => accepted(false).has(each))).toEqual([]);
  });
});
