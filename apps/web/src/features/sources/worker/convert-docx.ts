import mammoth from "mammoth/mammoth.browser.min.js";

/** Word to HTML, with its pictures as data URLs; headings as the parser reads them. */
export async function convertDocx(bytes: ArrayBuffer): Promise<string> {
  const { value } = await mammoth.convertToHtml(
    { arrayBuffer: bytes },
    { styleMap: ["p[style-name='Title'] => h1:fresh", "p[style-name='Subtitle'] => h2:fresh"] },
  );
  return value;
}
