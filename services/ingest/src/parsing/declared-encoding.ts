/** Maximum distance of a `<meta>` from the start; browsers stop after a kilobyte, writers don't. */
const metaWithin = 64 * 1024;

/** The encoding in an XML declaration; null if there is none. */
function inXmlDeclaration(head: string): string | null {
  return (
    /^(?:ï»¿)?\s*<\?xml[^>]{0,200}encoding\s*=\s*["']([\w.:-]{2,40})["']/.exec(
      head.slice(0, 500),
    )?.[1] ?? null
  );
}

/** Constructs that can't contain `<meta>`, with their ends. */
const opaque: [string, string][] = [
  ["<!--", "-->"],
  ["<script", "</script"],
  ["<style", "</style"],
  ["<title", "</title"],
  ["<textarea", "</textarea"],
  ["<noscript", "</noscript"],
];
const attribute = /([\w:-]{1,40})\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'>]+))/g;

function charsetOf(tag: string): string | null {
  const attributes = new Map(
    [...tag.matchAll(attribute)].map(([, name, double, single, bare]) => [
      name!.toLowerCase(),
      (double ?? single ?? bare ?? "").trim(),
    ]),
  );
  const charset = attributes.get("charset");
  if (charset) return charset;
  if (attributes.get("http-equiv")?.toLowerCase() !== "content-type") return null;
  return charsetInType(attributes.get("content") ?? "");
}

/** The charset parameter of a MIME type. */
export const charsetInType = (type: string): string | null =>
  /charset\s*=\s*["']?\s*([\w.:-]{2,40})/i.exec(type)?.[1] ?? null;

/** The charset of the first `<meta>` that declares one, outside comments and scripts. */
function inMeta(head: string): string | null {
  const small = head.toLowerCase();
  let at = small.indexOf("<");
  while (at >= 0) {
    const inside = opaque.find(([start]) => small.startsWith(start, at));
    if (inside) {
      const end = small.indexOf(inside[1], at + inside[0].length);
      if (end < 0) return null;
      at = small.indexOf("<", end + inside[1].length);
      continue;
    }
    if (small.startsWith("<meta", at)) {
      const end = small.indexOf(">", at);
      const charset = charsetOf(head.slice(at, end < 0 ? at + 1_000 : Math.min(end, at + 1_000)));
      if (charset) return charset;
    }
    at = small.indexOf("<", at + 1);
  }
  return null;
}

/** The encoding that a page or an XML file declares in its own text. */
export function declaredEncoding(bytes: Uint8Array, kind: "html" | "xml"): string | null {
  const head = new TextDecoder("latin1").decode(bytes.subarray(0, metaWithin));
  return inXmlDeclaration(head) ?? (kind === "html" ? inMeta(head) : null);
}
