import { isUtf8 } from "node:buffer";
import path from "node:path/posix";
import { getFileNameLowLevel, type Entry } from "yauzl";
import { decodeText } from "./decode-text.ts";

const markedUtf8 = 0x800;
const unicodePath = 0x7075;
/** Systems whose programs write names in the code page of DOS. */
const dos = 0;

const newLine = Buffer.from("\n");

/** Whether the entry itself says how its name is encoded, or it can only be UTF-8. */
const isUnicode = ({ generalPurposeBitFlag, extraFields, fileNameRaw }: Entry): boolean =>
  (generalPurposeBitFlag & markedUtf8) !== 0 ||
  extraFields.some(({ id }) => id === unicodePath) ||
  isUtf8(fileNameRaw);

/** The encoding of names that aren't UTF-8, by what all of them read like together. */
function guessNames(entries: readonly Entry[]): string {
  const names = Buffer.concat(entries.flatMap(({ fileNameRaw }) => [fileNameRaw, newLine]));
  const { encoding } = decodeText(names);
  // Without other evidence, a single word of a Western language is in the code page of its system.
  const isWestern =
    encoding === "Windows-1252" && entries.every((e) => e.versionMadeBy >> 8 === dos);
  return isWestern && !/[^\p{ASCII}\p{L}]/u.test(decodeText(names, { chosen: "CP850" }).text)
    ? "CP850"
    : encoding;
}

/**
 * The entries of an archive by their names, with `/` between folders and never above the archive's
 * own folder. macOS writes UTF-8 without saying so, Windows the code page of its country.
 */
export function nameEntries(entries: readonly Entry[]): Map<string, Entry> {
  const unmarked = entries.filter((entry) => !isUnicode(entry));
  const chosen = unmarked.length > 0 ? guessNames(unmarked) : null;
  const legacy = new Set(unmarked);
  const named = new Map<string, Entry>();
  for (const entry of entries) {
    const { fileNameRaw, extraFields } = entry;
    const name = legacy.has(entry)
      ? decodeText(fileNameRaw, { chosen }).text
      : getFileNameLowLevel(markedUtf8, fileNameRaw, extraFields, true);
    const clean = path
      .normalize(`/${name.replaceAll("\\", "/").replace(/^[a-z]:\//i, "")}`)
      .slice(1);
    if (clean !== "") named.set(clean, entry);
  }
  return named;
}
