const picture = /!\[[^\]]{0,500}\][([]/;
export const hasPicture = (text: string): boolean => picture.test(text);
/** A picture, or one that is a link. */
const badges = /\[?!\[[^\]]{0,500}\][([][^)\]]{0,500}[)\]](?:\]\([^)]{0,500}\))?/g;
/** A line of nothing but pictures. */
export const isPictures = (line: string): boolean =>
  picture.test(line) && !/[\p{L}\p{N}]/u.test(line.replace(badges, ""));

/** Trims white space, bars, tags and unpaired emphasis; null when no letter or digit is left. */
export function trimMarkup(
  text: string,
  start: number,
  end: number,
): { start: number; end: number } | null {
  let from = start,
    to = end;
  for (;;) {
    const piece = text.slice(from, to);
    const front =
      /^(?:\s+|\|+|<!--[^>]{0,1000}-->|<!--+|--+>|<\/?[a-z][^<>]{0,200}>|#+\s)/i.exec(piece)?.[0]
        .length ?? unpaired(piece, /^(?:\*{1,3}|_{1,3}|~~|`+)/);
    const back = front
      ? 0
      : (/(?:\s+|\|+|--+>|<\/?[a-z][^<>]{0,200}>)$/i.exec(piece.slice(-260))?.[0].length ??
        unpaired(piece, /(?:\*{1,3}|_{1,3}|~~|`+)$/, piece.slice(-260)));
    if (!front && !back) break;
    from += front;
    to -= back;
    if (from >= to) return null;
  }
  return /[\p{L}\p{N}]/u.test(text.slice(from, to)) ? { start: from, end: to } : null;
}

/** Length of the mark at one end if it is unpaired or if both ends are wrapped in it. */
function unpaired(piece: string, mark: RegExp, end = piece): number {
  const found = mark.exec(end)?.[0];
  if (!found) return 0;
  return (piece.split(found).length - 1) % 2 === 1 ? found.length : 0;
}
