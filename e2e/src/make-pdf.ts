export interface PdfLine {
  text: string;
  /** Points; default 11. */
  size?: number;
  bold?: boolean;
}

const escape = (text: string): string => text.replace(/[\\()]/g, (c) => `\\${c}`);
const leading = (line: PdfLine): number => Math.round((line.size ?? 11) * 1.6);

/**
 * A PDF with real text at known positions (Helvetica, Latin-1), one list of lines per page,
 * generated so that no fixture file is needed. An empty text is a gap.
 */
export function makePdf(pages: PdfLine[][]): Buffer<ArrayBuffer> {
  const objects = [
    "<< /Type /Catalog /Pages 2 0 R >>",
    `<< /Type /Pages /Kids [${pages.map((_, n) => `${5 + n * 2} 0 R`).join(" ")}] /Count ${pages.length} >>`,
  ];
  for (const font of ["Helvetica", "Helvetica-Bold"])
    objects.push(`<< /Type /Font /Subtype /Type1 /BaseFont /${font} /Encoding /WinAnsiEncoding >>`);
  pages.forEach((lines, n) => {
    let y = 770;
    const content = lines
      .map((line) => {
        y -= leading(line);
        return (
          line.text &&
          `BT /F${line.bold ? 2 : 1} ${line.size ?? 11} Tf 64 ${y} Td (${escape(line.text)}) Tj ET`
        );
      })
      .join("\n");
    objects.push(
      `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Resources << /Font << /F1 3 0 R /F2 4 0 R >> >> /Contents ${6 + n * 2} 0 R >>`,
      `<< /Length ${Buffer.byteLength(content, "latin1")} >>\nstream\n${content}\nendstream`,
    );
  });
  let out = "%PDF-1.4\n";
  const offsets = objects.map((body, index) => {
    const at = out.length;
    out += `${index + 1} 0 obj\n${body}\nendobj\n`;
    return at;
  });
  const xref = out.length;
  out += `xref\n0 ${objects.length + 1}\n0000000000 65535 f \n${offsets.map((at) => `${String(at).padStart(10, "0")} 00000 n \n`).join("")}trailer << /Size ${objects.length + 1} /Root 1 0 R >>\nstartxref\n${xref}\n%%EOF\n`;
  return Buffer.from(out, "latin1");
}
