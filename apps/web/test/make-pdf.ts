/**
 * A small PDF of three pages with text at known positions, generated so that no fixture file is
 * needed.
 */
export function makePdf(): Buffer {
  const line = (page: number, n: number): string => {
    if (page === 2 && n === 8)
      return "At a flow temperature of 48 C, 78 % of the installed radiators cover the room load.";
    if (page === 2 && n === 9) return "The remaining 22 % are almost all in corner rooms.";
    return `Page ${page}, line ${n + 1}: the load was taken at -8 C outdoors, after the works of 2016.`;
  };
  const lines = (page: number): string =>
    Array.from(
      { length: 30 },
      (_, n) => `BT /F1 11 Tf 72 ${740 - n * 18} Td (${line(page, n)}) Tj ET`,
    ).join("\n");
  const objects: string[] = [
    "<< /Type /Catalog /Pages 2 0 R >>",
    "<< /Type /Pages /Kids [4 0 R 6 0 R 8 0 R] /Count 3 >>",
    "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>",
  ];
  for (const page of [1, 2, 3]) {
    const content = lines(page);
    objects.push(
      [
        "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792]",
        `/Resources << /Font << /F1 3 0 R >> >> /Contents ${3 + page * 2} 0 R >>`,
      ].join(" "),
      `<< /Length ${content.length} >>\nstream\n${content}\nendstream`,
    );
  }
  let out = "%PDF-1.4\n";
  const offsets = objects.map((body, index) => {
    const at = out.length;
    out += `${index + 1} 0 obj\n${body}\nendobj\n`;
    return at;
  });
  const xref = out.length;
  const size = objects.length + 1;
  const entries = offsets.map((at) => `${String(at).padStart(10, "0")} 00000 n \n`).join("");
  out += `xref\n0 ${size}\n0000000000 65535 f \n${entries}`;
  out += `trailer << /Size ${size} /Root 1 0 R >>\nstartxref\n${xref}\n%%EOF\n`;
  return Buffer.from(out, "latin1");
}
