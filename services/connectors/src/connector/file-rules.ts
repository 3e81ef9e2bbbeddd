import type { ConnectorField, KnownFault } from "@carrel/contracts";
import createIgnore, { type Ignore } from "ignore";
import { z } from "zod";
import { isReadable } from "./file-type.ts";

/** In the syntax of .gitignore. */
export const ignoreLines = z
  .union([z.array(z.string()), z.string().transform((text) => text.split("\n"))])
  .transform((all) => all.map((line) => line.trimEnd()).filter((line) => line !== ""))
  .pipe(z.array(z.string().max(1_000)).max(1_000));

export const ignoreField: ConnectorField = {
  name: "ignore",
  kind: "lines",
  label: "Ignored files",
  help: "One pattern per line, as in .gitignore.",
  placeholder: "*.lock",
  required: false,
  default: [],
  advanced: true,
};

export const megabytesField = (byDefault: number, max: number): ConnectorField => ({
  name: "maxMegabytes",
  kind: "number",
  label: "Largest file, in MB",
  required: false,
  default: byDefault,
  min: 1,
  max,
  advanced: true,
});

interface FileFacts {
  /** Below the source's folder, with `/` between its parts. */
  path: string;
  mime?: string | undefined;
  bytes?: number | undefined;
}

/** Which files of a folder are imported. */
export class FileRules {
  readonly maxBytes: number;
  private readonly ignored: Ignore;

  constructor(private readonly settings: { ignore: string[]; maxMegabytes: number }) {
    this.maxBytes = settings.maxMegabytes * 1_000_000;
    this.ignored = createIgnore().add(settings.ignore);
  }

  /** Whether it isn't listed at all; a folder's path ends with `/`. */
  leavesOut(path: string): boolean {
    return this.ignored.ignores(path);
  }

  /** Why a file isn't imported; null if it is. */
  refuse({ path, mime, bytes }: FileFacts): KnownFault | null {
    if (!isReadable(path, mime)) return { code: "source.type-unwanted" };
    if (bytes === 0) return { code: "source.item-empty" };
    return bytes !== undefined && bytes > this.maxBytes ? this.tooLarge : null;
  }

  get tooLarge(): KnownFault {
    const { maxMegabytes } = this.settings;
    return { code: "source.file-too-large", params: { megabytes: maxMegabytes } };
  }
}

/** Neither leads elsewhere in an address nor is refused by the ignore list. */
export const isUsablePath = (path: string): boolean =>
  path.length <= 4_096 &&
  !path.includes("\0") &&
  path.split("/").every((segment) => segment !== "" && segment !== "." && segment !== "..");
