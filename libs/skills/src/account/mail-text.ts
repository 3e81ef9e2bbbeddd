/** The rest of a longer mail is left out. */
const longestHtml = 2_000_000;
const deepest = 200;

const unread = new Set([
  "script",
  "style",
  "head",
  "title",
  "template",
  "noscript",
  "svg",
  "object",
]);
const voids = new Set(["area", "br", "col", "embed", "hr", "img", "input", "link", "meta", "wbr"]);
const blocks =
  /^(address|article|aside|blockquote|center|dd|div|dl|dt|fieldset|figure|footer|form|h[1-6]|header|hr|li|main|ol|p|pre|section|table|tr|ul)$/;
/** Text that people don't see, but models would read. */
const hidden =
  /display\s*:\s*none|visibility\s*:\s*hidden|font-size\s*:\s*0(?![.\d]*[1-9])|opacity\s*:\s*0(?![.\d]*[1-9])|mso-hide\s*:\s*all/i;

interface Open {
  name: string;
  isHidden: boolean;
  href: string | null;
  /** Where its text starts. */
  from: number;
}

/** Text of one line, with single spaces; blank lines are kept one at a time. */
const tidy = (text: string): string =>
  text
    .replace(/\u200b|\u200c|\u200d|\u2060|\ufeff|\u00ad|\u034f/g, "")
    .replace(/[ \t\u00a0]+/g, " ")
    .replace(/ ?\n ?/g, "\n")
    .replace(/\n{3,}/g, "\n\n")
    .trim();

/**
 * The text of an HTML mail, without what its reader doesn't see. A link is followed by its address,
 * because its text may name another one.
 */
export async function readMailHtml(html: string): Promise<string> {
  const { Parser } = await import("htmlparser2");
  const parts: string[] = [];
  const open: Open[] = [];
  let tooDeep = 0;
  const isHidden = (): boolean => open.at(-1)?.isHidden ?? false;
  const parser = new Parser(
    {
      onopentag(name, { style = "", href, hidden: isMarked }) {
        if (!isHidden()) {
          if (name === "br") parts.push("\n");
          else if (name === "li") parts.push("\n- ");
          else if (name === "td" || name === "th") parts.push(" ");
          else if (blocks.test(name)) parts.push("\n");
        }
        if (voids.has(name)) return;
        if (open.length >= deepest) return void tooDeep++;
        open.push({
          name,
          isHidden: isHidden() || unread.has(name) || isMarked !== undefined || hidden.test(style),
          href: name === "a" && /^https?:/i.test(href ?? "") ? href!.trim() : null,
          from: parts.length,
        });
      },
      ontext(text) {
        if (!isHidden()) parts.push(text.replace(/\s+/g, " "));
      },
      onclosetag(name) {
        if (voids.has(name)) return;
        if (tooDeep > 0) return void tooDeep--;
        const closed = open.pop();
        if (closed === undefined || closed.isHidden) return;
        if (closed.href !== null && parts.slice(closed.from).join("").trim() !== closed.href)
          parts.push(` <${closed.href}>`);
        if (blocks.test(name)) parts.push(name === "p" ? "\n\n" : "\n");
      },
    },
    { decodeEntities: true, lowerCaseTags: true },
  );
  for (let at = 0; at < Math.min(html.length, longestHtml); at += 100_000)
    parser.write(html.slice(at, Math.min(at + 100_000, longestHtml)));
  parser.end();
  return tidy(parts.join(""));
}
