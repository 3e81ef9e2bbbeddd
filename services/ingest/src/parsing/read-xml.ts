import type { KnownFault } from "@carrel/contracts";
import { clipText } from "@carrel/contracts/clip-text";
import sax from "sax";
import type { Archive } from "./archive.ts";
import { longestText, tooLong, UnreadableError } from "./parsed-document.ts";

/** Names come without their prefix; attributes keep it only if they would clash. */
export interface XmlHandlers {
  open?: (name: string, attributes: Record<string, string>) => void;
  text?: (text: string) => void;
  close?: (name: string) => void;
}

const deepest = 5_000;
/** Characters handed to the parser at once, and how long the start of a declaration may be. */
const sliceLength = 1_024;
const longestKeyword = 100;
const localName = (name: string): string => name.slice(name.indexOf(":") + 1);

/**
 * Adds a property that the package's types leave out: the declaration being read, from after `<!`.
 */
type SaxParser = Omit<sax.SAXParser, "error"> & { sgmlDecl: string; error: Error | null };

/** An `&` that should have been `&amp;`, or an entity that an unread DTD declares: kept as written. */
const harmless = /^Invalid character (?:entity|in entity name)/;

/** A streaming XML reader: no recursion, only plain entities, nothing fetched. */
export class XmlReader {
  private readonly parser = sax.parser(true, {
    trim: false,
    normalize: false,
    position: true,
  }) as unknown as SaxParser;
  private depth = 0;
  private length = 0;
  /** Text up to the next tag. */
  private words: string[] = [];
  private fault: unknown = null;

  constructor(
    private readonly what: KnownFault,
    private readonly handlers: XmlHandlers,
  ) {
    const { parser } = this;
    parser.onerror = (error) => {
      if (!harmless.test(error.message)) throw error;
      parser.error = null;
    };
    parser.ondoctype = (doctype) => {
      Object.assign(parser.ENTITIES, readEntities(doctype, what));
    };
    parser.onopentag = ({ name, attributes }) => {
      if (++this.depth > deepest)
        throw new UnreadableError({
          code: "file.nested-too-deep",
          params: { what, limit: deepest },
        });
      this.flush();
      for (const value of Object.values(attributes as Record<string, string>)) this.count(value);
      if (!handlers.open) return;
      const plain: Record<string, string> = {};
      for (const [key, value] of Object.entries(attributes as Record<string, string>)) {
        const local = localName(key);
        plain[local in plain ? key : local] = value;
      }
      handlers.open(localName(name), plain);
    };
    parser.onclosetag = (name) => {
      this.depth--;
      this.flush();
      handlers.close?.(localName(name));
    };
    const onText = (text: string): void => {
      this.count(text);
      this.words.push(text);
    };
    parser.ontext = onText;
    parser.oncdata = onText;
  }

  write(text: string): void {
    this.guard(() => {
      for (let at = 0; at < text.length; at += sliceLength) {
        this.parser.write(text.slice(at, at + sliceLength));
        // The parser reads an unknown declaration (`<!…`) again at each of its characters.
        if (this.parser.sgmlDecl.length > longestKeyword)
          throw new Error("a declaration that XML doesn't have");
      }
    });
  }

  end(): void {
    this.guard(() => this.parser.close());
  }

  /** Entities make long texts and attributes of a few characters. */
  private count(text: string): void {
    this.length += text.length;
    if (this.length > longestText) throw tooLong(this.what);
  }

  private flush(): void {
    if (this.words.length > 0) this.handlers.text?.(this.words.splice(0).join(""));
  }

  private guard(run: () => void): void {
    if (this.fault) throw this.fault;
    try {
      run();
    } catch (cause) {
      const line = (this.parser as unknown as { line: number }).line + 1;
      this.fault =
        cause instanceof UnreadableError
          ? cause
          : new UnreadableError(
              {
                code: "file.damaged-from-line",
                params: { what: this.what, line },
              },
              {
                cause,
              },
            );
      throw this.fault;
    }
  }
}

/** Reads one XML part of an archive while it is unpacked. */
export async function readXmlPart(
  archive: Archive,
  name: string,
  handlers: XmlHandlers,
): Promise<void> {
  const reader = new XmlReader(archive.what, handlers);
  let decoder: InstanceType<typeof TextDecoder> | null = null;
  for await (const piece of archive.stream(name)) {
    decoder ??= new TextDecoder(encodingOf(piece));
    reader.write(decoder.decode(piece, { stream: true }));
  }
  reader.end();
}

/** The encoding according to the byte order mark or declaration. */
function encodingOf(start: Buffer): string {
  if (start[0] === 0xff && start[1] === 0xfe) return "utf-16le";
  if (start[0] === 0xfe && start[1] === 0xff) return "utf-16be";
  const head = start.subarray(0, 200).toString("latin1");
  const label = /^\s*<\?xml[^>]{0,150}encoding\s*=\s*["']([\w.-]{2,40})["']/.exec(head)?.[1];
  try {
    // A file whose bytes say UTF-8 in letters isn't UTF-16, whatever it declares.
    return label === undefined || /^utf-?16/i.test(label)
      ? "utf-8"
      : new TextDecoder(label).encoding;
  } catch {
    return "utf-8";
  }
}

const entityDeclaration = /<!ENTITY\s+(%\s+)?([^\s"'>%]+)\s*(?:"([^"]*)"|'([^']*)'|[^>]*)/gi;
const entityReference = /&([^\s&;#]{1,100});/g;
const maxEntities = 10_000;
/** Longer values aren't abbreviations; many of them make huge files of small ones. */
const longestEntity = 10_000;
const longestEntities = 1_000_000;
const deepestEntity = 20;
/** sax takes an empty value for an undeclared entity. */
const nothing = " ";

const decodeNumbers = (value: string): string =>
  value.replace(/&#(?:x([\da-f]{1,6})|(\d{1,7}));/gi, (all, hex?: string, decimal?: string) => {
    const code = hex === undefined ? Number(decimal) : parseInt(hex, 16);
    return code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : all;
  });

/**
 * The entities that a document type declares, with plain text as values. What is outside the file
 * (other files, pictures, parameters) is left out and never fetched. Throws UnreadableError if one
 * contains others to an absurd length.
 */
function readEntities(doctype: string, what: KnownFault): Record<string, string> {
  const declared = new Map<string, string>();
  for (const [, parameter, name = "", double, single] of doctype.matchAll(entityDeclaration)) {
    if (declared.size >= maxEntities) break;
    // The first declaration counts.
    if (!parameter && !declared.has(name)) declared.set(name, double ?? single ?? "");
  }
  const values = Object.create(null) as Record<string, string>;
  let sum = 0;
  const tooMuch = (name: string): UnreadableError =>
    new UnreadableError({
      code: "file.entities-declared",
      params: { what, name: clipText(name, 40) },
    });
  const resolve = (name: string, depth: number): string => {
    const known = values[name];
    if (known !== undefined) return known;
    if (depth > deepestEntity) throw tooMuch(name);
    const value = decodeNumbers(declared.get(name)!.replace(/<[^<>]*>/g, " "));
    let length = 0;
    const resolved = value.replace(entityReference, (all, inner: string) => {
      const replaced = declared.has(inner) ? resolve(inner, depth + 1) : all;
      length += replaced.length;
      if (length > longestEntity) throw tooMuch(name);
      return replaced;
    });
    sum += resolved.length;
    if (resolved.length > longestEntity || sum > longestEntities) throw tooMuch(name);
    return (values[name] = resolved === "" ? nothing : resolved);
  };
  for (const name of declared.keys()) resolve(name, 0);
  return values;
}
